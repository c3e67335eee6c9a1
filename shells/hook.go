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

// Keys are the keys that a hook answers.
type Keys uint8

const (
	Tab Keys = 1 << iota
	Enter
)

// Hook returns the file that a shell reads at its start to let tmp answer the
// keys: "bash", "zsh" or "fish". It is the same for every machine and user.
func Hook(shell string, keys Keys) (string, error) {
	var tab, enter string
	switch shell {
	case "bash":
		tab, enter = bashTab, bashEnter+bashTmp
	case "zsh":
		tab, enter = zshTab, zshEnter
	case "fish":
		tab, enter = fishTab, fishEnter
	default:
		return "", fmt.Errorf("no hook for the shell %q: want bash, zsh or fish", shell)
	}
	if keys&Tab == 0 {
		tab = ""
	}
	if keys&Enter == 0 {
		enter = ""
	}
	switch text := tab + enter; shell {
	case "bash":
		return bashBegin + text + bashEnd, nil
	case "zsh":
		return zshBegin + `\builtin \eval '` + strings.ReplaceAll(bare(text), "'", `'\''`) + "'" + zshEnd, nil
	default:
		return text, nil
	}
}

// bare leaves out the lines that are comments, and the blanks that lines begin
// with: zsh reads a text in quotes twice when it starts.
func bare(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimLeft(line, " "); line != "\n" && line[0] != '#' {
			b.WriteString(line)
		}
	}
	return b.String()
}
