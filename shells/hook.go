package shells

import (
	_ "embed"
	"fmt"
)

//go:embed hook.bash
var bashHook string

//go:embed hook.zsh
var zshHook string

//go:embed hook.fish
var fishHook string

// Hook returns the file that a shell reads at its start to let tmp answer Tab:
// "bash", "zsh" or "fish". It is the same for every machine and user.
func Hook(shell string) (string, error) {
	switch shell {
	case "bash":
		return bashHook, nil
	case "zsh":
		return zshHook, nil
	case "fish":
		return fishHook, nil
	}
	return "", fmt.Errorf("no hook for the shell %q: want bash, zsh or fish", shell)
}
