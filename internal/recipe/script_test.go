package recipe

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// harmless is a judge that finds nothing.
func harmless(string, string) Risk { return Risk{Level: tcpdb.Safe} }

func parameters(op *opmap.Operation) []string {
	var out []string
	for _, p := range op.Parameters {
		out = append(out, strings.TrimSpace(p.Name+map[bool]string{true: "!", false: "?"}[p.Required]+" "+p.Type+" "+p.Description))
	}
	return out
}

func TestScripts(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		template   string
		intents    []string
		parameters []string
	}{
		{
			"deploy.sh", `#!/usr/bin/env bash
# deploy.sh - Deploy the app to an environment.
#
# Usage: deploy.sh [options] <env> [version]
#
# Options:
#   -n, --dry-run        Print what would be done
#   -r, --region REGION  Where to deploy to
#   -h, --help           Show this help
set -euo pipefail
while [[ $# -gt 0 ]]; do
  case "$1" in
    -n|--dry-run) dry=1; shift ;;
    -r|--region) region="$2"; shift 2 ;;
    -h|--help) usage; exit 0 ;;
    *) break ;;
  esac
done
`,
			"./deploy.sh --dry-run=<dry_run> [--region <region>] <env> <version>",
			[]string{"deploy the app to an environment <env>", "run deploy <env>", "deploy <env>", "deploy <env> <version>"},
			[]string{"dry_run? flag Print what would be done", "region? string Where to deploy to", "env! string", "version? string"},
		},
		{
			"backup", "#!/bin/sh\nname=${1:?give a database}\nto=${2:-/var/backups}\nf() {\n  x=$3\n}\nwhile getopts \"vk:h\" o; do\n  case $o in\n    v) verbose=1 ;; # say more\n    k) keep=$OPTARG ;;\n  esac\ndone\n",
			"./backup -v=<v> -k<keep> <name> <to>",
			[]string{"run backup <name>", "backup <name>", "backup <name> <to>"},
			[]string{"v? flag say more", "keep? string", "name! string", "to? string by default /var/backups"},
		},
		{
			"train.py", `#!/usr/bin/env python3
"""Train the model."""
import argparse
p = argparse.ArgumentParser(description="Train the model")
p.add_argument("data", help="the data set")
p.add_argument("-e", "--epochs", type=int, default=10, help="how many (rounds, in all)")
p.add_argument("--mode", choices=["fast", "full"], required=True)
p.add_argument("--verbose", action="store_true",
               help="say more")
p.add_argument("extra", nargs="*")
`,
			"./train.py --epochs=<epochs> --mode=<mode> --verbose=<verbose> <data> <extra>",
			[]string{"train the model <mode> <data>", "run train <mode> <data>", "train <mode> <data>"},
			[]string{"epochs? number how many (rounds, in all) (by default 10)", "mode! enum:fast,full", "verbose? flag say more", "data! string the data set", "extra? string"},
		},
		{
			"hello.py", "import click\n@click.command()\n@click.option('--count', '-c', default=1, help='How often')\n@click.option('--shout/--no-shout', default=False)\n@click.option('--lang', type=click.Choice(['en', 'de']), required=True)\n@click.argument('who')\n@click.argument('rest', required=False)\ndef hello(): pass\n",
			"./hello.py --count=<count> --shout=<shout> --lang=<lang> <who> <rest>",
			[]string{"hello <lang> <who>", "run hello <lang> <who>"},
			[]string{"count? string How often (by default 1)", "shout? flag", "lang! enum:en,de", "who! string", "rest? string"},
		},
		{
			"build.js", "#!/usr/bin/env node\n// Build the site\nprogram\n  .argument('<dir>', 'where it is')\n  .option('-p, --port <n>', 'the port', '80')\n  .option('-w, --watch', 'go on')\n  .requiredOption('--env <name>', 'which one')\n  .addOption(new Option('--size <s>', 'how big').choices(['small', 'large']))\n",
			"./build.js --port=<port> --watch=<watch> --env=<env> --size=<size> <dir>",
			[]string{"build the site <env> <dir>", "build <env> <dir>", "run build <env> <dir>"},
			[]string{"port? string the port (by default 80)", "watch? flag go on", "env! string which one", "size? enum:small,large how big", "dir! string where it is"},
		},
		{
			"gen.go", "package main\nvar cmd = &cobra.Command{Use: \"gen <schema> [flags]\", Short: \"Generate the client\"}\nfunc init() {\n\tcmd.Flags().StringVarP(&out, \"out\", \"o\", \"gen\", \"where it goes\")\n\tcmd.Flags().Bool(\"force\", false, \"replace what is there\")\n\tcmd.MarkFlagRequired(\"out\")\n}\n",
			"./gen.go --out=<out> --force=<force> <schema>",
			[]string{"generate the client <out> <schema>", "gen <out> <schema>", "run gen <out> <schema>"},
			[]string{"out! string where it goes (by default gen)", "force? flag replace what is there", "schema! string"},
		},
		{
			"ship", "#!/bin/sh\n# Usage: ship --env <env> [--tag=TAG] [--force] <version>\n#   --env ENV   staging or production\nexec ./ship.real \"$@\"\n",
			"./ship [--env <env>] --tag=<tag> --force=<force> <version>",
			[]string{"run ship <version>", "ship <version>"},
			[]string{"env? string staging or production", "tag? string", "force? flag", "version! string"},
		},
		{"plain.sh", "echo hello\n", "./plain.sh", []string{"run plain"}, nil},
	} {
		s := Read(tt.name, tt.text, "")
		op, ok := s.Operation("script.x", "./"+tt.name, workflow.Source{File: tt.name, SHA256: strings.Repeat("0", 64)}, harmless, nil)
		if !ok {
			t.Errorf("%s: not drafted", tt.name)
			continue
		}
		slices.Sort(op.Intents)
		slices.Sort(tt.intents)
		if op.Template != tt.template {
			t.Errorf("%s: template\n%s\nwant\n%s", tt.name, op.Template, tt.template)
		}
		if d := cmp.Diff(tt.intents, op.Intents); d != "" {
			t.Errorf("%s: intents %s", tt.name, d)
		}
		if d := cmp.Diff(tt.parameters, parameters(op)); d != "" {
			t.Errorf("%s: parameters %s", tt.name, d)
		}
		if op.Verified || op.Surface != "script" {
			t.Errorf("%s: %+v", tt.name, op)
		}
		src := s.Tree()
		src.Operations = []*opmap.Operation{op}
		if _, problems := opmap.Parse("x.json", src.Encode(), opmap.ParseOptions{KnownResolver: all.Table().Known}); problems.Err() != nil {
			t.Errorf("%s: %v\n%s", tt.name, problems, src.Encode())
		}
	}
}

func FuzzScript(f *testing.F) {
	f.Add("x.sh", "#!/bin/sh\n# Usage: x [-a] <b>\ngetopts 'a:b' o\ncase $1 in --x=*) y=${1#*=};; esac\n")
	f.Add("x.py", "p.add_argument('-x', '--yy', choices=['a'], help='b'\n")
	f.Add("x.js", "a.option('-a, --b <c>', {x: [}")
	f.Fuzz(func(t *testing.T, name, text string) {
		s := Read(name, text, "")
		op, ok := s.Operation("script.x", "./x", workflow.Source{File: "x", SHA256: strings.Repeat("0", 64)}, harmless, nil)
		if !ok {
			return
		}
		src := &opmap.Source{Schema: opmap.SchemaVersion, Tool: "x", Provenance: "script", Operations: []*opmap.Operation{op}}
		if _, problems := opmap.Parse("x.json", src.Encode(), opmap.ParseOptions{}); problems.Err() != nil {
			t.Fatalf("%q: %v", text, problems)
		}
	})
}

// TestIntentsNameAnObject: what lint refuses is not drafted.
func TestIntentsNameAnObject(t *testing.T) {
	got := intents([]string{"Lint it", "lint", "lint the sources", "Lint the sources!", "deploy <env>"}, nil, map[string]bool{})
	if d := cmp.Diff([]string{"lint the sources", "deploy <env>"}, got); d != "" {
		t.Error(d)
	}
}
