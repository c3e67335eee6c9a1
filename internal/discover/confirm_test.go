package discover_test

import (
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
)

// What a completion script offers beside what help and manual name.
func TestScriptsAreConfirmed(t *testing.T) {
	const help = "Usage: kelp [OPTION]... [FILE]...\n\n  -n, --quiet          say nothing\n  -e SCRIPT            run it\n  -s                   apart; see also -z\nOption --line is the same as -l.\n"
	const zsh = "#compdef kelp\n_arguments '(-n --quiet --silent)'{-n,--quiet,--silent}'[say nothing]' '-a[delay opening files]' '-z[null]' '-l[lines]' '-S[flush]' '-e[script]:script'\n"
	for _, c := range []struct {
		name  string
		texts discover.Texts
		want  []string
	}{
		{"help names most", discover.Texts{Nodes: []discover.Text{{Help: help}}, Zsh: zsh}, []string{"--quiet", "-e", "-l", "-n", "-s", "-z"}},
		{"a manual names some", discover.Texts{Nodes: []discover.Text{{Man: []byte(".TH kelp 1\n.SH OPTIONS\n.TP\n\\fB\\-e\\fR \\fIscript\\fR\nRun it.\n")}}, Zsh: zsh}, []string{"-e"}},
		{"help is a part", discover.Texts{Nodes: []discover.Text{{Help: "Usage: kelp [OPTION]...\n\n  -e SCRIPT  run it\n"}}, Zsh: zsh}, []string{"--quiet", "--silent", "-S", "-a", "-e", "-l", "-n", "-z"}},
		{"commands of another program", discover.Texts{Nodes: []discover.Text{{Help: help}}, Bash: "_kelp() {\n cmds='dive swim'\n opts='-n -e -s dive swim'\n COMPREPLY=( $(compgen -W \"$cmds $opts\") )\n}\n"}, []string{"--quiet", "-e", "-n", "-s"}},
		{"nothing but the script", discover.Texts{Zsh: zsh}, []string{"--quiet", "--silent", "-S", "-a", "-e", "-l", "-n", "-z"}},
	} {
		c.texts.Tool = "kelp"
		root, _ := discover.Parse(c.texts)
		var got []string
		for _, f := range root.Flags {
			got = append(got, f.Names...)
		}
		if len(root.Subs) > 0 {
			t.Errorf("%s: has the command %s", c.name, root.Subs[0].Name)
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Options that a command's text only names are those of the commands above.
func TestNamedOptionsAreInherited(t *testing.T) {
	root, _ := discover.Parse(discover.Texts{Tool: "kelp", Nodes: []discover.Text{
		{Help: "Usage: kelp COMMAND\n\n  --account NAME   Whose it is\n  --quiet          Say nothing\n"},
		{Path: []string{"dive"}, Help: "NAME\n    kelp dive - go down\n\nFLAGS\n     --deep\n        Deeper.\n\nKELP WIDE FLAGS\n    These flags are available to all commands: --account,\n    --quiet and --unheard.\n"},
	}})
	tree := discover.Tree(root)
	for name, want := range map[string]any{"--account": true, "--quiet": false, "--unheard": nil, "--deep": false} {
		if f := find(tree[1:], name); f == nil || f.TakesValue != want {
			t.Errorf("%s: %v, want %v", name, f, want)
		}
	}
}
