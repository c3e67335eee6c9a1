package script

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

const fishScript = `
# frob's completions
complete -c frob -n __fish_use_subcommand -f -a add -d 'Add a thing'
complete -c frob -n "not __fish_seen_subcommand_from add rm" -f -a 'rm mv'
complete -c frob -s v -l verbose -d "Say \"more\""
complete -c frob -n '__fish_seen_subcommand_from add' -s m -l mode -x -a 'fast slow' -d 'How'
complete -c frob -n "__fish_frob_using_subcommand add; and __fish_seen_subcommand_from deep" -l level -r
complete -c frob -o oldstyle -xa "(frob list)"
complete --command other -l other
complete -c frob -l file -rF
`

func TestFish(t *testing.T) {
	n := Fish(fishScript, "frob")
	for _, want := range []string{"add", "rm", "mv"} {
		if n.Sub(want) == nil {
			t.Errorf("no sub-command %s", want)
		}
	}
	want(t, n, "--verbose", "none")
	if f := n.Flag("-v"); f == nil || f.Description != `Say "more"` {
		t.Errorf("-v is %+v", f)
	}
	want(t, n, "-oldstyle", "required")
	if n.Flag("--other") != nil {
		t.Error("has an option of another program")
	}
	if f := n.Flag("--file"); f == nil || f.Kind != "file" {
		t.Errorf("--file is %+v", f)
	}
	add := n.Sub("add")
	want(t, add, "--mode", "required")
	if f := add.Flag("-m"); f == nil || len(f.Values) != 2 || f.Values[1].Text != "slow" {
		t.Errorf("-m is %+v", f)
	}
	if deep := add.Sub("deep"); deep == nil {
		t.Error("no add deep")
	} else {
		want(t, deep, "--level", "required")
	}
	if add.Description != "Add a thing" {
		t.Errorf("add: %q", add.Description)
	}
}

const zshScript = `#compdef frob
_frob() {
    _arguments -s -S \
        '(-v --verbose)'{-v,--verbose}'[say more]' \
        '*-I+[search there]:directory:_files -/' \
        '--color=[use colour]:when:(always never auto)' \
        '--opt=-[maybe]::value:' \
        '1: :_frob_commands' \
        '*::arg:->args' && ret=0
    case $state in
    (frob)
        case $line[1] in
            (add)
_arguments "${_arguments_options[@]}" : \
'--force[do it anyway]' \
&& ret=0
;;
        esac
    ;;
    esac
}
_frob_commands() {
    local commands; commands=(
'add:Add a thing' \
'rm:Remove it' \
    )
    _describe -t commands 'frob commands' commands "$@"
}
`

func TestZsh(t *testing.T) {
	n := Zsh(zshScript, "frob")
	want(t, n, "-v", "none")
	want(t, n, "--color", "required")
	want(t, n, "--opt", "optional")
	want(t, n, "-I", "required")
	if f := n.Flag("-I"); f != nil && (f.Kind != "dir" || !f.Repeatable) {
		t.Errorf("-I is %+v", f)
	}
	if f := n.Flag("--color"); f != nil && (len(f.Values) != 3 || f.Description != "use colour") {
		t.Errorf("--color is %+v", f)
	}
	if add := n.Sub("add"); add == nil {
		t.Error("no add")
	} else {
		want(t, add, "--force", "none")
	}
	if rm := n.Sub("rm"); rm == nil || rm.Description != "Remove it" {
		t.Errorf("rm is %+v", rm)
	}
}

const bashScript = `_frob() {
    local cur prev opts cmd
    case "${cmd}" in
        frob)
            opts="-v --verbose --out add rm"
            case "${prev}" in
                --out)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
            esac
            ;;
        frob__add)
            opts="--force --level"
            case "${prev}" in
                --level|-l)
                    return 0
                    ;;
            esac
            COMPREPLY=( $(compgen -W "--extra= ${opts}" -- "${cur}") )
            ;;
    esac
}
`

func TestBash(t *testing.T) {
	n := Bash(bashScript, "frob")
	want(t, n, "--out", "required")
	want(t, n, "--verbose", "")
	if n.Sub("rm") == nil {
		t.Error("no rm")
	}
	add := n.Sub("add")
	if add == nil {
		t.Fatal("no add")
	}
	want(t, add, "--level", "required")
	want(t, add, "--force", "")
	want(t, add, "--extra", "required")
	if n.Flag("--force") != nil {
		t.Error("an option of add is the tool's own")
	}
}

func want(t *testing.T, n *draft.Node, name, arity string) {
	t.Helper()
	f := n.Flag(name)
	switch {
	case f == nil:
		t.Errorf("%s has no %s", n.Name, name)
	case f.Arity.String() != arity:
		t.Errorf("%s takes %q, want %q", name, f.Arity, arity)
	}
}

// TestInstalled reads the scripts that are installed here: none may panic or
// take long.
func TestInstalled(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all completion scripts of the machine")
	}
	for glob, read := range map[string]func(string, string) *draft.Node{
		"/usr/share/fish/completions/*.fish":           Fish,
		"/usr/share/bash-completion/completions/*":     Bash,
		"/usr/share/zsh/functions/Completion/Unix/_*":  Zsh,
		"/usr/share/zsh/functions/Completion/Linux/_*": Zsh,
		"/usr/share/zsh/vendor-completions/_*":         Zsh,
		"/usr/share/fish/vendor_completions.d/*.fish":  Fish,
	} {
		files, _ := filepath.Glob(glob)
		slices.Sort(files)
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				continue
			}
			start := time.Now()
			name := filepath.Base(file)
			name = name[:len(name)-len(filepath.Ext(name))]
			read(string(data), name)
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("%s: %s", file, d)
			}
		}
	}
}

func FuzzScripts(f *testing.F) {
	for _, s := range []string{fishScript, zshScript, bashScript, "complete -c", "_arguments '(", "opts=\"\\", "case in\nesac\n;;)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, n := range []*draft.Node{Fish(s, "frob"), Zsh(s, "frob"), Bash(s, "frob")} {
			for _, flag := range n.Flags {
				if len(flag.Names) == 0 {
					t.Error("a flag without a name")
				}
			}
		}
	})
}

func TestWhatOnlyRunningTells(t *testing.T) {
	for in, want := range map[string]string{
		"--a $(frob list | while read x; do echo $(x); done) --b": "--a  --b",
		"--a `frob list` b": "--a  b",
		"--a $( $frob \\":   "--a ",
		"--a `frob":         "--a ",
		"plain words":       "plain words",
	} {
		if got := written(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	const script = `_frob() {
    COMPREPLY=($(compgen -o filenames -W "$(
        frob -t "$1" | while read line; do
            printf "%q\n" "$line"
        done
    )" -- "$cur"))
}
complete -F _frob frob
`
	if n := Bash(script, "frob"); len(n.Subs) != 0 || len(n.Flags) != 0 {
		t.Errorf("%d commands and %d options of what is printed when it runs", len(n.Subs), len(n.Flags))
	}
}

// TestFishLists: conditions may hold variables; where their words are not in the
// script the option is not taken for the tool's own.
func TestFishLists(t *testing.T) {
	n := Fish(`set -l built build test
complete -c frob -n "__fish_seen_subcommand_from $built" -l race -d 'Look for races'
for x in bench b
    complete -c frob -x -n "__fish_seen_subcommand_from $x" -l lib
end
complete -c frob -n "__fish_seen_subcommand_from (__frob_words)" -l odd
complete -c frob -n "not __fish_seen_subcommand_from $built" -l own
`, "frob")
	if len(n.Flags) != 1 || n.Flag("--own") == nil {
		t.Errorf("the tool's own options: %+v", n.Flags)
	}
	for _, x := range [][2]string{{"build", "--race"}, {"test", "--race"}, {"bench", "--lib"}, {"b", "--lib"}} {
		if s := n.Sub(x[0]); s == nil || s.Flag(x[1]) == nil {
			t.Errorf("%s has not %s", x[0], x[1])
		}
	}
}
