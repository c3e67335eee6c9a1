package help

import "testing"

// frameworks are layouts of libraries that print help in a way of their own;
// want is written as in layouts.
var frameworks = []struct {
	name string
	path []string
	text string
	want string
}{
	{"Symfony Console", []string{"frob", "migrate"}, `Description:
  Run them

Usage:
  migrate [options]

Options:
      --path[=PATH]     The paths to use (multiple values allowed)
      --ansi|--no-ansi  Force (or disable --no-ansi) ANSI output
      --env=ENV         Where
  -v|vv|vvv, --verbose  Increase the verbosity: 1 for normal output, 2 for more and 3 for debug
`, "--path[=] --ansi/--no-ansi --env= -v/--verbose"},
	{"Abseil's flags", nil, `frob: Serves it.

  Flags from server/main.cc:
    --level (Severity at which to log); default: INFO;
    --names (Comma-separated list of the names that are served [use
      'export FLAGS_names=x']); default: ;
    --verbose (Whether to log all of it); default: false;
`, "--level= --names= --verbose"},
	{"Dart's args", nil, `Create a new project.

Usage: frob create [arguments] <directory>
-h, --help                     Print this usage information.
-t, --template                 The template to use.

          [cli]                A command-line application.
          [web] (default)      A web app.

    --[no-]pub                 Whether to get it all.
                               (defaults to on)
    --width                    Try to keep lines no longer than this.
                               (defaults to "80")
-l, --line-length=<number>     Wrap lines longer than this.
`, "-h/--help -t/--template={cli,web} --no-pub/--pub --width= -l/--line-length="},
	{"points of a list", nil, `Creates a new project.

## Options

  • --umbrella - make several at once
  • --database - specify the adapter. One of:
    • postgres - via one
    • mysql - via another
  • --install / --no-install - whether to install
  • -v, --version - prints the version
`, "--umbrella --database={postgres,mysql} --install/--no-install -v/--version"},
	{"Thor", []string{"frob", "generate"}, `Usage:
  frob generate NAME

Options:
  [--from=FROM]                            # Where from
  -f, [--force], [--no-force]              # Overwrite
  [--lang=LANG]                            # Which language
                                           # Default: ruby
                                           # Possible values: ruby, go
  [--test], [--no-test], [--skip-test]     # Write tests
  -q, [--quiet], [--no-quiet], [--skip-quiet]  # Say nothing
`, "--from= -f/--force/--no-force --lang={ruby,go} --test/--no-test/--skip-test -q/--quiet/--no-quiet/--skip-quiet @ name"},
	{"Nim", nil, `Options:
  -p, --path:PATH           add path to search paths
  -d, --define:SYMBOL(:VAL)
                            define a conditional symbol
  -f, --force:on|off        force it
  --opt:none|speed|size     optimize for that
                            Note: use -d:release for a release build!
  --dir:dirname             set the directory
`, "-p/--path= -d/--define= -f/--force={on,off} --opt={none,speed,size} --dir="},
	{"argh", nil, `Usage: frob [-j] --height <height> [--name <name>] <file>

Options:
  -j, --jump        whether or not to jump
  --height          how high to go
  --name            an optional name
  --help            display usage information
`, "-j/--jump --height= --name= --help @ file"},
	{"clipanion", []string{"frob", "add"}, `━━━ Options ━━━━━━━━━━━━━━━━━━━━━━━━━━━━

  --json              Format the output as NDJSON
  -D,--dev            Add it as another
  --cwd #0            Where to run it
`, "--json -D/--dev --cwd="},
	{"PowerShell", nil, `PARAMETERS
    -Path <string[]>
        Specifies a path.

    -Recurse [<SwitchParameter>]
        Gets them all.

    -Force [<SwitchParameter>]
        Gets hidden items too.
`, "-Path= -Recurse -Force"},
	{"an argument with its text below is no command", nil, `POSITIONAL ARGUMENTS
    NAME
        whom

FLAGS
    -c, --count=COUNT
        how often
`, "-c/--count= @ NAME"},
	{"other names that are also accepted", nil, `Flags:
     --date2                 match the other date. (--effective, --aux-date
                             also accepted)
     --today=DATE            override it
`, "--date2/--effective/--aux-date --today="},
	{"a command that is the default, and one with a slash", nil, `Command:
    build                    build an executable
    i/interactive            starts it
    run (default)            build and run
`, "> build > i > interactive > run"},
	{"JCommander", nil, `Usage: frob [options] [command] [command options]
  Options:
    -debug
      Debug mode
      Default: false
    * -host
      The host to connect to
      Default: localhost
    -log, -verbose
      Level of verbosity
      Default: 1
  Commands:
    add      Add it
      Usage: add [options] Files
        Options:
          -i
            Default: false

    commit      Record it
      Usage: commit [options] Files
        Options:
          --amend
            Amend
            Default: false
`, "-debug -host= -log/-verbose= > add > commit"},
	{"scopt", nil, `Usage: frob [update] [options]

  -f, --foo <value>        an integer
  --verbose                a flag

Command: update [options]
update is a command.
  --xyz <value>            a property
`, "-f/--foo= --verbose > update"},
	{"groups of commands by their first word", nil, `Available commands:
  apply            Apply them.

schema
  schema:describe  Describe it.
  schema:dump      Dump it.
`, "> apply > schema:describe > schema:dump"},
	{"names that end at one column", nil, `OPTIONS

            --cwd=<directory>    Where
  --level=<silent|info|verbose>    How much

COMMANDS

         add    Add one
     analyze    Look at it
       build    Make it

Use frob <command> --help for more.
`, "--cwd= --level={silent,info,verbose} > add > analyze > build"},
	{"options below the row of a command", nil, `Commands:
  install      [name, ...]        Installs them.
               [-d, --deps]       Installs what they need.
  list                            Lists them.

Options:
  -y, --accept                    Accept all.
`, "-y/--accept > install > list"},
	{"a value where the row runs over", nil, ` -force xxx          force changes
 -path xxx           path to use
 -root xxx           root of it
 -nocreationpartial xxx add a pattern
 -batch              ask nothing
`, "-force= -path= -root= -nocreationpartial= -batch"},
	{"letters that share a value", nil, `usage: frob [-Aa] [-gG GROUP,] [-p PID,]

-A  All                         -a  Has a terminal
-g  In GROUPs                   -G  In real GROUPs
-p  PIDs                        -x  More
`, "-A -a -g= -G= -p= -x"},
	{"commander", nil, `Options:
  --before [string]                           Print a comment before it all, wherever.
  -s, --source-maps [true|false|inline|both]
  --kind [alpha|beta]
  --level [warn]                              How much
`, "--before[=] -s/--source-maps[=]={true,false,inline,both} --kind={alpha,beta} --level[=]"},
	{"words that may be shortened, and others", nil, `Options:
  -v, --verbosity <LEVEL>   Set it. Allowed values are q[uiet], n[ormal], and diag[nostic].
  --sub <X>                 Must be one of [status scale].
  --colors <X>              on, off, or auto (default: auto)
  -f <format>               Valid values: xml, plain for the two loggers.
  --minify [m]              [boolean | "oxc" | "terser"] make it small
  --impl <type>             Which to use:
                            rimraf: the best (default)
                            native: the other
  --color <WHEN>            Should it use codes.
                            'auto' (default): whenever it can.
                            'always' or 'yes': always
`, "-v/--verbosity={quiet,normal,diagnostic} --sub={status,scale} --colors={on,off,auto} -f={xml,plain} --minify[=]={oxc,terser} --impl={rimraf,native} --color={auto,always,yes}"},
	{"a manual in justified lines", []string{"aws", "frob"}, `OPTIONS
       --acl (string) Sets it when  the  command  is  per-
       formed. Only  accepts  values  of  private, authenti-
       cated-read and log-delivery-write. See there

       --conflict (string) Configures behaviour when attempting  to  down-
       load  multiple  objects. Valid values are:

          o error - Raise an error.

          o skip - Skip it.

       --skeleton (string) Prints one. If provided with the value input,
       prints a sample. If provided with the value output, it validates.

       --debug (boolean)
`, "--acl={private,authenticated-read,log-delivery-write} --conflict={error,skip} --skeleton={input,output} --debug"},
	{"Typer's boxes", []string{"frob", "create"}, `
 Usage: frob create [OPTIONS] USERNAME

 Create a new user.

╭─ Arguments ──────────────────────────────────────────────────────────────────╮
│ *    username      TEXT  The user [default: None] [required]                 │
╰──────────────────────────────────────────────────────────────────────────────╯
╭─ Options ────────────────────────────────────────────────────────────────────╮
│ *  --age      -a                  INTEGER RANGE [0<=x<=150]  How old         │
│                                                              [required]      │
│    --formal   -f  --informal  -F                             Say formally.   │
│    --mode                         [fast|slow]                How to do it    │
│    --shell                        [bash|zsh|fish|powershell  Install it for  │
│                                   |pwsh]                     the shell       │
│    --help                                                    Show this.      │
╰──────────────────────────────────────────────────────────────────────────────╯
╭─ Secondary Arguments ────────────────────────────────────────────────────────╮
│ --lastname        TEXT  Last name of person to greet.                        │
╰──────────────────────────────────────────────────────────────────────────────╯
`, "-a/--age= -f/--formal/-F/--informal --mode={fast,slow} --shell={bash,zsh,fish,powershell,pwsh} --lastname= --help @ username"},
	{"Typer's commands", nil, ` Usage: frob [OPTIONS] COMMAND [ARGS]...

╭─ Commands ───────────────────────────────────────────────────────────────────╮
│ create            Create a new user.                                         │
│ old-cmd           Old one.                                 (deprecated)      │
╰──────────────────────────────────────────────────────────────────────────────╯
`, "> create > old-cmd"},
	{"absl-py", nil, `flags:

frob.py:
  --age: Your age in years.
    (a non-negative integer)
  -d,--[no]debug: Produces debugging output.
    (default: 'false')
  --job: <running|stopped>: Job status.
    (default: 'running')

Try --helpfull to get a list of all flags.
`, "--age= -d/--debug/--nodebug --job={running,stopped}"},
	{"on and off", nil, `Options:
  -Y on/off     Use proxy
  --pipe "DIR" "LOG" Starts it there
  -q            Quiet
`, "-Y={on,off} --pipe= -q"},
}

func TestFrameworks(t *testing.T) {
	for _, x := range frameworks {
		t.Run(x.name, func(t *testing.T) {
			path := x.path
			if path == nil {
				path = []string{"frob"}
			}
			checkFlags(t, Parse(x.text, path), x.want)
		})
	}
}
