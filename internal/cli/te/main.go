package te

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/envelope"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/version"
)

// The statuses of te's own; all others are the tool's.
const (
	statusUsage   = 2 // of te's options, and about handles
	statusTimeout = 124
	statusFailed  = 125
	statusMissing = 127
)

// Main runs te and returns its exit status.
func Main(env Env) (status int) {
	// Results may be long, and the memory is not to grow with them.
	debug.SetGCPercent(60)
	debug.SetMemoryLimit(40 << 20)
	c := &call{Env: env, began: env.Now(), paths: place.Find(env.Getenv)}
	var err error
	c.options, err = parseOptions(env.Args)
	switch {
	case err == nil && c.options.help:
		fmt.Fprint(env.Stdout, help)
		return 0
	case err == nil && c.options.version:
		fmt.Fprintln(env.Stdout, "te", version.Text())
		return 0
	}
	c.identify()
	var fault string
	c.settings, fault = readSettings(c.paths.Settings())
	if fault != "" {
		fmt.Fprintln(env.Stderr, "te:", fault)
	}
	c.event.cmd = c.options.command
	defer c.record(&status)
	defer func() {
		if r := recover(); r != nil {
			status = c.broken(fmt.Errorf("%v", r))
		}
	}()
	survive()
	if err != nil {
		return c.fail(c.options.command, envelope.Usage, strings.TrimPrefix(err.Error(), "usage: "), statusUsage)
	}
	return c.dispatch()
}

// enveloped are the commands whose output te reads, with the reader of their arguments;
// formed says that options change content that is read from files otherwise.
var enveloped = map[string]func(args []string, w envelope.World) (k *envelope.Call, formed bool){
	"grep": func(args []string, w envelope.World) (*envelope.Call, bool) { return envelope.GrepCall(args, w), false },
	"rg":   func(args []string, w envelope.World) (*envelope.Call, bool) { return envelope.RgCall(args, w), false },
	"find": func(args []string, _ envelope.World) (*envelope.Call, bool) { return envelope.FindCall(args), false },
	"cat":  envelope.CatCall,
}

// others are te's other commands.
var others = map[string]func(c *call, args []string) int{
	"run":     (*call).tmpRun,
	"handles": (*call).handles,
	"coach":   (*call).coach,
	"rag":     (*call).rag,
}

func (c *call) dispatch() int {
	o := &c.options
	if o.isHandle {
		return c.handle()
	}
	if read := enveloped[o.command]; read != nil {
		return c.tool(read(o.args, envelope.World{Posix: c.posix(), NoInput: c.noInput(), IsDir: isDir, Unlikely: unlikely()}))
	}
	if run := others[o.command]; run != nil {
		return run(c, o.args)
	}
	return c.fail(o.command, envelope.Usage, "no such command: "+o.command, statusUsage)
}

// rag would search an index of the text. There is none: one that was tried named a third
// of the files that a change touches among its first ten, and grep of the same words a
// fifth, which is not worth an index.
func (c *call) rag([]string) int { return c.fail("rag", envelope.NoIndex, "", statusFailed) }

// tool runs a command whose output te envelopes, or passes on as it is.
func (c *call) tool(k *envelope.Call, formed bool) int {
	o := &c.options
	if c.outside(k) {
		return c.fail(k.Cmd, envelope.OutsideRoot, "", statusFailed)
	}
	if o.raw || k.Raw || !c.settings.Enabled || c.through(o.command) != nil {
		return c.raw(o.command, o.args)
	}
	path, err := c.lookup(o.command)
	if err != nil {
		return c.missing(o.command)
	}
	c.event.mode = "enriched"
	if o.command == "cat" {
		return c.cat(k, path, formed)
	}
	return c.search(k, path)
}

// posix reports whether POSIXLY_CORRECT is set, be it to nothing.
func (c *call) posix() bool {
	for _, e := range c.Environ {
		if strings.HasPrefix(e, "POSIXLY_CORRECT=") {
			return true
		}
	}
	return false
}

// raw puts the tool in our place. It comes back only if that fails.
func (c *call) raw(command string, args []string) int {
	c.event.mode = "raw"
	if c.options.timed && c.options.timeout > 0 && c.options.raw {
		return c.rawTimed(command, args)
	}
	if _, err := c.lookup(command); err != nil {
		return c.missing(command)
	}
	c.recordRaw()
	err := c.exec(command, args)
	return c.fail(command, envelope.Internal, "cannot start "+command+": "+err.Error(), statusFailed)
}

// tmpRun is tmp run: its plan, its gate, its answer, by the program beside this one.
func (c *call) tmpRun(args []string) int {
	own := []string{"tmp", "run"}
	if c.options.json {
		own = append(own, "--json")
	}
	c.event.mode = "raw"
	path, err := c.beside("tmp")
	if err != nil {
		return c.missing("tmp")
	}
	c.recordRaw()
	err = execve(path, append(own, args...), c.Environ)
	return c.fail("run", envelope.Internal, "cannot start tmp: "+err.Error(), statusFailed)
}

func (c *call) missing(command string) int {
	return c.fail(command, envelope.ToolMissing, command+" is not installed", statusMissing)
}

// fail answers with an error and nothing else.
func (c *call) fail(cmd, code, message string, status int) int {
	if cmd == "" {
		cmd = "te"
	}
	c.event.mode, c.event.err = "error", code
	c.print(envelope.Failure(envelope.NewMeta(cmd), code, message, c.options.json))
	return status
}

// print writes an answer. What cannot be written is told once.
func (c *call) print(a *envelope.Answer) {
	b := a.Bytes()
	c.event.output = int64(len(b))
	c.event.truncated = a.Meta.Truncated
	c.write(b)
}

func (c *call) write(b []byte) {
	if _, err := c.Stdout.Write(b); err != nil {
		panic(writeError{err})
	}
}

// writeError is that nothing can be said on standard output.
type writeError struct{ err error }

func (e writeError) Error() string { return e.err.Error() }

// broken answers where te itself fails: for a person with the tool as it is, for an
// agent with the error.
func (c *call) broken(err error) int {
	c.event.mode, c.event.err = "error", envelope.Internal
	var w writeError
	if errors.As(err, &w) || strings.Contains(err.Error(), "write ") {
		fmt.Fprintln(c.Stderr, "te: "+err.Error())
		return statusFailed
	}
	if c.person && c.event.output == 0 {
		fmt.Fprintln(c.Stderr, "te: internal error, so here is the tool as it is: "+err.Error())
		if enveloped[c.options.command] != nil {
			_ = c.exec(c.options.command, c.options.args)
		}
		return statusFailed
	}
	if c.event.output == 0 {
		c.Stdout.Write(envelope.Failure(envelope.NewMeta(c.options.command), envelope.Internal, "", c.options.json).Bytes())
	}
	return statusFailed
}

// beside finds a program of ours: next to this one, else on PATH.
func (c *call) beside(name string) (string, error) {
	if exe, err := os.Executable(); err == nil {
		path := exe[:strings.LastIndexByte(exe, '/')+1] + name
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			return path, nil
		}
	}
	return c.lookup(name)
}

const help = `te runs a command that you know and answers so that it fits: how much there is, what
matters first, counts of what is left out, and a handle for the rest.

usage: te [OPTION…] COMMAND [ARG…]

  te grep ARG…              grep, ranked: definitions first
  te cat ARG…               cat, or what a long file is made of
  te find ARG…              find
  te rg ARG…                ripgrep, if it is installed
  te run -- COMMAND…        tmp run
  te --handle ID [--chunk N]   the rest of an answer, part by part
  te -i --handle ID         all of it, as lines
  te handles list|purge     what is kept in this session
  te coach report           how the answers were used

options, before the command; all after it is the command's
  -i, --raw         the tool itself, byte for byte
      --json        the answer as one object
      --max-chars N   characters of the answer at most; 0 for no limit
      --timeout DUR   5, 500ms, 2m; 0 for none
      --help, --version

examples
  te grep -rn connect .             every line with connect, definitions first
  te cat internal/server.go         a file, or its definitions if it is long
  te --max-chars 2000 find . -name '*.go'

The status is the tool's; 124 after a timeout, 125 if te failed, 127 if the tool is
missing, 2 for a wrong option or handle.
`
