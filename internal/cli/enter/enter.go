// Package enter is the program behind the Enter key. It reads the line from
// standard input, judges it, asks the person at the terminal about what is HIGH
// or CRITICAL, and tells the hook by its exit status what to do with the line.
//
// Standard output stays empty. Questions, marks and answers go over /dev/tty,
// notices to standard error, and for an agent or where there is no terminal one
// line of JSON that says why the line does not run.
package enter

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/recent"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	riskfacts "github.com/tool-mapping-protocol/tmp/internal/risk/facts"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Exit statuses. After any other the hook runs the line and says that it was
// not judged.
const (
	StatusRun        = 0
	StatusUsage      = 2
	StatusKeep       = 10 // leave the line in the editor
	StatusReplace    = 11 // put what is on descriptor 3 in its place
	StatusUnfinished = 12 // the shell will ask for more
	StatusAsk        = 13 // only for --silent: there is something to say or to ask
	// StatusInterrupted is that of Ctrl-C before an answer: as StatusKeep.
	StatusInterrupted = 130
)

// ReplyEnded is on descriptor 3 beside StatusKeep where the input ended at the
// question: nobody is there to change the line, so the hook drops it. A shell
// that meets the end of its input with a line in its editor accepts that line.
const ReplyEnded = "ended"

// maxInput bounds what is read; a line beyond 64 KiB is not analysed anyway.
const maxInput = 16 << 20

// Env is what the program sees of the world.
type Env struct {
	Args    []string // without the program's name
	Stdin   io.Reader
	Stderr  io.Writer
	Getenv  func(string) string
	Dir     string                   // the working directory, "" if it cannot be read
	OpenTTY func() (*os.File, error) // the terminal itself
	// Reply is descriptor 3, for the line that replaces the one in the editor or
	// for ReplyEnded; nil if there is none.
	Reply io.Writer
	Now   func() time.Time
	// Tool is the program tmp of the same installation, "" if there is none.
	Tool func() string
	// Exit ends the process where what is left to do takes too long; nil waits.
	Exit func(status int)
}

// System returns the process's own environment.
func System() Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	return Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stderr: os.Stderr, Getenv: os.Getenv, Dir: dir,
		OpenTTY: func() (*os.File, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) },
		Reply:   os.NewFile(3, "descriptor 3"), Now: time.Now, Tool: beside, Exit: os.Exit,
	}
}

// now is the time, or the zero time where a caller gives none.
func (e *Env) now() time.Time {
	if e.Now == nil {
		return time.Time{}
	}
	return e.Now()
}

// Main decides about one line. The arguments are --shell bash|zsh|fish|sh,
// --comments where # begins a comment at the prompt of zsh, --silent, --split,
// --whole, --held N, --aliases N, --variables N and --functions N. Standard input holds the
// pending lines of a continuation and the line, joined by line breaks, and then
// what the shell alone knows; see call.
func Main(env Env) int {
	var c call
	if err := c.parse(env.Args); err != nil {
		fmt.Fprintf(env.Stderr, "tmp-enter: %v\n", err)
		return StatusUsage
	}
	data, err := io.ReadAll(io.LimitReader(env.Stdin, maxInput))
	if err != nil {
		fmt.Fprintf(env.Stderr, "tmp-enter: standard input: %v\n", err)
		return 1
	}
	if err := c.read(string(data)); err != nil {
		fmt.Fprintf(env.Stderr, "tmp-enter: standard input: %v\n", err)
		return StatusUsage
	}
	text := c.text
	if strings.TrimSpace(text) == "" {
		return StatusRun
	}
	w := world{env: &env, paths: place.Find(env.Getenv), shell: c.dialect, silent: c.silent, held: c.held}
	w.view = mapset.OpenView(w.paths, env.Dir)
	v := line.Judge(w.view, text, c.dialect, w.facts(), c.options(agent(env.Getenv) != ""))
	if !v.Complete && !c.whole {
		return StatusUnfinished
	}
	status := StatusRun
	if ask.Counts(&v) {
		status = w.decide(text, &v)
	}
	if status == StatusRun && !v.Complete {
		return StatusUnfinished
	}
	if status == StatusRun {
		w.keep(&c, &v)
	}
	return status
}

// patience is how long keeping the words of a line may delay it; after that the
// program ends as if they were kept.
const patience = 20 * time.Millisecond

// keep notes a line that is about to run, as far as the settings say so: in the audit
// log, where that has every line and not this one yet, and its words for Tab.
func (w *world) keep(c *call, v *line.Verdict) {
	recency, all := facts.Kept(w.paths)
	if all && !w.logged {
		w.audit(c.text, v, nil, audit.Waived, "")
	}
	w.note(c, recency)
}

// note keeps which words a line used, for Tab to rank them. What goes wrong with it is
// no reason to keep a person waiting, or to say so.
func (w *world) note(c *call, recency bool) {
	file := w.paths.Recent()
	if file == "" || agent(w.env.Getenv) != "" {
		return
	}
	defer func() { _ = recover() }() // the line was judged, and runs
	if w.env.Exit != nil {
		// Not a goroutine that is waited for: a second thread costs more than the work.
		late := time.AfterFunc(patience, func() { w.env.Exit(StatusRun) })
		defer late.Stop()
	}
	if !recency {
		_ = recent.Forget(file)
		return
	}
	l := recent.Line{Text: c.text, Dialect: c.dialect, Dir: w.env.Dir, Aliases: c.alias, Alias: w.facts().Alias}
	_ = recent.Note(file, l.Marks(w.view), w.env.now())
}

// world is what the judgement may know.
type world struct {
	logged bool // the audit log has the line
	env    *Env
	paths  place.Paths
	view   *tcpdb.View
	shell  shline.Dialect
	// silent: nothing may be said or asked, StatusAsk says that there is something.
	silent bool
	held   int // lines of the text that are not in the editor
}

// ground is the place that the line is judged for.
func (w *world) ground() riskfacts.Place {
	return riskfacts.Place{Paths: w.paths, Dir: w.env.Dir, Getenv: w.env.Getenv}
}

func (w *world) facts() risk.Facts { return riskfacts.Of(w.ground()) }

func (w *world) installed(name string) bool { return w.ground().Installed(name) }

// agent is the name of the agent that calls, "" for a person.
func agent(getenv func(string) string) string {
	if id := getenv("TMP_AGENT_ID"); id != "" {
		return id
	}
	return getenv("TE_AGENT_ID")
}
