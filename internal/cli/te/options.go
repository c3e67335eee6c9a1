package te

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// options are te's own, which stand before the command.
type options struct {
	raw      bool
	json     bool
	help     bool
	version  bool
	handle   string
	isHandle bool
	chunk    int64
	hasChunk bool
	maxChars int // -1 if it is not given
	timeout  time.Duration
	timed    bool // timeout is given
	command  string
	args     []string
}

var errUsage = errors.New("usage")

func usageError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errUsage}, args...)...)
}

// parseOptions reads te's options up to the command; all after it is the tool's.
func parseOptions(args []string) (o options, err error) {
	o.maxChars = -1
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			i++
			if i == len(args) {
				break
			}
			o.command, o.args = args[i], args[i+1:]
			break
		}
		if len(a) < 2 || a[0] != '-' {
			o.command, o.args = a, args[i+1:]
			break
		}
		name, val, has := strings.Cut(a, "=")
		take := func() (string, error) {
			if has {
				return val, nil
			}
			if i+1 == len(args) {
				return "", usageError("%s needs a value", name)
			}
			i++
			return args[i], nil
		}
		if err := o.set(name, has, take); err != nil {
			return o, err
		}
	}
	return o, o.check()
}

func (o *options) set(name string, has bool, take func() (string, error)) error {
	flags := map[string]*bool{"-i": &o.raw, "--raw": &o.raw, "--json": &o.json, "--help": &o.help, "--version": &o.version}
	if f := flags[name]; f != nil {
		if has {
			return usageError("%s takes no value", name)
		}
		*f = true
		return nil
	}
	switch name {
	case "--handle", "--chunk", "--max-chars", "--timeout":
	default:
		return usageError("unknown option %s", name)
	}
	v, err := take()
	if err != nil {
		return err
	}
	switch name {
	case "--handle":
		o.handle, o.isHandle = v, true
	case "--chunk":
		o.hasChunk = true
		if o.chunk, err = wholeNumber(v); err != nil {
			return usageError("--chunk: %q is not a number", v)
		}
	case "--max-chars":
		n, err := wholeNumber(v)
		if err != nil {
			return usageError("--max-chars: %q is not a number", v)
		}
		o.maxChars = int(min(n, math.MaxInt32))
	case "--timeout":
		if o.timeout, err = duration(v); err != nil {
			return usageError("--timeout: %q is not a time such as 5s", v)
		}
		o.timed = true
	}
	return nil
}

// wholeNumber reads digits; what is too large is as large as can be.
func wholeNumber(s string) (int64, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, errUsage
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return math.MaxInt64, nil
	}
	return n, nil
}

// duration reads a time as timeout(1) does (seconds, or with s, m, h, d), or as "500ms".
func duration(s string) (time.Duration, error) {
	text, unit := s, time.Second
	switch {
	case strings.HasSuffix(s, "ms"):
		text, unit = s[:len(s)-2], time.Millisecond
	case strings.HasSuffix(s, "s"):
		text = s[:len(s)-1]
	case strings.HasSuffix(s, "m"):
		text, unit = s[:len(s)-1], time.Minute
	case strings.HasSuffix(s, "h"):
		text, unit = s[:len(s)-1], time.Hour
	case strings.HasSuffix(s, "d"):
		text, unit = s[:len(s)-1], 24*time.Hour
	}
	if text == "" || strings.Trim(text, "0123456789.") != "" {
		if d, err := time.ParseDuration(s); err == nil && d >= 0 {
			return d, nil
		}
		return 0, errUsage
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, errUsage
	}
	return time.Duration(math.Min(n*float64(unit), math.MaxInt64/2)), nil
}

// check looks at which options go together.
func (o *options) check() error {
	switch {
	case o.help || o.version:
	case o.isHandle && o.command != "":
		return usageError("--handle goes with no command")
	case o.hasChunk && !o.isHandle:
		return usageError("--chunk goes with --handle")
	case o.isHandle && o.raw && o.hasChunk:
		return usageError("-i --handle gives all of it: no --chunk")
	case !o.isHandle && o.command == "":
		return usageError("no command: te [OPTION…] COMMAND [ARG…]")
	}
	return nil
}
