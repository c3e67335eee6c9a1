# The Enter key of tmp for fish 3.4 and later.
#
# Source this file from ~/.config/fish/config.fish. On Enter it starts
# tmp-enter, which judges the line; a line that would destroy something is asked
# about before fish gets it. If tmp-enter is missing or fails, the line runs,
# with one notice.
#
#   TMP_CHECK=off cmd …    typed before one simple command: not judged
#   tmp off -- line        the same for a line
#   tmp pause [minutes]    judge nothing in this shell; tmp resume
#
# Every name in here may be a function of the user's own: builtins are called by
# "builtin", programs by "command". Names that fish keeps to itself (set, test,
# string, status, read …) need neither.

if status is-interactive; and not set -q __tmp_enter_loaded
    set -g __tmp_enter_loaded 1
    set -gx TMP_ENTER_HOOK "fish 1 $fish_pid on" # for tmp doctor
    set -g __tmp_enter_bin tmp-enter
    set -g __tmp_enter_text # the line that may run
    set -g __tmp_enter_expanded # where an abbreviation was to be expanded: the line and the cursor
    set -g __tmp_enter_off # paused: until this time in seconds, or "on"
    set -g __tmp_enter_failed # set once a failure has been shown, until it is mended
    set -g __tmp_enter_missed # set once an unjudged line has been noticed, until one is judged
    if string match -q '*/share/tmp/hook.fish' -- (status filename)
        set -l beside (string replace -r '/share/tmp/hook\.fish$' /bin/tmp-enter -- (status filename))
        test -x $beside; and set __tmp_enter_bin $beside
    end

    # Each of these reads what is in its place then.
    function __tmp_enter
        eval $__tmp_enter_later
        set -e __tmp_enter_later
        __tmp_enter
    end
    function __tmp_enter_state
        eval $__tmp_enter_later
        set -e __tmp_enter_later
        __tmp_enter_state
    end
    function __tmp_enter_pause
        eval $__tmp_enter_later
        set -e __tmp_enter_later
        __tmp_enter_pause $argv
    end

    # Read on the first key:

    # What Enter does.
    function __tmp_enter
        # Not for read; and what is not finished or not valid does not run.
        if test "$(status current-command)" != fish
            builtin commandline -f execute
            return
        end
        builtin commandline --is-valid
        if test $status -ne 0
            builtin commandline -f execute
            return
        end
        set -l line (builtin commandline -b | string collect)
        set -l variables
        set -l functions
        if not __tmp_enter_expand
            # What the abbreviation gives cannot be known before. If it gives
            # nothing, the next Enter finds everything as it was.
            set -l here (builtin commandline -C)"$line"
            if test "$__tmp_enter_expanded" != "$here"
                set -g __tmp_enter_expanded $here
                builtin commandline -f expand-abbr
                return
            end
        end
        set -g __tmp_enter_expanded
        set -g __tmp_enter_text $line
        if test -n "$__tmp_enter_off"; and __tmp_enter_paused
            builtin commandline -f execute
            return
        end
        if not command -sq $__tmp_enter_bin
            __tmp_enter_fail "$__tmp_enter_bin is not there"
            builtin commandline -f execute
            return
        end
        if test (string length -- "$line") -le 65536 # a longer one is not judged by what it holds
            __tmp_enter_variables
            __tmp_enter_functions
        end
        # Ctrl-C goes to fish too, and would end this function here.
        function __tmp_enter_interrupt --on-signal INT
        end
        set -l arguments --shell fish --aliases 0 --variables (builtin count $variables) --functions (builtin count $functions)
        string join0 -- "$line" $variables $functions | GOMAXPROCS=1 command $__tmp_enter_bin $arguments --silent
        set -l code $status
        if test $code -eq 13 # there is something to ask or to say
            # With a list below the line, Enter may only choose from it: it
            # closes the list, and the next one asks.
            if builtin commandline --paging-mode
                builtin functions -e __tmp_enter_interrupt
                set -g __tmp_enter_text
                builtin commandline -i ' '
                builtin commandline -f backward-delete-char
                return
            end
            # What fish suggests stands right of a cursor at the end, and would
            # look like a part of what is asked about.
            if test (builtin commandline -C) -eq (string length -- (builtin commandline -b | string collect)) -a "$TERM" != dumb
                builtin printf '\e[J'
            end
            # Below the last row of the line.
            string repeat -n (builtin math (builtin commandline -b | builtin count) - (builtin commandline -L)) \n
            set -l tty (command stty -g 2>/dev/null </dev/tty)
            set -l reply (string join0 -- "$line" $variables $functions | GOMAXPROCS=1 command $__tmp_enter_bin $arguments 3>&1 >&2)
            set code $status
            if not builtin contains -- $code 0 10 11 12 130 # killed, with the terminal as it had it
                test -n "$tty"; and command stty $tty </dev/tty 2>/dev/null
                builtin printf '\ntmp: not run: %s ended without an answer (status %s); tmp off -- runs a line unasked\n' $__tmp_enter_bin $code >&2
                set code 10
            end
            if test $code -eq 11
                builtin commandline -r -- (string join \n -- $reply | string collect)
            else if test $code -eq 10 -a "$reply" = ended # nobody is there to change it
                builtin commandline -r ''
                builtin echo 'tmp: that line is not run but dropped: its input has ended, or is no terminal' >&2
            end
            builtin echo
            builtin commandline -f repaint
        end
        builtin functions -e __tmp_enter_interrupt
        switch $code
            case 0
                set __tmp_enter_failed
                builtin commandline -f execute
            case 10 11
                set __tmp_enter_text
            case 130
                set __tmp_enter_text
                builtin echo
                builtin commandline -f repaint
            case 12 # fish knows better: it said that the line is whole
                set __tmp_enter_text
                builtin commandline -f execute
            case '*'
                __tmp_enter_fail "$__tmp_enter_bin failed (status $code)"
                builtin commandline -f execute
        end
    end

    # Prints the abbreviations: abbr is a builtin from 3.6 on.
    if builtin contains abbr (builtin -n)
        function __tmp_enter_abbr
            builtin abbr --show
        end
    else
        function __tmp_enter_abbr
            abbr --show
        end
    end

    # Expands the abbreviation at the cursor in line, as fish will do before it
    # runs it. Fails if what it gives cannot be known.
    function __tmp_enter_expand --no-scope-shadowing
        set -l token (builtin commandline -t | string collect)
        test -n "$token"; or return 0
        set -l name (string escape -- $token)
        set -l known (__tmp_enter_abbr | string match -r -- '^.* -- '(string escape --style=regex -- $name)'(?: .*)?$|^.*--(?:regex|command) .*')
        or return 0
        set -l before (builtin commandline -cpo)
        while set -q before[1]; and string match -qr -- '^(?:and|or|not|!|if|while|else|begin|time|case|[A-Za-z_][A-Za-z0-9_]*=.*)$' $before[1]
            set -e before[1]
        end
        for definition in $known
            set -l parts (string split -m 1 ' -- ' -- $definition)
            string match -q -- '*--position anywhere*' $parts[1]
            or string match -q -- '*--command *' $parts[1]
            or test (builtin count $before) -eq 0
            or continue
            set -l regex (string match -rg -- "--regex ('(?:[^'\\\\]|\\\\.)*'|\\S+)" $parts[1])
            if test -n "$regex"
                string match -qr -- '^(?:'(string unescape -- $regex)')$' $token; and return 1
                continue
            end
            set -l words (string match -rg -- "^('(?:[^'\\\\]|\\\\.)*'|\\S+) ?(.*)\$" $parts[2])
            test (string unescape -- $words[1]) = $token; or continue
            string match -qr -- '--(?:function|set-cursor|command)' $parts[1]; and return 1
            set -l left (builtin math (builtin commandline -C) - (string length -- (builtin commandline -ct | string collect)))
            set -l right (builtin math $left + 1 + (string length -- $token))
            set line (string sub -l $left -- $line | string collect)(string unescape -- $words[2])(string sub -s $right -- $line | string collect)
            return 0
        end
        return 0
    end

    # Adds name=value of the variables that the line names.
    function __tmp_enter_variables --no-scope-shadowing
        for __tmp_name in (string match -arg -- '\$([A-Za-z0-9_]+)' "$line")[1..64]
            string match -q '__tmp_*' -- $__tmp_name; and continue
            set -q $__tmp_name; and set -a variables $__tmp_name=(string join ' ' -- $$__tmp_name | string collect)
        end
    end

    # Adds name=body of the user's functions that the line names, and of those
    # that they name.
    function __tmp_enter_functions --no-scope-shadowing
        set -l seen tmp
        set -l text $line
        while test -n "$text"
            set -l next ''
            for word in (string match -ar -- '[^\s;|&()<>"\'$]+' "$text")
                builtin contains -- $word $seen; and continue
                set -a seen $word
                builtin functions -q -- $word; or continue
                set -l from (builtin functions --details -- $word)
                string match -q -- "$__fish_data_dir/*" $from; and continue
                string match -q -- 'embedded:*' $from; and continue
                set -l body (builtin functions --no-details -- $word)[2..-2]
                set body (string join \n -- $body | string collect)
                test (string length -- "$body") -le 16384; or continue
                set -a functions "$word=$body"
                set next "$next $body"
                test (builtin count $functions) -lt 32; or return
            end
            set text (string trim -- $next | string collect)
        end
    end

    # Whether judging is paused.
    function __tmp_enter_paused
        test "$__tmp_enter_off" = on; and return 0
        test (command date +%s) -lt $__tmp_enter_off; and return 0
        set -g __tmp_enter_off
        return 1
    end

    function __tmp_enter_fail
        test -z "$__tmp_enter_failed"; or return 0
        set -g __tmp_enter_failed 1
        builtin printf '\ntmp: this line was not judged: %s\n' "$argv[1]" >&2
        builtin commandline -f repaint
    end

    # Says for tmp doctor how it stands with Enter: on, paused or taken.
    function __tmp_enter_state
        set -l state on
        set -l mode default
        builtin contains -- "$fish_bind_mode" default insert; and set mode $fish_bind_mode
        if not string match -q '*__tmp_enter*' -- (builtin bind --user -M $mode \r 2>/dev/null)
            set state taken
        else if test -n "$__tmp_enter_off"; and __tmp_enter_paused
            set state paused
            test "$__tmp_enter_off" = on; or set state paused:$__tmp_enter_off
        end
        set -gx TMP_ENTER_HOOK "fish 1 $fish_pid $state"
    end

    function __tmp_enter_pause
        if set -q TMP_AGENT_ID; and test -n "$TMP_AGENT_ID"
            builtin echo 'tmp pause: not for an agent' >&2
            return 1
        else if test -z "$argv[1]"
            set -g __tmp_enter_off on
            builtin echo 'tmp: Enter is not judged in this shell until tmp resume'
        else if not string match -qr '^[0-9]{1,6}$' -- $argv[1]
            builtin echo 'tmp pause: want a number of minutes' >&2
            return 2
        else
            set -g __tmp_enter_off (builtin math (command date +%s) + 60 x $argv[1])
            builtin echo "tmp: Enter is not judged in this shell for $argv[1] minutes"
        end
    end

    # Read at the start:

    # Notices a line that runs without a verdict.
    function __tmp_enter_preexec --on-event fish_preexec
        builtin functions -q __tmp_enter_interrupt; and builtin functions -e __tmp_enter_interrupt
        set -l ran (string trim -- "$argv[1]" | string collect)
        set -l may (string trim -- "$__tmp_enter_text" | string collect)
        set -g __tmp_enter_text
        if test "$ran" = "$may"
            set -g __tmp_enter_missed
        else if test -z "$__tmp_enter_missed"
            set -g __tmp_enter_missed 1
            builtin echo "tmp: this line was not judged: it did not come through tmp's Enter (tmp doctor)" >&2
        end
    end

    # A key that the user has given another meaning keeps it.
    for mode in default insert
        for key in \r \n
            set -l was (builtin bind --user -M $mode $key 2>/dev/null)
            if test -z "$was"; or string match -q '* execute' -- "$was"
                builtin bind -M $mode $key __tmp_enter
            else if test $mode$key = default\r
                builtin echo "tmp: Enter is not judged: it is bound to something of your own ($was; see tmp doctor)" >&2
            end
        end
    end

    # tmp, with what only the shell itself can do. A function of the user's own
    # by that name stays.
    if not builtin functions -q tmp
        function tmp
            switch "$argv[1],$argv[2]"
                case 'off,--'
                    if test (builtin count $argv) -eq 3
                        eval $argv[3]
                    else
                        $argv[3..-1]
                    end
                case 'pause,-*' 'resume,-*'
                    command tmp $argv
                case 'pause,*'
                    __tmp_enter_pause $argv[2]
                case 'resume,*'
                    set -g __tmp_enter_off
                    builtin echo 'tmp: Enter is judged in this shell'
                case 'doctor,*'
                    __tmp_enter_state
                    command tmp $argv
                case '*'
                    command tmp $argv
            end
        end
    end
end
