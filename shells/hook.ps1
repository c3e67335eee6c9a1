# tmp: Tab in PowerShell 7.4 or newer, on Linux and macOS. In $PROFILE:
#   tmp hook powershell | Out-String | Invoke-Expression
# A command for which a completer is registered later keeps that one.
#   TMP_TAB_BIN   the tmp-tab to start; by default the one on PATH
& {
    $tab = if ($env:TMP_TAB_BIN) { $env:TMP_TAB_BIN } else { 'tmp-tab' }
    if (-not (Get-Command -Name $tab -CommandType Application -ErrorAction Ignore)) { return }
    $complete = {
        param($wordToComplete, $commandAst, $cursorPosition)
        # Words up to the cursor, without their quotes; the last one is being completed.
        $words = @(foreach ($e in $commandAst.CommandElements) {
                if ($e.Extent.EndOffset -lt $cursorPosition) {
                    if ($e -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $e.Value } else { $e.Extent.Text }
                }
            })
        $quote = ''
        $last = "$wordToComplete"
        if ($last -match '^([''"])(.*?)[''"]?$') {
            $quote = $Matches[1]
            $last = $Matches[2]
        }
        $words += $last
        $tab = if ($env:TMP_TAB_BIN) { $env:TMP_TAB_BIN } else { 'tmp-tab' }
        try {
            $PSNativeCommandArgumentPassing = 'Standard'
            $reply = @($null | & $tab --wire 1 --shell powershell --cwd $PWD.ProviderPath --words -- @words 2>$null)
        } catch { return }
        if ($LASTEXITCODE -ne 0 -or $reply.Count -eq 0 -or $reply[0] -eq 'own') { return } # files, as PowerShell has it
        $rows = @($reply | Select-Object -Skip 1)
        foreach ($row in $rows) {
            $value, $display, $note, $more = $row.Split("`t")
            $text = $value
            if ($quote -or $value -notmatch '^[-\w%+=:,./~^][-\w@%+=:,./~^]*$') {
                $text = if ($quote -eq '"') { '"' + ($value -replace '([`"$])', '`$1') + '"' } else { "'" + ($value -replace "'", "''") + "'" }
            }
            if (-not $note) { $note = $display }
            [System.Management.Automation.CompletionResult]::new($text, $display, 'ParameterValue', $note)
        }
        # What is risky is not inserted before it was seen: a list of two is shown.
        if ($reply[0].StartsWith('hold ') -and $wordToComplete) {
            [System.Management.Automation.CompletionResult]::new($wordToComplete, $wordToComplete, 'ParameterValue', 'as it is')
        }
    }
    $tools = @($null | & $tab --tools)
    if ($tools.Count -gt 0) {
        Register-ArgumentCompleter -Native -CommandName $tools -ScriptBlock $complete
    }
}
