# tmp: Tab in tcsh 6.20 or newer. In ~/.tcshrc:
#   tmp hook tcsh > ~/.tmp.tcsh; source ~/.tmp.tcsh
# tcsh has no descriptions, and nothing that could stop a line: Enter is not judged.
#   TMP_TAB_BIN   the tmp-tab to start; by default the one on PATH
if ($?prompt && $?tcsh) then
    # All of a line is expanded, whether its "if" holds or not.
    set tmp_tab_bin = tmp-tab
    if ($?TMP_TAB_BIN) then
        set tmp_tab_bin = "$TMP_TAB_BIN"
    endif
    if (! $?autolist) set autolist
    # A completion of yours for one command goes first.
    complete '*' 'p@*@`$tmp_tab_bin:q --tcsh`@@'
endif
