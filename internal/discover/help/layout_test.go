package help

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// layouts are texts as different programs print them. Want lists each flag as
// "-a/--all", "--out=" with a value, "--color[=]" with an optional one,
// "--x={a,b}" with its words; "> name" is a sub-command, "@ NAME" an argument.
var layouts = []struct{ name, text, want string }{
	{"getopt", `Usage: frob [OPTION]... [FILE]...
Frob FILEs, -k is mentioned here.

  -a, --all                  do all
      --color[=WHEN]         colorize; WHEN is 'always', 'auto', or 'never'
  -c, --command=CMD  run CMD
  -w, --width=COLS           set output width to COLS.  0 means no limit
      --very-long-option-name=VALUE
                             text below, with --other mentioned
  -1                         one per line; same as
                             --format=single-column
`, "-a/--all --color[=]={always,auto,never} -c/--command= -w/--width= --very-long-option-name= -1 @ file"},
	{"clap", `Frob things

Usage: frob [OPTIONS] <PATH>... [COMMAND]

Commands:
  build, b  Build it
  run       Run it
  help      Print this message

Arguments:
  <PATH>...  What to frob

Options:
  -f, --format <FMT>       Format [default: json] [possible values: json, yaml]
  -v, --verbose...         More
      --color[=<WHEN>]     Colour
      --jobs <N>           Jobs [env: JOBS=]
  -h, --help               Print help
`, "-f/--format={json,yaml} -v/--verbose --color[=] --jobs= -h/--help > build > b > run > help @ PATH"},
	{"clap long", `Usage: frob [OPTIONS]

Options:
  -c, --config <FILE>
          Read this

          See --other for more

      --mode <MODE>
          How

          Possible values:
          - fast: Quick
          - slow: Careful

          [default: fast]

  -q, --quiet
          Silent
`, "-c/--config= --mode={fast,slow} -q/--quiet"},
	{"pflag", `Frob

Usage:
  frob run [flags] NAME
  frob [command]

Available Commands:
  add         Add it
  remove      Remove it

Flags:
      --add-host list            Add a host
  -d, --detach                   Run in background
  -e, --env stringArray          Set variables
      --level string[="info"]    Level
  -p, --port int                 Port (default 80)

Use "frob [command] --help" for more information.
`, `--add-host= -d/--detach -e/--env= --level[=] -p/--port= > add > remove`},
	{"kubectl", `Frob.

Options:
    --all=false:
        Select all

    --chunk-size=500:
        Return in chunks

    -f, --filename=[]:
        Files

    -o, --output='':
        Output format. One of: (json, yaml, name).

Usage:
  frob get (NAME) [flags] [options]
`, "--all --chunk-size= -f/--filename= -o/--output={json,yaml,name}"},
	{"argparse", `usage: frob [-h] [-s S] [--mode {a,b}] [--x X [X ...]] file [file ...]

positional arguments:
  file                  a file

options:
  -h, --help            show this help message and exit
  -s S, --long S        text
  --mode {a,b}          which
  --x X [X ...]         many
  --flag, --no-flag     toggles
`, "-h/--help -s/--long= --mode={a,b} --x= --flag/--no-flag @ file"},
	{"click", `Usage: frob [OPTIONS] COMMAND [ARGS]...

Options:
  --debug / --no-debug          Debug.
  -n, --count INTEGER RANGE     How many.  [1<=x<=5]
  --shape [round|square]        Shape  [default: round]
  -p, --path PATH
  --help                        Show this message and exit.

Commands:
  sync-all  Sync.
  drop
`, "--debug/--no-debug -n/--count= --shape={round,square} -p/--path= --help > sync-all > drop"},
	{"optparse", `Usage: frob [options]

Options:
  --version             show program's version number and exit
  -f FILE, --file=FILE  write report to FILE
  -q, --quiet           don't print
`, "--version -f/--file= -q/--quiet"},
	{"git", `usage: git frob [<options>] [--] <pathspec>...
   or: git frob add [-t <branch>] <name>
   or: git frob prune [-n] <name>

    -n, --[no-]dry-run    dry run
    --pathspec-from-file <file>
                          read pathspec from file
    --color[=<when>]      use colours
    -S, --gpg-sign[=<key-id>]
                          sign
`, "-n/--dry-run/--no-dry-run --pathspec-from-file= --color[=] -S/--gpg-sign[=] > add > prune"},
	{"npm", `Frob it

Usage:
npm frob [<spec> ...]

Options:
[-S|--save|--no-save] [--omit <dev|peer> [--omit <dev|peer> ...]] [--json]
`, "-S --save --no-save --omit={dev,peer} --json"},
	{"bsd", "usage: frob [-46AaC] [-b addr] [-o opt=val] [-w local_tun[:remote_tun]]\n            destination [command [argument ...]]\n", "-4 -6 -A -a -C -b= -o= -w="},
	{"single dash", `Usage: req [options]

General options:
 -help                 Display this summary
 -keygen_engine val    Engine
 -inform PEM|DER       Input format - DER or PEM
 -new                  New request
 -in infile            Input
`, "-help -keygen_engine= -inform={PEM,DER} -new -in="},
	{"javac", `Usage: javac <options> <source files>
where possible options include:
  @<filename>                  Read options from file
  -Akey[=value]                Pass to processors
  -cp <path>
        Where to find classes
  -g:{lines,vars}              Some
  -nowarn                      None
  -parameters                  All
  -J<flag>                     Pass
`, "-A= -cp= -g={lines,vars} -nowarn -parameters -J="},
	{"go", "usage: go frob [-o output] [build flags]\n\nThe -x flag is prose.\n\n\t-C dir\n\t\tChange to dir.\n\t-p n\n\t\tthe number.\n\t-race\n\t\tenable race.\n\t-work\n\t\tprint.\n", "-C= -p= -race -work -o="},
	{"go flag", "Usage of frob:\n  -name string\n    \tthe name (default \"x\")\n  -n int\n    \tcount\n  -quiet\n    \tsay less\n  -v\tverbose\n", "-name= -n= -quiet -v"},
	{"terraform", `Usage: terraform [global options] frob [options]

Options:

  -refresh=false         Skip.

  -lock-timeout=0s       Duration.

  -var 'foo=bar'         Set.

  -var-file=filename     Load.

  -json                  Machine.
`, "-refresh -lock-timeout= -var= -var-file= -json"},
	{"aws", `FROB()                                                                  FROB()

NAME
       frob -

SYNOPSIS
            frob
          --stack-name <value>
          [--force-upload]

OPTIONS
       --stack-name (string) The name of the stack. See also the flag
       --other which is prose.

       --force-upload | --no-force-upload (boolean)

       Upload.

       --output (string)

       The format.

       o json

       o text

AVAILABLE COMMANDS
       o get

       o set-all
`, "--stack-name= --force-upload/--no-force-upload --output={json,text} > get > set-all"},
	{"busybox", "BusyBox v1.30\n\nUsage: frob [-la] [-n SEC] FILE\n\nFrob it\n\n\t-l\tLong\n\t-a\tAll\n\t-n SEC\tWait\n", "-l -a -n="},
	{"picocli", `Usage: frob [-hV] [-a=<algorithm>] <file>
Prints.
      <file>      The file
  -a, --algorithm=<algorithm>
                  MD5, SHA-1
  -h, --help      Show
  -V, --version   Print
`, "-a/--algorithm= -h/--help -V/--version"},
	{"docopt", `Naval Fate.

Usage:
  frob ship new <name>...
  frob mine (set|remove) <x> <y> [--moored | --drifting]

Options:
  -h --help     Show this screen.
  --speed=<kn>  Speed in knots [default: 10].
  --moored      Moored (anchored) mine.
  --drifting    Drifting mine.
`, "-h/--help --speed= --moored --drifting"},
	{"commander", `Usage: frob [options] [command]

Options:
  -V, --version          output the version number
  -p, --port <number>    port
  --no-sauce             Remove sauce
  -c, --cheese [type]    Add cheese
  --drink <size>         drink (choices: "small", "large")

Commands:
  serve [options]        Serve
  clone <source> [dest]  clone
`, `-V/--version -p/--port= --no-sauce -c/--cheese[=] --drink={small,large} > serve > clone`},
	{"yargs", `frob <command>

Commands:
  frob serve [port]  start the server
  frob stop          stop it

Options:
      --version  Show version number                                   [boolean]
  -c, --config   Path                                                   [string]
      --level    Level              [string] [choices: "low", "high"] [default: "low"]
  -v, --verbose  Say more                                              [boolean]
`, `--version -c/--config= --level={low,high} -v/--verbose > serve > stop`},
	{"oclif", `Frob it

USAGE
  $ frob deploy [PATH] [-f] [-n <value>]

ARGUMENTS
  PATH  where

FLAGS
  -f, --force          force
  -n, --name=<value>   name to print
      --env=<option>   [default: dev] <options: dev|prod>

COMMANDS
  deploy  Deploy
`, "-f/--force -n/--name= --env={dev,prod} > deploy"},
	{"dotnet", `Description:
  Frob

Usage:
  frob [command] [options]

Options:
  -o, --output <OUTPUT_DIR>  The output.
  --no-build                 Do not build.
  -v, --verbosity <LEVEL>    Set the level. Allowed values are q[uiet], m[inimal].
  -?, -h, --help             Show.

Commands:
  new <TEMPLATE>  Create
`, "-o/--output= --no-build -v/--verbosity={quiet,minimal} -?/-h/--help > new"},
	{"powershell", "Usage: frob\n\n  -Name <String>\n      The name.\n  -Force\n      Do it.\n  -Path <String[]>\n      Where.\n", "-Name= -Force -Path="},
	{"thor", `Commands:
  frob help [COMMAND]   # Describe
  frob install NAME     # Install one

Options:
  [--force], [--no-force]  # Force
  [--dir=DIR]              # Where
`, "--force/--no-force --dir= > help > install"},
	{"curl", `Usage: frob [options...] <url>
 -a, --append             Append
     --abstract-unix-socket <path> Connect via socket
     --anyauth            Pick
 -d, --data <data>        POST
`, "-a/--append --abstract-unix-socket= --anyauth -d/--data="},
	{"overstrike and colour", "Usage: frob [O\bOP\bPT\bT]\n\n  \x1b[1m-a\x1b[0m, \x1b[32m--all\x1b[0m   All\n  -\b--\b-o\bou\but\bt=_\bF_\bI_\bL_\bE   Out\n", "-a/--all --out="},
	{"crlf", "Usage: frob\r\n\r\nOptions:\r\n  -a, --all    All\r\n  -o FILE      Out\r\n", "-a/--all -o="},
	{"german", `Aufruf: frob [OPTION]... DATEI

Optionen:
  -a, --alle          alles
  -o, --ausgabe=DATEI in DATEI schreiben
`, "-a/--alle -o/--ausgabe="},
	{"decoys", `Usage: frob [OPTIONS]

  -a         all
  -NUM       same as -n NUM
  -n NUM     count

Notes:
  -> see the manual
  --------------------
  - a point
  -- another

Examples:
  frob --not-mine x
  --also-not-mine y

Run it with
--prose in the text, which is no option.
`, "-a -n="},
	{"tar", `Usage: frob [OPTION...]

 Main operation mode:

  -A, --catenate, --concatenate   append
      --checkpoint[=NUMBER]  display
  -f, --file=ARCHIVE         use
  -[0-7][lmh]                drive
`, "-A/--catenate/--concatenate --checkpoint[=] -f/--file="},
	{"sub-options in columns", `Usage: frob

  -p NUM  --strip=NUM  Strip NUM.
  -l  --ignore-whitespace  Ignore.
  --merge  Merge.
`, "-p/--strip= -l/--ignore-whitespace --merge"},
	{"titles behind examples", `Usage: frob [OPTION...] [FILE]...
Frob saves files.

Examples:
  frob -cf archive foo   # Create it.
  frob -tf archive       # List it.

 Main operation mode:
  -c, --create               create it
  -d, --diff, --compare      find differences
`, "-c/--create -d/--diff/--compare @ file"},
	{"names in two columns", `Usage: /usr/bin/frob [option(s)]
 The options are:
  -A|-B     --format={sysv|gnu}       Select output style
  -t        --totals                  Display the total sizes
  -f                                  Ignored.
            --common                  Display common symbols
            --target=<name>           Set the file format
  -h|-?     --help                    Display this
`, "-A/-B/--format={sysv,gnu} -t/--totals -f --common --target= -h/-?/--help"},
	{"a row over its column", `Usage:
 frob [options]

Options:
 -s, --shared             get a shared lock
 -E, --conflict-exit-code <number>  exit code after conflict
 -w, --timeout <secs>     wait for a time
     --verbose            say more
`, "-s/--shared -E/--conflict-exit-code= -w/--timeout= --verbose"},
	{"names with a part in brackets", `Usage: frob [options]
  -h, --[section-]headers  Show the headers
  -q, --[no-]quiet         Say less
  -<, --less-than=NUMBER   Print messages with less
  -s  --calm  --silent     Work silently
  -a - --every             Scan all
`, "-h/--headers/--section-headers -q/--quiet/--no-quiet -</--less-than= -s/--calm/--silent -a/--every"},
	{"brackets that hold what may stand there", `Usage: frob [options]
  --size-check=[error|warning]  Check sizes
  --abi [0-255]                 Set the version
  --colour[=WHEN]               Use colours
  --underline [bright] <colour> Set a colour
  --reverse  on|off             Swap
`, "--size-check={error,warning} --abi= --colour[=] --underline= --reverse={on,off}"},
	{"a value in one of two rows", `Usage: frob [options]
      --color                 use colours always
      --color=WHEN            use colours if WHEN
  -c, --check, --check=first  check for sorted input
  -j, --jobs                  how many at once
`, "--color[=] -c/--check[=] -j/--jobs"},
	{"names carried on by a comma", `Usage: frob [options]
      --colour[=WHEN],
      --color[=WHEN]        use markers
      --GTYPE-group-format=GFMT  format groups with GFMT
      --line-format=LFMT    format lines with LFMT
  -COLUMN, --columns=COLUMN
                            output in columns
  {--change-start|--adjust-start} <incr>
                            Add to the start
`, "--colour/--color[=] --line-format= --columns= --change-start/--adjust-start="},
	{"commands with long arguments", `frob [OPTIONS...] COMMAND ...

Frob sessions.

User Commands:
  list                     List users
  disable-linger [USER...] Disable lingering of users
  inspect SERVICE OBJECT [INTERFACE]
  -h --help                Show this
     --version             Show the version

Files read and commands executed:
   * system-wide init files: /etc/frob
`, "-h/--help --version > list > disable-linger > inspect"},
}

func TestLayouts(t *testing.T) {
	for _, x := range layouts {
		t.Run(x.name, func(t *testing.T) {
			path := []string{"frob"}
			switch x.name {
			case "git":
				path = []string{"git", "frob"}
			case "npm":
				path = []string{"npm", "frob"}
			case "aws":
				path = []string{"aws", "frob"}
			}
			n := Parse(x.text, path)
			checkFlags(t, n, x.want)
		})
	}
}

func checkFlags(t *testing.T, n *draft.Node, want string) {
	t.Helper()
	wanted := map[string]bool{}
	fields := strings.Fields(want)
	for i := 0; i < len(fields); i++ {
		w := fields[i]
		if w == ">" {
			i++
			if n.Sub(fields[i]) == nil {
				t.Errorf("no sub-command %s", fields[i])
			}
			wanted["> "+fields[i]] = true
			continue
		}
		if w == "@" {
			i++
			if len(n.Args) == 0 || !strings.EqualFold(n.Args[0].Name, fields[i]) {
				t.Errorf("arguments %+v, want %s", n.Args, fields[i])
			}
			continue
		}
		names, words, _ := strings.Cut(w, "={")
		arity := draft.None
		if bare, ok := strings.CutSuffix(names, "[=]"); ok {
			names, arity = bare, draft.Optional
		} else if bare, ok := strings.CutSuffix(names, "="); ok || words != "" {
			names, arity = bare, draft.Required
		}
		for name := range strings.SplitSeq(names, "/") {
			wanted[name] = true
			f := n.Flag(name)
			if f == nil {
				t.Errorf("%s is missing", name)
				continue
			}
			if f.Arity != arity {
				t.Errorf("%s takes %q, want %q", name, f.Arity, arity)
			}
			var have []string
			for _, v := range f.Values {
				have = append(have, v.Text)
			}
			if got := strings.Join(have, ","); got != strings.TrimSuffix(words, "}") {
				t.Errorf("%s has words %q, want %q", name, got, strings.TrimSuffix(words, "}"))
			}
		}
	}
	for _, f := range n.Flags {
		for _, name := range f.Names {
			if !wanted[name] {
				t.Errorf("%s is no option", name)
			}
		}
	}
	if strings.Contains(want, ">") {
		for _, s := range n.Subs {
			if !wanted["> "+s.Name] {
				t.Errorf("%s is no sub-command", s.Name)
			}
		}
	}
}
