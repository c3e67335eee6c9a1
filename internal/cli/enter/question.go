package enter

import (
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

const (
	maxFindings = 5        // reasons that a question shows
	maxRows     = 10       // rows of the line that it shows
	maxShown    = 64 << 10 // bytes of it; a longer one is not analysed
	wideScreen  = 64       // columns from which a question is put at length
)

// question is what stands before the person.
type question struct {
	text  string
	v     *line.Verdict
	d     *ask.Decision
	safer string // the line put the safer way, "" if there is none
	who   string // "root", "root on web1 over SSH", ""
	again bool   // it was answered with yes within the week
	// installed reports whether a program is there.
	installed func(string) bool
}

// render lays the question out: what, why, where, and what is safer.
func (q *question) render(st screen.Style) string {
	var b strings.Builder
	head := q.v.Level.String()
	if s := reach(q.v.Scope); s != "" {
		head += "  " + s
	}
	if q.who != "" {
		head += "  (" + q.who + ")"
	}
	for i, l := range screen.Wrap(screen.Printable(head), st.Columns-1) {
		if level := q.v.Level.String(); i == 0 && strings.HasPrefix(l, level) {
			l = st.Paint(colourOf(q.v.Level), level) + l[len(level):]
		}
		b.WriteString(l + st.EOL)
	}
	st.Rows = maxRows
	notes, more := q.notes()
	text := q.text
	if len(text) > maxShown {
		text, st.Rows = text[:maxShown], 3
	}
	b.WriteString(screen.Annotate(text, notes, st))
	if more > 0 {
		b.WriteString("  and " + strconv.Itoa(more) + " more" + st.EOL)
	}
	q.option(&b, st, "a", "from now on"+where(q.d.Forms)+": ", forms(q.d.Forms))
	q.option(&b, st, "s", "", q.safer)
	return b.String()
}

// notes are the findings that are asked about, the worst first.
func (q *question) notes() (notes []screen.Note, more int) {
	for _, it := range q.d.Items {
		if it.Action <= ask.Note {
			continue
		}
		if len(notes) == maxFindings {
			more++
			continue
		}
		f := &q.v.Findings[it.Finding]
		n := screen.Note{Start: f.Start, End: f.End, Colour: colourOf(f.Level), Lines: []string{screen.Printable(f.Reason)}}
		if it.Why != "" {
			n.Lines = append(n.Lines, screen.Printable(it.Why))
		}
		if name, _, _ := strings.Cut(f.Safer, " "); name != "" && q.safer == "" && q.installed(name) {
			n.Lines = append(n.Lines, "safer: "+screen.Printable(f.Safer))
		}
		notes = append(notes, n)
	}
	return notes, more
}

// option writes what a key does, each line of it in rows of its own.
func (q *question) option(b *strings.Builder, st screen.Style, key, lead, what string) {
	if what == "" {
		return
	}
	lines := screen.Rows(lead+what, st.Columns-6)
	if most := max(3, min(strings.Count(what, "\n")+1, maxRows)); len(lines) > most {
		lines = append(lines[:most], "…")
	}
	for i, l := range lines {
		if i > 0 {
			key = " "
		}
		b.WriteString("  " + key + "  " + l + st.EOL)
	}
}

// prompt is the question itself.
func (q *question) prompt(st screen.Style) string {
	if q.d.Action == ask.Word {
		switch {
		case st.Columns < wideScreen:
			return "Type " + q.d.Word + ": "
		case q.safer != "":
			return "Type \"" + q.d.Word + "\" and Enter to run it, \"s\" to edit it, anything else keeps it: "
		}
		return "Type \"" + q.d.Word + "\" and Enter to run it, anything else keeps it: "
	}
	keys := "y/N"
	switch {
	case q.d.Action == ask.Allowable && q.again:
		keys = "a/" + keys
	case q.d.Action == ask.Allowable:
		keys += "/a"
	}
	if q.safer != "" {
		keys += "/s"
	}
	return "Run it? [" + keys + "] "
}

// reply is what the person wants.
type reply uint8

const (
	no reply = iota
	yes
	always
	safer
	ended // no, and there will be no more input
)

// put asks and waits for the answer.
func (q *question) put(t *terminal) reply {
	t.redraw = func() { t.print(t.style.EOL + q.render(t.style) + q.prompt(t.style) + string(t.typed)) }
	t.redraw()
	defer t.print(t.style.EOL)
	if q.d.Action == ask.Word {
		switch w, ok := t.word(); {
		case !ok:
			return ended
		case w == q.d.Word:
			return yes
		case w == "s" && q.safer != "":
			return safer
		}
		return no
	}
	r := t.key()
	answer := no
	switch {
	case r == keyEnd:
		return ended
	case r == 'y' || r == 'Y':
		answer = yes
	case (r == 'a' || r == 'A') && q.d.Action == ask.Allowable:
		answer = always
	case (r == 's' || r == 'S') && q.safer != "":
		answer = safer
	}
	if answer != no {
		t.print(string(r))
	}
	return answer
}

// reach says how far the damage reaches.
func reach(s tcpdb.Scope) string {
	switch s {
	case tcpdb.Tree:
		return "a tree of files"
	case tcpdb.Device:
		return "a device"
	case tcpdb.Remote:
		return "another machine or service"
	case tcpdb.History:
		return "history"
	case tcpdb.System:
		return "the system"
	}
	return ""
}

func colourOf(l tcpdb.Level) string {
	if l >= tcpdb.Critical {
		return "1;31"
	}
	return "31"
}

func forms(list []ask.Form) string {
	var out []string
	for _, f := range list {
		out = append(out, f.Form)
	}
	return strings.Join(out, "; ")
}

// where says where an a would hold.
func where(list []ask.Form) string {
	least := ask.Everywhere
	for _, f := range list {
		least = min(least, f.Extent)
	}
	return [...]string{ask.InDirectory: " here", ask.InTree: " in this work tree", ask.Everywhere: ""}[least]
}
