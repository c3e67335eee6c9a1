# Completion of tmp for fish 3.1 and later.
#
# Source this file from ~/.config/fish/config.fish. It asks nothing when the
# shell starts: a directory with a line for each command that has a map is
# searched when such a command is completed, after your own completions and
# before those of fish. On a Tab tmp-tab is started once; if it is missing or
# fails, the completions of fish answer instead.
#
#   TMP_TAB_BIN   the tmp-tab to start; by default the one installed with this
#                 file, else the one found on PATH
#
# Every name in here may be a function of the user's own: see enter.fish.

if status is-interactive; and not set -q __tmp_tab_loaded
    set -g __tmp_tab_loaded 1
    set -gx TMP_HOOK "fish 1 $fish_pid" # for tmp doctor
    set -g __tmp_tab_bin tmp-tab
    set -g __tmp_tab_armed # where the last Tab held a risky match back
    set -g __tmp_tab_failed # set once a failure has been shown
    set -g __tmp_tab_noted # the last note that has been shown
    set -g __tmp_tab_dir ~/.local/share/tmp/fish
    if set -q TMP_DATA_DIR; and test -n "$TMP_DATA_DIR"
        set __tmp_tab_dir $TMP_DATA_DIR/fish
    else if set -q XDG_DATA_HOME; and test -n "$XDG_DATA_HOME"
        set __tmp_tab_dir $XDG_DATA_HOME/tmp/fish
    end
    if string match -q '*/share/tmp/hook.fish' -- (status filename)
        set -l beside (string replace -r '/share/tmp/hook\.fish$' /bin/tmp-tab -- (status filename))
        test -x $beside; and set __tmp_tab_bin $beside
    end

    # The tmp-tab to start.
    function __tmp_tab_program
        if set -q TMP_TAB_BIN; and test -n "$TMP_TAB_BIN"
            builtin echo $TMP_TAB_BIN
        else
            builtin echo $__tmp_tab_bin
        end
    end

    # Reads what is in its place then.
    function __tmp_tab
        eval $__tmp_tab_later
        set -e __tmp_tab_later
        __tmp_tab $argv
    end

    # Read on the first key:

    # Prints the candidates for the command line.
    function __tmp_tab --argument-names command
        # What CDPATH leads to is fish's to find.
        if builtin contains -- $command cd pushd; and set -q CDPATH[1]
            __tmp_tab_own $command
            return
        end
        set -l __tmp_left (builtin commandline -c | string collect)
        # What the variables hold that the line names. No other local may have the
        # name of one yet.
        set -l __tmp_names
        set -l __tmp_values
        if string match -q '*$*' -- $__tmp_left
            for __tmp_name in (string match -ra '\$[A-Za-z_][A-Za-z0-9_]*' -- $__tmp_left | string sub -s 2)
                test (count $$__tmp_name) -eq 1; or continue
                set -a __tmp_names $__tmp_name
                set -a __tmp_values $$__tmp_name
            end
        end
        set -l left $__tmp_left
        set -l bin (__tmp_tab_program)
        set -l word (builtin commandline -ct | string collect)
        set -l armed
        test "$__tmp_tab_armed" = "$left"; and set armed --armed
        set __tmp_tab_armed
        set -q __tmp_names[1]; and set -a armed --vars (count $__tmp_names)
        set -l columns 80
        set -q COLUMNS; and set columns $COLUMNS
        set -l reply
        # One processor: the others would each cost the program a thread and memory.
        command -sq $bin; and set reply (string join0 -- "$left" "" "$word" $__tmp_names $__tmp_values | GOMAXPROCS=1 command $bin --wire 1 --shell fish --columns $columns --cwd "$PWD" $armed 2>/dev/null)
        switch "$reply[1]"
            case 'ok*'
                set -l note (string replace -r '^ok.*? note ' '' -- $reply[1])
                set -l head (string replace -r ' note .*' '' -- $reply[1])
                # Of what is known not to be all fish's own of the command have more.
                if string match -q 'ok partial*' -- $head; and __tmp_tab_has $command
                    __tmp_tab_own $command
                    return
                end
                string match -q '* hold' -- $head; and set __tmp_tab_armed "$left"
                # A line within a quote goes on: fish closes the quote and adds a
                # blank, of which the blank is to stay.
                string match -q '* open' -- $head; and builtin commandline -f backward-char backward-delete-char forward-char
                if test "$note" != "$reply[1]" -a "$note" != "$__tmp_tab_noted"
                    set __tmp_tab_noted $note
                    __tmp_tab_say "tmp: $note"
                end
                test -z "$reply[2]"; or __tmp_tab_say $reply[2]
                if not string match -q '*'\x1e'*' -- $reply[3..-1]
                    string join \n -- $reply[3..-1]
                    return
                end
                # What stands for a newline in a name.
                set -l rows
                for row in $reply[3..-1]
                    set -a rows (string replace -a \x1e \n -- $row | string collect)
                end
                string join0 -- $rows | string split0
            case none
            case 'say *'
                __tmp_tab_say (string sub -s 5 -- $reply[1])
            case own
                __tmp_tab_own $command $reply[2..-1]
            case '*'
                if test -z "$__tmp_tab_failed"
                    set -g __tmp_tab_failed 1
                    __tmp_tab_say "tmp: $bin is missing or failed; fish completes by itself"
                end
                __tmp_tab_own $command
        end
    end

    # Whether there are completions of a command beside ours.
    function __tmp_tab_has --argument-names command
        for dir in $fish_complete_path
            test $dir != $__tmp_tab_dir -a -f $dir/$command.fish; and return
        end
        return 1
    end

    # Shows a line of text and has the prompt drawn again below it.
    function __tmp_tab_say
        builtin printf '\n%s\n' "$argv" >&2
        builtin commandline -f repaint
    end

    # Prints what fish says without us, of the lines of a command that the
    # first one runs, if there are any. Else our registration stands aside for
    # the completions that come after it on the path, and comes back.
    function __tmp_tab_own --argument-names command
        if set -q argv[2]
            __tmp_tab_theirs (string join \n -- $argv[2..-1] | string collect)
            return
        end
        set -l ours (builtin complete -c $command)
        builtin complete -e -c $command
        for dir in $fish_complete_path
            if test $dir != $__tmp_tab_dir -a -f $dir/$command.fish
                builtin source $dir/$command.fish
                break
            end
        end
        __tmp_tab_theirs (builtin commandline -c | string collect)
        builtin complete -e -c $command
        if set -q ours[1]
            string join \n -- $ours | builtin source
        else # a fish that does not list them
            builtin source $__tmp_tab_dir/$command.fish
        end
    end

    # Prints what fish completes of a line, as candidates of ours: those are parted by
    # more than the newlines that a name may have, and a ~ at the start of one would
    # be a home.
    function __tmp_tab_theirs --argument-names line
        set -l rows (builtin complete --escape -C $line 2>/dev/null)
        or set rows (builtin complete -C $line) # before fish 3.4
        if not string match -qr '\\\\' -- $rows
            string join \n -- $rows
            return
        end
        set -l typed (builtin commandline -ct | string collect)
        set -l all
        for row in $rows
            set -l text (string replace -r '\t.*' '' -- $row)
            if not string match -qr '\\\\' -- $text
                set -a all $row
                continue
            end
            set -l note (string match -r '\t.*' -- $row)
            # A name that begins with a dot fish offers only to one that is typed.
            if string match -qr '^\\\\~' -- $text; and not string match -qr '^[\\\\\'"]' -- $typed
                set text (string escape -n -- $PWD)/$text
            end
            set -a all (string unescape -- $text | string collect)"$note"
        end
        string join0 -- $all | string split0
    end

    # Read at the start:

    # After the user's own completions, which come first on the path.
    if not builtin contains -- $__tmp_tab_dir $fish_complete_path
        set -l own (builtin contains -i -- $__fish_config_dir/completions $fish_complete_path)
        or set own 0
        set -l before
        test $own -gt 0; and set before $fish_complete_path[1..$own]
        set -g fish_complete_path $before $__tmp_tab_dir $fish_complete_path[(builtin math $own + 1)..-1]
    end
    # Written when the map is built; here only if that has never been done.
    if not test -d $__tmp_tab_dir
        set -l bin (__tmp_tab_program)
        command -sq $bin; and command $bin --fish-files $__tmp_tab_dir 2>/dev/null
    end
end
