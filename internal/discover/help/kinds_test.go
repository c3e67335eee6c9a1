package help

import (
	"slices"
	"testing"
)

// kinds are layouts of libraries and of families of programs, each in a text of
// its own; want is written as in layouts.
var kinds = []struct {
	name string
	path []string
	text string
	want string
}{
	{"Boost's program_options", nil, `Options:
  -h [ --help ]                   Show help options
  -c [ --chroot ] arg             Use this one
  -t [ --type ] arg (=A) What type to ask for
  --timeout-msec arg (=500)       Wait so long
  -p [ --progress ] [=arg(=1)]  Show or hide the bar
  --all-chroots                   All of them
`, "-h/--help -c/--chroot= -t/--type= --timeout-msec= -p/--progress[=] --all-chroots"},
	{"Ruby's OptionParser carries names on", nil, `frob [options]

    -R, --rakelibdir RAKELIBDIR,     Import any files in RAKELIBDIR. (default is 'rakelib')
        --rakelib
    -s, --silent                     Like --quiet, but more so.
`, "-R/--rakelibdir/--rakelib= -s/--silent"},
	{"protoc", nil, `Usage: frob [OPTION] FILES
  -IPATH, --proto_path=PATH   Specify the directory in which to search for
                              imports.
  -oFILE,                     Writes a set (a protocol buffer,
    --out=FILE                defined elsewhere) to FILE.
  --decode_raw                Read anything.
`, "-I/--proto_path= -o/--out= --decode_raw @ files"},
	{"urfave/cli without texts", nil, `USAGE:
   frob config [command options]

OPTIONS:
   --image value                image to change
   --config.user value
   --os value
   --no-history                 write none
`, "--image= --config.user= --os= --no-history"},
	{"a sentence about examples is no title", nil, `Usage: frob [options] [files]

  **** Filtering/tags ****

    You can select single ones by appending the number to
    the filename:

      frob path/to/a.rb:37

    You can also pass the ids of examples enclosed in square brackets:

      frob path/to/a.rb[1:5,1:6] # run the 5th

    -P, --pattern PATTERN              Load what matches.
        --only-failures                Only what failed.
`, "-P/--pattern= --only-failures @ files"},
	{"for example in a text below an option", nil, `usage: frob [OPTIONS] <URL>

Player options:
  -p COMMAND, --player COMMAND
    Player to feed.

    Options may also be passed to the player. For example:

      frob --player "vlc --file-caching=5000" <url>

    It can be anything.

  -n, --fifo
    Use a pipe.
`, "-p/--player= -n/--fifo @ URL"},
	{"names in a paragraph at the end", nil, `Options:
  -a, --append
         Add to it
  --team
         Count up
  At most one of -a, -i, -e, -r, -v, -d, -n, -q, -R, -s,
  --lts, --team, --bpo, --stable, -l (or their long equivalents) may be used.
`, "-a/--append --team"},
	{"values behind a group in braces", nil, `Usage:
      frob [--severity number | name] [{-p | --profile} file | --noprofile]
           [--strictness {warn|fatal|quiet}] FILE

      frob { --list | --options }
`, "--severity= -p= --profile= --noprofile --strictness={warn,fatal,quiet} --list --options"},
	{"options of a group that is named after an environment", nil, `Chroot environment:
  -d, --directory=DIR       Directory to use
  -p, --preserve            Keep the environment
`, "-d/--directory= -p/--preserve"},
	{"odd values", nil, `Options:
 --higherthan #     Delete what has more than #.
 --rev-cert <FILE or ->
                    Writes it to FILE
 --plain            No value.
`, "--higherthan= --rev-cert= --plain"},
	{"kingpin's tree of commands", nil, `usage: frob [<flags>] <command> [<args> ...]

Flags:
  -v, --verbose        Say more
      --timeout=30s    Give up then

Commands:
  help [<command>...]
  alert
    query* [<flags>] [<matcher-groups>...]
    add [<flags>] [<labels>...]
  check-config [<check-files>...]
  config
    routes [<flags>]
      test [<flags>] [<labels>...]
`, "-v/--verbose --timeout= > help > alert > check-config > config"},
	{"kingpin's commands with their parent's name", []string{"frob", "silence"}, `usage: frob silence <command> [<args> ...]

Subcommands:
  silence add [<flags>] [<matcher-groups>...]
    Add one.

  silence query* [<flags>] [<matcher-groups>...]
    Query them.

`, "> add > query"},
	{"argparse's aliases", nil, `usage: frob [-h] SUBCOMMAND ...

positional arguments:
  SUBCOMMAND
    list (ls)           list all
    new (add)           create one
    remove (delete, del, rm)
                        remove one

options:
  -c CONFIG, --config CONFIG
                        config file to use
`, "-c/--config= -h > list > ls > new > add > remove > delete > del > rm"},
	{"iproute2's grammar", nil, `Usage: frob [ OPTIONS ] OBJECT { COMMAND | help }
       frob [ -force ] -batch filename
where  OBJECT := { address | link | neigh |
                   rule }
       OPTIONS := { -V[ersion] | -s[tatistics] |
                    -f[amily] { inet | inet6 | link } |
                    -4 | -l[oops] { maximum-addr-flush-attempts } |
                    -n[etns] name | -rc[vbuf] [size] }
`, "-force -batch= -V/-Version -s/-statistics -f/-family={inet,inet6,link} -4 -l/-loops= -n/-netns= -rc/-rcvbuf[=] > address > link > neigh > rule @ object"},
	{"the grammar of one object", []string{"frob", "address"}, `Usage: frob address { list | flush } SELECTOR
       frob address { add | del } ROUTE [ type TYPE ]
SELECTOR := [ root PREFIX ] [ match PREFIX ]
FLAG  := [ permanent | [-]tentative | [-]deprecated |
           CONFFLAG-LIST ]
TYPE := { unicast | local }
`, "> list > flush > add > del"},
	{"yargs and commander", nil, `Usage: frob [options]

Commands:
  frob changed        List what has changed  [aliases: updated]
  frob list           List packages  [aliases: ls, la]
  frob add|a <names>  Add some

Options:
  --comment-before [string]         Print a comment before any code.
  --comment-after [string]          Print a comment after any code.
  -x, --extensions [extensions]     List of extensions to compile.
`, "--comment-before[=] --comment-after[=] -x/--extensions[=] > changed > updated > list > ls > la > add > a"},
	{"a group ends with its bracket", nil, `Usage:
      frob [--count | -C] [--verbose {number | format}] [-q | --quiet]
           [--without | -L] [--extensions file_name]
`, "--count -C --verbose= -q/--quiet --without -L --extensions="},
	{"text right below the name, as deep as it", nil, `COMMON OPTIONS

--target, -t
Set the version for the output.
one of: es6/es2015, es2016, esnext
default: es2025

--pretty
Enable colours.
type: boolean
default: true
`, "--target/-t={es6,es2015,es2016,esnext} --pretty"},
}

func TestKinds(t *testing.T) {
	for _, x := range kinds {
		t.Run(x.name, func(t *testing.T) {
			path := x.path
			if path == nil {
				path = []string{"frob"}
			}
			checkFlags(t, Parse(x.text, path), x.want)
		})
	}
}

// One name that is deprecated, or a thing that is, does not make an option so.
func TestDeprecated(t *testing.T) {
	n := Parse(`usage: frob [options]

options:
  -i, --inventory, --inventory-file FILE
                        specify inventory. --inventory-file is deprecated
  --old                 This option is deprecated, use --new
  --older               Deprecated.
  --format FMT          how; the format x is deprecated
  --gone                --gone is deprecated
`, []string{"frob"})
	for name, want := range map[string]bool{"-i": false, "--old": true, "--older": true, "--format": false, "--gone": true} {
		if f := n.Flag(name); f == nil || f.Deprecated != want {
			t.Errorf("%s: %+v, want deprecated %v", name, f, want)
		}
	}
}

func TestQuotedClauses(t *testing.T) {
	n := Parse(`usage: frob [options]

options:
  --pretty WHAT  Controls output. The value can be "none" to not prettify (the
                 default), "all" to apply both, colors and format, "colors", or
                 "format". See "man frob".
  --name NAME    The name can be "x" or anything, as long as it is "good"
`, []string{"frob"})
	for name, want := range map[string][]string{"--pretty": {"none", "all", "colors", "format"}, "--name": nil} {
		var got []string
		for _, v := range n.Flag(name).Values {
			got = append(got, v.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
