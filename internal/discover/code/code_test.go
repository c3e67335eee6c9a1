package code

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// shape lists the options of a node as "-o,--output required", sorted as they
// stand.
func shape(n *draft.Node) []string {
	var out []string
	for _, f := range n.Flags {
		line := strings.Join(f.Names, ",") + " " + f.Arity.String()
		for _, v := range f.Values {
			line += " " + v.Text
		}
		out = append(out, line)
	}
	return out
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"getopts", "#!/bin/sh\nwhile getopts \":ab:h\" opt; do :; done\n", []string{"-a none", "-b required", "-h none"}},
		{"labels", `#!/usr/bin/env bash
while [ $# -gt 0 ]; do
  case "$1" in
    -h|--help) usage; exit ;;
    '--address')
      addr="$2"
      shift 2
      ;;
    -o | --output) shift; out="$1" ;;
    --color=*) color=${1#*=} ;;
    -*) die "unknown" ;;
    *) break ;;
  esac
done
`, []string{"-h,--help none", "--address required", "-o,--output required", "--color required"}},
		{"getopt", "#!/bin/bash\nargs=$(getopt -o hv:c:: --long help,verbosity:,color:: -- \"$@\")\n", []string{"-h none", "-v required", "-c optional", "--help none", "--verbosity required", "--color optional"}},
		{
			"texts in single quotes", "#!/bin/sh\ncase \"$1\" in\n--help) echo 'Usage: frob [OPTIONS]\n\nOptions:\n  -o, --output FILE  write to FILE\n  -q, --quiet        say less' ;;\nadd) echo \"Usage: frob $1 [OPTIONS]\n\nOptions:\n  -f, --force  even if it is odd\" ;;\nesac\n",
			[]string{"--help none", "-o,--output required", "-q,--quiet none"},
		},
		{
			"long options of Perl", "#!/usr/bin/perl -w\nuse Getopt::Long;\nGetOptions(\n 'help|h' => \\$h,\n \"port|P=i\" => \\$c{port},\n 'color!' => \\$col,\n 'level:s' => \\$l,\n 'v+' => \\$v) or die;\n",
			[]string{"--help,-h none", "--port,-P required", "--color,--no-color none", "--level optional", "-v none"},
		},
		{"short options of Perl", "#!/usr/bin/perl\nuse Getopt::Std;\ngetopts('ab:', \\%opts);\n", []string{"-a none", "-b required"}},
		{
			"documentation of Perl", "#!/usr/bin/perl\n=head1 SYNOPSIS\n\nfrob [B<--deep>] I<FILE>\n\n=head1 OPTIONS\n\n=over\n\n=item B<--deep>, B<-d>\n\nGo deep.\n\n=item B<--out>=I<FILE>\n\nWrite to FILE.\n\n=back\n\n=cut\n",
			[]string{"--deep,-d none", "--out required"},
		},
		{"argparse", `#!/usr/bin/python3
import argparse
p = argparse.ArgumentParser()
p.add_argument('-r', '--recursive', action="store_true", help='Go down')
g = p.add_mutually_exclusive_group()
g.add_argument("--mode", choices=["fast", "slow"], default="fast")
p.add_argument("-o", "--output", metavar="FILE", type=str, help="Where")
p.add_argument("--tag", nargs="?")
p.add_argument("recursive_dir", nargs="*")
`, []string{"-r,--recursive none", "--mode required fast slow", "-o,--output required", "--tag optional"}},
		{
			"click", "#!/usr/bin/env python3\nimport click\n@click.command()\n@click.option('-n', '--count', type=int)\n@click.option('--shout/--no-shout')\n@click.option('--quiet', is_flag=True)\ndef f(): pass\n",
			[]string{"-n,--count required", "--shout,--no-shout none", "--quiet none"},
		},
		{"getopt of Python", "#!/usr/bin/python3\nopts, args = getopt.getopt(sys.argv[1:], 'ho:', ['help', \"output=\"])\n", []string{"-h none", "-o required", "--help none", "--output required"}},
		{"usage in a comment", "#!/bin/sh\n# Usage: frob [options] FILE\n#\n#   -q        be quiet\n#   -o FILE   write to FILE\n\nexec true\n", []string{"-q none", "-o required"}},
		{"usage in a here-document", "#!/bin/sh\nusage() {\n cat <<EOF\nUsage: $0 [options]\n\n  --fast     be fast\n  --out DIR  where\nEOF\n}\n", []string{"--fast none", "--out required"}},
		{"options of others", "#!/bin/sh\nrm -rf --one-file-system \"$1\"\nls --color=auto\n", nil},
		{"another language", "#!/usr/bin/lua\n-- Usage: frob --x\n", nil},
		{"a binary", "\x7fELF--help", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, shape(Parse(c.src, "frob"))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSubcommandsOfArgparse(t *testing.T) {
	n := Parse(`#!/usr/bin/python3
sub = p.add_subparsers()
a = sub.add_parser("add", help="Add one")
a.add_argument("name")
a.add_argument("--force", action="store_true")
r = sub.add_parser("remove")
r.add_argument("--all", action="store_true")
`, "frob")
	if len(n.Subs) != 2 || n.Subs[0].Name != "add" || n.Subs[0].Description != "Add one" || len(n.Subs[0].Args) != 1 {
		t.Fatalf("%+v", n.Subs)
	}
	if diff := cmp.Diff([]string{"--force none"}, shape(n.Subs[0])); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"--all none"}, shape(n.Subs[1])); diff != "" {
		t.Error(diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("#!/bin/sh\ncase $1 in -a|--b) shift 2;; esac\n")
	f.Add("#!/usr/bin/perl\nGetOptions('a|b=s' => \\$x\n=item B<-x>\n")
	f.Add("#!/usr/bin/python3\np.add_argument('-x', choices=[")
	f.Fuzz(func(t *testing.T, src string) {
		for _, fl := range Parse(src, "frob").Flags {
			for _, name := range fl.Names {
				if !strings.HasPrefix(name, "-") && !strings.HasPrefix(name, "+") && !strings.HasPrefix(name, "/") {
					t.Errorf("%q is an option", name)
				}
			}
		}
	})
}
