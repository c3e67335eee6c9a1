package shells

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed begin.bash
var bashBegin string

//go:embed end.bash
var bashEnd string

//go:embed begin.zsh
var zshBegin string

//go:embed end.zsh
var zshEnd string

//go:embed hook.bash
var bashTab string

//go:embed hook.zsh
var zshTab string

//go:embed hook.fish
var fishTab string

//go:embed enter.bash
var bashEnter string

//go:embed tmp.bash
var bashTmp string

//go:embed enter.zsh
var zshEnter string

//go:embed enter.fish
var fishEnter string

// The hooks of other shells: Tab, and Enter where the shell can be held.
var (
	//go:embed hook.elv
	elvishTab string
	//go:embed enter.elv
	elvishEnter string
	//go:embed hook.xsh
	xonshTab string
	//go:embed enter.xsh
	xonshEnter string
	//go:embed hook.nu
	nuTab string
	//go:embed hook.tcsh
	tcshTab string
	//go:embed hook.ps1
	powershellTab string
)

// Names are the shells that have a hook.
func Names() []string {
	return append([]string{"bash", "zsh", "fish"}, WordShells...)
}

// Keys are the keys that a hook answers.
type Keys uint8

const (
	Tab Keys = 1 << iota
	Enter
)

// Hook returns the file that a shell reads at its start to let tmp answer the
// keys: of one of Names. It is the same for every machine and user. Errors say that there
// is no such hook.
func Hook(shell string, keys Keys) (string, error) {
	var tab, enter string
	switch shell {
	case "bash":
		tab, enter = bashTab, bashEnter+bashTmp
	case "zsh":
		tab, enter = zshTab, zshEnter
	case "fish":
		tab, enter = fishTab, fishEnter
	case "elvish":
		tab, enter = elvishTab, elvishEnter
	case "xonsh":
		tab, enter = xonshTab, xonshEnter
	case "nushell":
		tab = nuTab
	case "tcsh":
		tab = tcshTab
	case "powershell":
		tab = powershellTab
	default:
		return "", fmt.Errorf("no hook for the shell %q: want %s", shell, strings.Join(Names(), ", "))
	}
	if keys&Tab == 0 && enter == "" {
		return "", fmt.Errorf("%s cannot be held at the Enter key: without Tab nothing is left", shell)
	}
	if keys&Tab == 0 {
		tab = ""
	}
	if keys&Enter == 0 {
		enter = ""
	}
	switch shell {
	case "bash":
		return bare(bashBegin + tab + enter + bashEnd), nil
	case "zsh":
		// In quotes, since zsh reads all that eval gets before it runs the first of it.
		before, tabLater, after := apart(tab)
		tab = before + after
		before, enterLater, after := apart(enter)
		enter = before + after
		quoted := func(s string) string { return "'" + strings.ReplaceAll(bare(s), "'", `'\''`) + "'" }
		return bare(zshBegin) + "_tmp_tab_code=" + quoted(tabLater) + "\n_tmp_enter_code=" + quoted(enterLater) +
			"\n\\builtin \\eval " + quoted(tab+enter) + bare(zshEnd), nil
	case "fish":
		return fishHook("__tmp_tab_later", tab) + fishHook("__tmp_enter_later", enter), nil
	}
	if shell == "elvish" && keys&Tab == 0 {
		enter = "use str\n" + enter
	}
	return tab + enter, nil
}

// fishHook puts what is to be read later into a variable.
func fishHook(name, text string) string {
	before, later, after := apart(text)
	if later != "" {
		later = "set -g " + name + " '" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(bare(later)) + "'\n"
	}
	return bare(before) + later + bare(after)
}

// apart cuts a hook before and behind what is to be read on the first key: a shell
// that is started for one command needs nothing of it.
func apart(text string) (before, later, after string) {
	before, later, _ = strings.Cut(text, "# Read on the first key:\n")
	later, after, _ = strings.Cut(later, "# Read at the start:\n")
	return before, later, after
}

// bare leaves out the lines that are comments, and the blanks that lines begin
// with: a shell takes 40 ns for each byte that it reads when it starts, and zsh
// reads a text in quotes twice.
func bare(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimLeft(line, " "); line != "" && line != "\n" && line[0] != '#' {
			b.WriteString(line)
		}
	}
	return b.String()
}
