package help

import "testing"

// shapes are further layouts, each as one family of programs prints it.
var shapes = []struct{ name, text, want string }{
	{"groups below the title of the commands", `Frob keeps things

list of commands:

Creation:

 clone         make a copy of one
 init          create a new one in the given place

Manipulation:

 graft         copy changes from others

additional topics:

 dates         formats of dates
`, "> clone > init > graft"},
	{"commands that a title announces and blank lines part", `NAME
    frob - create and change things

SYNOPSIS
    frob GROUP | COMMAND [WIDE_FLAG ...]

GROUPS
    GROUP is one of the following:

     disks
        Read and change disks.

     images
        List and delete images.

COMMANDS
    COMMAND is one of the following:

     ssh
        Log in.
`, "> disks > images > ssh"},
	{"commands with a colon behind them", `Usage: frob COMMAND [...ARGS]

Available commands
------------------
allow [PATH]:
permit [PATH]:
  Grants permission to load it.
exec DIR COMMAND [...ARGS]:
  Runs a command.
prune:
  Removes old files.
`, "> allow > permit > exec > prune"},
	{"choices in rows below a sentence", `NAME
    frob - make

FLAGS
     --policy=POLICY
        What happens to it while the host is away. The default is MOVE.
        POLICY must be one of:

         MOVE
            It is moved. This may take its time and
            cost something.
         STOP
            It is stopped.

     --disk=[KEY=VALUE,...]
        The disk. The following keys are allowed:

         name
            Its name.

        For example:

          $ frob --disk=name=a

     --restart
        Enabled by default, use --no-restart to disable.
`, "--policy={MOVE,STOP} --disk= --restart/--no-restart"},
	{"options in two columns", `Usage: frob [-Z] [-opts[modifiers]] file [-d dir]
  The default is to extract.

  -p  extract files to a pipe, no text    -l  list files (short)
  -f  freshen files, create none          -t  test the data
  -u  update files, create if needed      -z  show the comment only
modifiers:
  -n  never overwrite files               -q  quiet mode (-qq => quieter)
  -o  overwrite files WITHOUT prompting   -a  convert text files
  -j  junk paths (do not make them)       -L  make names lowercase
`, "-p -l -f -t -u -z -n -q -o -a -j -L -Z -d="},
	{"Google's flags", `Script for things.

USAGE: frob [--global_flags] <command> [--command_flags] [args]

     --[no]batch: Whether to run in batch mode.
       (default: 'false')
     --api_version: API version to use.
       (default: 'v2')
     --[no]dry_run: Only check.
     --format: <none|json|csv>: Format of the output.
     -q,--[no]quiet: Say less.
`, "--batch/--nobatch --api_version= --dry_run/--nodry_run --format={none,json,csv} -q/--quiet/--noquiet"},
	{"types before the text", `frob/8.4.0

Usage:
  $ frob build [root]

Options:
  --target <target>      [string] transpile target of what is made (default: 'wide')
  --ssr [entry]          [string] build the entry for rendering on a server
  --minify [minifier]    [boolean | string] enable or disable minification
  --emptyOutDir          [boolean] force an empty directory
  --level <level>        [string] info | warn | error
`, "--target= --ssr[=] --minify[=] --emptyOutDir --level={info,warn,error}"},
	{"other names in the text", `Usage: frob [OPTIONS] URL

Options:
    --config-locations PATH   Where the main file is; can be used more than once
    --no-config-locations     Load none (default). (Alias: --no-config)
    --abort                   Stop. This is the opposite of going on
                              (Aliases: --no-skip, --halt)
    --sleep [TYPE:]EXPR       Time to sleep between tries
    --older <DUR>             Only older ones [aliases: before-then, --before]
    --no-match-filter         Do not use --match-filter (default)
    --match-filters FILTER    Generic filter
`, "--config-locations= --no-config-locations/--no-config --abort/--no-skip/--halt --sleep= --older/--before-then/--before= --no-match-filter --match-filters="},
	{"a value of two forms, and rows that run on", `usage: frob [-h] [URL]

Authentication:
  --auth USER[:PASS] | TOKEN, -a USER[:PASS] | TOKEN
      For authentication with a name, if
      only that is given (-a user) it asks.

Other:
  --dns /etc/resolv.conf   set custom servers
  --profit=QUERY --pnl     a query
  -D option                Set the value of an option, many times

Notes on it:
- The checks take time; they can be skipped using the
  --only option.

--exclude, --exclude-from, --exclude-if
and PATH have the same meaning as elsewhere.
`, "-h --auth/-a= --dns= --profit/--pnl= -D="},
	{"no value is shown", `Usage: frob [spec..]

Options:
  --bail, -b       Stop after the first failure
  --jobs, -j       Number of jobs at once
  --config         Path to the file
  --diff           Show the difference
  --retries        Try this many times  [default: 3]
  --ui, -u         Specify the interface
  --exit           Force it to quit
  --sort, -S       Sort the files
`, "--bail/-b --jobs/-j= --config= --diff --retries= --ui/-u= --exit --sort/-S"},
	{"choices in brackets around the default", `usage: frob [--log-level log-level] [--sizes SIZES]

options:
  --log-level log-level
                        log level (debug, info, warning, error)
                        (default "info")
  --sizes SIZES         which ones (large, small, medium) to make
`, "--log-level={debug,info,warning,error} --sizes="},
	{"letters of known options", `Usage: frob [-ifv[v]] [-c CONFFILE] [-1AaCx] [DIR]
or frob -d/-e STRING

	-i		Inetd mode
	-f		Run in foreground
	-v[v]		Say more
	-name X		By its name
	-path X		By its path
	-empty		Empty ones
	-1		One column
	-A		Almost all
	-a		All
	-C		Columns
	-x		By lines
	-c CONFFILE	Its file
	-d STRING	Decode
`, "-i -f -v -name= -path= -empty -1 -A -a -C -x -c= -d= -e="},
	{"a short and a long name that only the usage tells", `Usage: frob [-n|--dry-run] [-o|--out FILE] [-q|--no-wait] [-a|-b] TARGET
`, "-n/--dry-run -o/--out= -q --no-wait -a -b"},
	{"objects with their verbs in braces", `Usage: frob address {add|change|replace} ADDR dev NAME [ LIFETIME ]
       frob address del ADDR dev NAME
       frob address {save|flush} [ dev NAME ]
       frob address [ show [ dev NAME ] ]
`, "> add > change > replace > del > save > flush > show"},
}

func TestShapes(t *testing.T) {
	for _, x := range shapes {
		t.Run(x.name, func(t *testing.T) {
			path := []string{"frob"}
			if x.name == "objects with their verbs in braces" {
				path = []string{"frob", "addr"}
			}
			checkFlags(t, Parse(x.text, path), x.want)
		})
	}
}
