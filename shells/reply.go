package shells

import (
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// The kinds of completion that bash asks for, its COMP_TYPE. The other shells'
// calls have KindTab.
const (
	KindTab        = 9   // insert what is common
	KindList       = '?' // list, insert nothing
	KindListCommon = '!' // list and insert what is common
	KindListStuck  = '@' // the same when nothing more is common
	KindMenu       = '%' // insert one after the other
	KindInsertAll  = '*' // insert them all
)

// bashRows is how many rows bash lists without asking first.
const bashRows = 99

// limit is the cap of the engine's answer: in bash one row fewer than it
// lists, for "… n more".
func (c *Call) limit() int {
	if c.Limit != nil {
		return *c.Limit
	}
	if c.Shell == "bash" {
		return bashRows - 1
	}
	return -1
}

// Reply writes an answer as the shell's hook reads it: lines, the first of
// them a word of control and what belongs to it.
//
//	own                  not handled: the shell's own completion is to run; for
//	                     fish, of the command that follows, if one does; for
//	                     bash, "here" follows if only this Tab is its own
//	none                 handled, and there is nothing to insert or to list
//	say TEXT             the same, and TEXT is to be shown to the person
//	hold TEXT            the same for a risky only match; the next Tab at the
//	                     same place is to say --armed
//	ok … [note TEXT]     matches follow, one a line, in the form of the shell;
//	                     TEXT is to be shown once in the life of the shell; with
//	                     "partial" among the words before it a completion that the
//	                     shell has of the command goes first, with "skip" the
//	                     matches have what stands right of the cursor in its word
//
// bash: "ok" or "ok nospace"; each line is what stands in place of Word, or a
// row for the list. zsh: see replyZsh. fish: see replyFish.
func (c *Call) Reply(a completion.Answer) string {
	if c.command {
		return c.replyCommand(a)
	}
	if c.Words != nil {
		return c.replyWords(a)
	}
	if c.Shell == "tcsh" {
		return c.replyTcsh(a)
	}
	if !a.Handled {
		if c.Shell == "fish" && a.Inner > 0 && a.Inner < len(c.Left) {
			return "own\n" + c.Left[a.Inner:] + "\n"
		}
		if c.Shell == "bash" && a.Mapped {
			return "own\nhere\n"
		}
		return "own\n"
	}
	m := c.matches(a)
	if len(m.rows) == 0 {
		if a.Message != "" {
			return "say " + oneLine(a.Message) + "\n"
		}
		return "none\n"
	}
	switch c.Shell {
	case "zsh":
		return c.replyZsh(m)
	case "fish":
		return c.replyFish(m)
	}
	return c.replyBash(m)
}

// row is a candidate as the shell is to insert and show it.
type row struct {
	text    string // stands in place of Word
	nospace bool
	display string
	note    string // mark and description, or ""
	mark    string // "[HIGH]", "[CRITICAL]" or ""
}

// matches are the rows of an answer and what is known of them as a whole.
type matches struct {
	rows    []row
	hold    bool
	message string
	head    string // "ok", with "partial" and "skip" where they hold
	notice  string // " note TEXT" or ""
	omitted int
	// stuck: nothing that the rows have in common may be inserted.
	stuck bool
	// alone: not even a single row may be inserted.
	alone bool
	// quoted: Word stands in a quote that was opened before it.
	quoted bool
	// loose: the rows do not begin with what is typed.
	loose bool
}

func (c *Call) matches(a completion.Answer) matches {
	if a.Common != "" && !a.Hold && c.Kind != KindMenu && c.Kind != KindInsertAll {
		// The list is cut: what all share is inserted, as it would be if all were
		// here, and the next Tab lists.
		a.Candidates = []completion.Candidate{{Value: a.Common, Insert: a.CommonInsert, Display: completion.Clean(a.Common), NoSpace: true}}
		a.Omitted = 0
	}
	m := matches{hold: a.Hold, message: oneLine(a.Message), omitted: a.Omitted}
	at := shline.At(c.dialect(), c.Left+c.Right, len(c.Left))
	cands, whole := a.Candidates, true
	if at.Suffix != "" {
		cands, whole = c.narrow(at, cands)
	}
	skip := at.Suffix != "" && c.skips(at, a.Replace, cands)
	m.rows = make([]row, 0, len(cands))
	for _, cand := range cands {
		text, ok := c.place(at, a.Replace, cand)
		switch {
		case !ok || at.Suffix == "":
		case skip:
			text = c.closed(at, text)
		default:
			text, ok = c.beside(at, text, whole)
		}
		if !ok || hasControl(text) {
			continue
		}
		if c.Shell == "fish" {
			if text, ok = c.forFish(at, text, cand); !ok {
				continue
			}
		}
		r := row{text: text, nospace: cand.NoSpace || at.Suffix != "" && !skip, display: cand.Display}
		if r.display == "" {
			r.display = text
		}
		r.mark = mark(cand)
		r.note = strings.TrimSpace(r.mark + " " + cand.Description)
		m.rows = append(m.rows, r)
	}
	if m.head = "ok"; a.Partial {
		m.head += " partial"
	}
	if skip {
		m.head, whole = m.head+" skip", true
	}
	if a.Notice != "" {
		m.notice = " note " + oneLine(a.Notice)
	}
	m.loose = a.Match != resolvers.Prefix
	m.alone, m.quoted = !whole, c.quotedWord(at)
	m.stuck = m.loose || !whole || a.Omitted > 0 || riskyCommon(m.rows)
	return m
}

func (c *Call) dialect() shline.Dialect {
	d, _ := shline.ParseDialect(c.Shell)
	return d
}

// riskyCommon reports whether what the rows have in common is itself one of
// them and risky: inserting it would be inserting the risk.
func riskyCommon(rows []row) bool {
	if len(rows) < 2 {
		return false
	}
	common := common(rows)
	for _, r := range rows {
		if r.mark != "" && r.text == common {
			return true
		}
	}
	return false
}

// common is the longest beginning that all rows share.
func common(rows []row) string {
	p := rows[0].text
	for _, r := range rows[1:] {
		n := 0
		for n < len(p) && n < len(r.text) && p[n] == r.text[n] {
			n++
		}
		p = p[:n]
	}
	return p
}

// place turns the text that replaces a.Replace into what replaces Word, and
// takes away what the shell adds itself or what is there already. It is false
// if the shell cannot do it.
func (c *Call) place(at shline.Context, replace tcpdb.Span, cand completion.Candidate) (string, bool) {
	text := cand.Insert
	begin := len(c.Left) - len(c.Word) // where the shell begins to replace
	if replace.Start > begin {
		text = c.Left[begin:min(replace.Start, len(c.Left))] + text
	} else {
		kept := c.Left[replace.Start:begin]
		if !strings.HasPrefix(text, kept) {
			return "", false
		}
		text = text[len(kept):]
	}
	return c.withoutClose(at, text)
}

// beside makes text stand left of the rest of its word: bash keeps what is
// right of the cursor, zsh replaces it, fish completes at the end of the word.
func (c *Call) beside(at shline.Context, text string, whole bool) (string, bool) {
	rest := c.right(at)
	switch {
	case c.Shell == "zsh" && whole:
		return text, true
	case c.Shell == "zsh":
		return text + rest, true
	case whole:
		return strings.CutSuffix(text, rest)
	}
	return text, true
}

// skips reports whether each candidate begins with all of the word that the cursor
// stands in, as it is typed, or is a directory that this goes through. bash can be told
// to step over what is there already.
func (c *Call) skips(at shline.Context, replace tcpdb.Span, cands []completion.Candidate) bool {
	if c.Shell != "bash" || c.command || c.Kind == KindMenu || c.Kind == KindInsertAll || len(cands) == 0 {
		return false
	}
	typed := c.Word + c.right(at)
	for _, cand := range cands {
		text, ok := c.place(at, replace, cand)
		through := strings.HasSuffix(text, "/") && len(text) > len(c.Word) && strings.HasPrefix(typed, text)
		if !ok || !through && !strings.HasPrefix(text, typed) {
			return false
		}
	}
	return true
}

// right is what stands right of the cursor in its word, but for a closing quote.
func (c *Call) right(at shline.Context) string {
	if q := quoteByte(at.Cursor.Open); q != 0 {
		return strings.TrimSuffix(at.Suffix, string(q))
	}
	return at.Suffix
}

// closed is a text that is typed whole with the closing quote that stands there.
func (c *Call) closed(at shline.Context, text string) string {
	if rest := c.right(at); text == c.Word+rest {
		text += at.Suffix[len(rest):]
	}
	return text
}

// withoutClose removes the closing quote of a word whose quote is open at the
// cursor and before Word: bash and zsh add it.
func (c *Call) withoutClose(at shline.Context, text string) (string, bool) {
	if !c.quotedWord(at) || c.Shell == "fish" {
		return text, true
	}
	q := quoteByte(at.Cursor.Open)
	opening := c.Left[at.Cursor.Start : len(c.Left)-len(c.Word)]
	if open(c.dialect(), opening+text) == at.Cursor.Open {
		return text, true
	}
	if short, ok := strings.CutSuffix(text, string(q)); ok && open(c.dialect(), opening+short) == at.Cursor.Open {
		return short, true
	}
	return text + string(q), true // opened again, for the shell to close
}

// quotedWord reports whether Word begins behind the quote that is open at the
// cursor; if not, the quote is in Word or there is none.
func (c *Call) quotedWord(at shline.Context) bool {
	q := quoteByte(at.Cursor.Open)
	begin := len(c.Left) - len(c.Word)
	return q != 0 && at.Cursor.Start < begin && c.Left[begin-1] == q
}

func quoteByte(q shline.Quoting) byte {
	switch q {
	case shline.Single, shline.ANSI:
		return '\''
	case shline.Double:
		return '"'
	}
	return 0
}

// open is the quote that is open at the end of a word.
func open(d shline.Dialect, word string) shline.Quoting {
	line := "x " + word
	return shline.At(d, line, len(line)).Cursor.Open
}

// fit is how a candidate agrees with the rest of the word right of the cursor.
type fit uint8

const (
	noFit    fit = iota
	dirFit       // the candidate is a directory that the word goes through, in bash
	beginFit     // it begins with what is left and right of the cursor
	endFit       // it ends with what is right of the cursor
)

// fitOf compares a value with the word typed around the cursor.
func (c *Call) fitOf(at shline.Context, value string) fit {
	typed, rest := at.Cursor.Text, at.SuffixText
	after, begins := strings.CutPrefix(value, typed)
	if !begins {
		after = value
	}
	switch {
	case strings.HasSuffix(after, rest):
		return endFit
	case begins && strings.HasPrefix(after, rest):
		return beginFit
	case begins && c.Shell == "bash" && strings.HasSuffix(after, "/") && strings.HasPrefix(rest, after):
		return dirFit
	}
	return noFit
}

// narrow keeps the candidates that agree best with what is right of the cursor
// in the same word, all of them if none does. Whole says that they can stand
// there: what is right of the cursor is their end, or is replaced with the rest.
func (c *Call) narrow(at shline.Context, cands []completion.Candidate) (kept []completion.Candidate, whole bool) {
	best := noFit
	for _, cand := range cands {
		best = max(best, c.fitOf(at, cand.Value))
	}
	if best == noFit {
		return cands, false
	}
	for _, cand := range cands {
		if c.fitOf(at, cand.Value) == best {
			kept = append(kept, cand)
		}
	}
	return kept, best == endFit || c.Shell == "zsh"
}

// oneLine replaces the control characters of a text by blanks.
func oneLine(s string) string {
	if !hasControl(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

// hasControl reports whether s has a C0 control character or DEL.
func hasControl(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] == 0x7f {
			return true
		}
	}
	return false
}

// more is the text for candidates that were left out, or "".
func (c *Call) more(n int) string {
	if n == 0 {
		return ""
	}
	dots := "… "
	if c.ASCII {
		dots = "... "
	}
	return dots + strconv.Itoa(n) + " more"
}
