package shells_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// drafted puts drafts into the system map of a shell's home.
func drafted(x *shell, drafts ...string) {
	x.t.Helper()
	b := tcpdb.NewBuilder()
	for _, text := range drafts {
		s, problems := opmap.Parse("draft.json", []byte(text), opmap.ParseOptions{})
		if err := problems.Err(); err != nil {
			x.t.Fatal(err)
		}
		b.Tool(opmap.DraftTree(s))
	}
	data, err := b.Build()
	if err != nil {
		x.t.Fatal(err)
	}
	x.write("share/tmp/system.tcpdb", string(data))
}

// program makes an empty program that the shell finds, with a completion of the
// shell's own that offers a word, unless that is "".
func (x *shell) program(name, offers string) {
	x.t.Helper()
	x.write("bin/"+name, "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(x.home, "bin", name), 0o755); err != nil {
		x.t.Fatal(err)
	}
	if x.name == "fish" { // else written when the map is built
		x.write("share/tmp/fish/"+name+".fish", "complete -c "+name+" -f -k -a '(__tmp_tab "+name+")'\n")
	}
	if offers == "" {
		return
	}
	switch x.name {
	case "bash":
		x.write("share/bash-completion/completions/"+name, "_"+name+"() { COMPREPLY=($(compgen -W '"+offers+"' -- \"$2\")); }\ncomplete -F _"+name+" "+name+"\n")
	case "zsh":
		x.write("functions/_"+name, "#compdef "+name+"\ncompadd -- "+offers+"\n")
	case "fish":
		x.write("share/fish/generated_completions/"+name+".fish", "complete -c "+name+" -f -a '"+offers+"'\n")
	}
}

// What a shell offered alone it still offers where a draft has nothing, or is
// known to lack something; and the Tab after that is ours again.
func TestRealDraftsTakeNothingAway(t *testing.T) {
	const (
		whole = `{"schema": 1, "tool": "whole", "provenance": "help", "node": {"name": "whole", "subcommands": [
			{"name": "alpha", "flags": [{"names": ["--all"], "value": "none"}], "args": [{"name": "name"}]}, {"name": "beta"}]}}`
		gappy = `{"schema": 1, "tool": "TOOL", "provenance": "help", "gaps": [{"node": "TOOL", "text": "only a part is read"}], "node": {"name": "TOOL", "subcommands": [
			{"name": "alpha"}, {"name": "beta"}]}}`
	)
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup{env: []string{"TEST_REAL=1"}, cols: 100}
			switch name {
			case "bash":
				s.before = ". /usr/share/bash-completion/bash_completion"
			case "zsh":
				s.before = compinit + "\nfpath=(~/functions $fpath); autoload -Uz _whole _gappy; compdef _whole whole; compdef _gappy gappy"
			}
			x := start(t, name, s)
			drafted(x, whole, strings.ReplaceAll(gappy, "TOOL", "gappy"), strings.ReplaceAll(gappy, "TOOL", "alone"))
			x.program("whole", "zeta")
			x.program("gappy", "omega")
			x.program("alone", "")
			x.write("work/work-file", "")
			x.tab("whole al", "whole alpha ")
			x.tab("whole ze", "whole zeta ")
			x.tab("whole al", "whole alpha ")
			x.tab("whole alpha ze", "whole alpha zeta ")
			x.tab("whole alpha --a", "whole alpha --all ")
			x.tab("gappy om", "gappy omega ")
			x.tab("alone al", "alone alpha ")
			x.tab("gappy om", "gappy omega ")
			// A map that people wrote: what it does not have is the shell's as well.
			x.tab("git swit", "git switch ")
			file := "git nosuch work-file "
			if name == "bash" {
				file = "git nosuch work-file" // git's completion for bash adds the blanks itself
			}
			x.tab("git nosuch work-fi", file)
			x.tab("git swit", "git switch ")
		})
	}
}

// Directories below those of CDPATH are the shell's to find.
func TestRealCdpath(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup{env: []string{"TEST_REAL=1"}}
			switch name {
			case "bash":
				s.before = ". /usr/share/bash-completion/bash_completion"
				s.after = "CDPATH=~/p"
			case "zsh":
				s.before, s.after = compinit, "cdpath=(~/p)"
			case "fish":
				s.after = "set -g CDPATH ~/p"
			}
			x := start(t, name, s)
			x.write("p/project-one/file", "")
			x.write("work/local-dir/file", "")
			x.tab("cd pro", "cd project-one/")
			x.tab("cd loc", "cd local-dir/")
		})
	}
}
