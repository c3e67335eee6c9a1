package review

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
	"github.com/tool-mapping-protocol/tmp/internal/evidence"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

const kitMap = `{"schema": 1, "tool": "kit", "provenance": "help", "node": {"name": "kit", "description": "keep gizmos",
  "flags": [{"names": ["-v", "--verbose"], "value": "none", "description": "say more"},
            {"names": ["--ghost"], "value": "none", "description": "no text has it"}],
  "subcommands": [{"name": "add", "aliases": ["a"], "description": "Add a gizmo",
    "flags": [{"names": ["-f", "--force"], "value": "none"}, {"names": ["--colour"], "value": "required", "value_spec": {"enum": ["red", "blue"]}}],
    "args": [{"name": "gizmo", "required": true}]}]},
 "operations": [{"id": "kit.add", "surface": "cli", "intent": ["add a gizmo"], "template": "kit add --force", "effect": "local-write", "risk": "low"}]}`

const kitHelp = "Usage: kit [OPTIONS] COMMAND\n\nCommands:\n  add, a  Add a gizmo\n\nOptions:\n  -v, --verbose  say more\n"

const addHelp = "Usage: kit add [OPTIONS] GIZMO\n\nOptions:\n  -f, --force      even if it is odd\n      --colour C   paint it \x1b[31mred\n"

func parse(t testing.TB, text string) *opmap.Source {
	t.Helper()
	s, problems := opmap.Parse("kit.json", []byte(text), opmap.ParseOptions{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

// desk is a review with what it saved.
type desk struct {
	*model
	saved []Decision
	fail  error
}

func newDesk(t testing.TB, text string, acceptedBefore ...string) *desk {
	d := &desk{}
	texts := evidence.NewTexts(discover.Texts{Tool: "kit", Nodes: []discover.Text{{Help: kitHelp}, {Path: []string{"add"}, Help: addHelp}}}, nil)
	s := parse(t, text)
	r := Request{
		Source: s, Title: "kit 1.0", Texts: texts, Reviewer: "ann", Accepted: map[string]bool{},
		Save: func(x Decision) error {
			if d.fail == nil {
				d.saved = append(d.saved, x)
			}
			return d.fail
		},
	}
	if s.Node != nil {
		r.Missing = evidence.Tree(s, texts).Missing
	}
	for _, h := range acceptedBefore {
		r.Accepted[h] = true
	}
	d.model = newModel(r)
	return d
}

var named = map[string]tea.Key{
	"<enter>": {Code: tea.KeyEnter}, "<esc>": {Code: tea.KeyEsc}, "<down>": {Code: tea.KeyDown}, "<up>": {Code: tea.KeyUp}, "<tab>": {Code: tea.KeyTab},
	"<c-u>": {Code: 'u', Mod: tea.ModCtrl}, "<c-c>": {Code: 'c', Mod: tea.ModCtrl}, "<c-w>": {Code: 'w', Mod: tea.ModCtrl},
	"<left>": {Code: tea.KeyLeft}, "<home>": {Code: tea.KeyHome}, "<end>": {Code: tea.KeyEnd},
	"<bs>": {Code: tea.KeyBackspace}, "<del>": {Code: tea.KeyDelete}, "<pgdn>": {Code: tea.KeyPgDown},
}

// pressed cuts the first key off a text of keys.
func pressed(keys string) (k tea.KeyPressMsg, rest string) {
	for name, key := range named {
		if rest, ok := strings.CutPrefix(keys, name); ok {
			return tea.KeyPressMsg(key), rest
		}
	}
	r, n := utf8.DecodeRuneInString(keys)
	return tea.KeyPressMsg{Code: r, Text: keys[:n]}, keys[n:]
}

// keys types, and reports whether the screen was left.
func (d *desk) keys(keys string) (left bool) {
	for keys != "" {
		var k tea.KeyPressMsg
		k, keys = pressed(keys)
		if _, cmd := d.Update(k); cmd != nil {
			_, left = cmd().(tea.QuitMsg)
		}
	}
	return left
}

func (d *desk) rows() []string { return strings.Split(d.screen(), "\n") }

func (d *desk) sees(t *testing.T, parts ...string) {
	t.Helper()
	view := d.screen()
	for _, p := range parts {
		if !strings.Contains(view, p) {
			t.Errorf("%q is not on the screen:\n%s", p, view)
		}
	}
}

func TestTreeBesideItsTexts(t *testing.T) {
	d := newDesk(t, kitMap)
	d.sees(t, "Review of kit 1.0: 0 of 8 accepted, 1 in no text (!)", "a accept", "x reject", "e edit", "/ filter", "q leave")
	d.keys("j")
	d.sees(t, ">     -v, --verbose", "-v, --verbose  say more", "-- its help --", "In its help, line 7:")
	d.keys("j")
	d.sees(t, "> !   --ghost", "No text names it.")
	d.keys("G")
	d.sees(t, "kit.add", "template: kit add --force", ">   -f, --force      even if it is odd")
	if strings.Contains(d.screen(), "\x1b[31mred") {
		t.Error("a sequence of the tool's text reaches the terminal")
	}
}

func TestAcceptAllAndRecord(t *testing.T) {
	d := newDesk(t, kitMap)
	d.keys("A") // of the tool's own command and beneath: what a text names
	d.sees(t, "6 accepted, 1 left: no text names them")
	d.keys("n")
	if got := d.current().label(); got != "--ghost" {
		t.Fatalf("the next open item is %s", got)
	}
	d.keys("xn")
	if got := d.current().label(); got != "operation kit.add" {
		t.Fatalf("the next open item is %s", got)
	}
	d.keys("a")
	d.sees(t, "7 of 8 accepted, 1 rejected")
	if d.keys("q") {
		t.Fatal("it was left without a question")
	}
	d.sees(t, "All 8 are decided", "ann")
	if !d.keys("<c-u>bob<enter>") {
		t.Fatal("it was not left")
	}
	if len(d.saved) != 1 || d.saved[0].Reviewer != "bob" || !d.saved[0].Changed || len(d.saved[0].Accepted) != 7 {
		t.Fatalf("saved %+v", d.saved)
	}
	out := string(d.saved[0].Source.Encode())
	if strings.Contains(out, "--ghost") || !strings.Contains(out, "--verbose") {
		t.Errorf("saved\n%s", out)
	}
	if parse(t, out).TreeHash() == parse(t, kitMap).TreeHash() {
		t.Error("nothing changed")
	}
}

// TestWhatWasAcceptedStays: the next review asks about what is new.
func TestWhatWasAcceptedStays(t *testing.T) {
	d := newDesk(t, kitMap)
	d.keys("A")
	if d.keys("q") || !d.keys("y") || len(d.saved) != 1 || d.saved[0].Reviewer != "" || d.saved[0].Changed {
		t.Fatalf("saved %+v", d.saved)
	}
	again := newDesk(t, strings.Replace(kitMap, `"-f", "--force"`, `"-f", "--force", "--hard"`, 1), d.saved[0].Accepted...)
	var open []string
	for _, it := range again.all {
		if it.state == 0 {
			open = append(open, it.label())
		}
	}
	if got := strings.Join(open, "; "); got != "--ghost; -f, --force, --hard; operation kit.add" {
		t.Errorf("open are %s", got)
	}
}

func TestFilter(t *testing.T) {
	d := newDesk(t, kitMap)
	d.keys("/colour")
	d.sees(t, "/colour", "enter keep")
	d.keys("<enter>")
	if len(d.shown) != 1 || d.current().label() != "--colour VALUE" {
		t.Errorf("shown are %d, the first %s", len(d.shown), d.current().label())
	}
	d.sees(t, "1 shown: with colour")
	d.keys("a<esc>")
	if len(d.shown) != 8 || d.all[5].state != accepted {
		t.Errorf("%d are shown, and %s is %d", len(d.shown), d.all[5].label(), d.all[5].state)
	}
	d.keys("/nothing at all<enter>ax")
	d.sees(t, "nothing matches")
	d.keys("<esc>m")
	if len(d.shown) != 1 || d.current().label() != "--ghost" {
		t.Errorf("in no text are %d", len(d.shown))
	}
}

func TestEdit(t *testing.T) {
	d := newDesk(t, kitMap)
	d.keys("/colour<enter>e")
	d.sees(t, "Edit kit add --colour", "names", "values      red, blue")
	// An unknown word is refused and nothing is lost.
	d.keys("<down><c-u>sometimes<enter>")
	d.sees(t, `value: "sometimes": want none, required,`)
	d.keys("<c-u>optional<down><c-u>red, green<enter>")
	d.sees(t, "edited and accepted")
	it := d.current()
	if it.flag.Value != "optional" || len(it.flag.Spec.Enum) != 2 || it.flag.Spec.Enum[1].Value != "green" || !it.edited {
		t.Errorf("it is %s", it.flag.JSON())
	}
	// What the map's own rules refuse is refused here.
	d.keys("e<c-u>colour<enter>")
	if d.mode != editing || d.edit.fault == "" {
		t.Errorf("a name without dashes is taken: %q", d.edit.fault)
	}
	d.keys("<esc>u")
	if it.flag.Value != "required" || it.edited || it.state != open {
		t.Errorf("after undo it is %s", it.flag.JSON())
	}
}

// TestKeysThatComeTogether: a slow line brings several at once; a paste is text.
func TestKeysAndPastes(t *testing.T) {
	d := newDesk(t, kitMap)
	d.keys("jjx/add")
	if d.all[2].state != rejected || d.filter.text() != "add" {
		t.Errorf("%s is %d, the filter is %q", d.all[2].label(), d.all[2].state, d.filter.text())
	}
	d.keys("<esc>")
	d.Update(tea.PasteMsg{Content: "AAAq"})
	if n, _ := d.counts(); n[accepted] != 0 || d.mode != browsing {
		t.Errorf("a paste accepted %d", n[accepted])
	}
	d.keys("/")
	d.Update(tea.PasteMsg{Content: "colour"})
	if d.filter.text() != "colour" {
		t.Errorf("the filter is %q", d.filter.text())
	}
}

func TestRejectCommand(t *testing.T) {
	d := newDesk(t, kitMap)
	d.keys("x")
	d.sees(t, "the tool itself cannot be rejected")
	d.keys("/add<enter>x<esc>")
	var gone []string
	for _, it := range d.all {
		if it.state == rejected {
			gone = append(gone, it.label())
		}
	}
	if got := strings.Join(gone, "; "); got != "add, a; -f, --force; --colour VALUE; <gizmo>" {
		t.Errorf("rejected are %s", got)
	}
	d.keys("w")
	if len(d.saved) != 1 || len(d.saved[0].Source.Node.Subcommands) != 0 || len(d.all) != 4 {
		t.Errorf("saved %+v, %d items are left", d.saved, len(d.all))
	}
}

func TestSavingFails(t *testing.T) {
	d := newDesk(t, kitMap)
	d.fail = errors.New("the disk is full")
	d.keys("aq")
	if d.keys("y") {
		t.Fatal("it was left, and nothing is saved")
	}
	d.sees(t, "the disk is full")
	d.fail = nil
	if !d.keys("qy") || len(d.saved) != 1 {
		t.Errorf("saved %d times", len(d.saved))
	}
	d = newDesk(t, kitMap)
	if d.keys("a<c-c>"); !d.aborted || len(d.saved) != 0 {
		t.Error("broken off, it was saved")
	}
}

// TestHostileNames: nothing that a map or a text says reaches the terminal as it is.
func TestHostileNames(t *testing.T) {
	d := newDesk(t, `{"schema": 1, "tool": "kit", "node": {"name": "kit", "description": "\u202egnp", "flags": [{"names": ["--x"], "value": "none", "description": "a\u200bb"}]}}`)
	d.r.Title = "kit \x1b]0;owned\a"
	d.keys("j")
	for _, bad := range []string{"\x1b]", "\a", "\u202e", "\u200b"} {
		if strings.Contains(d.screen(), bad) {
			t.Errorf("%q is on the screen", bad)
		}
	}
}

// TestFitsEveryWindow: whatever is typed, in every window, the screen has no more
// rows and no wider ones than the window.
func TestFitsEveryWindow(t *testing.T) {
	keys := []string{"j", "k", "a", "x", "u", "A", "n", "m", "o", "?", "e", "/", "<esc>", "<enter>", "<tab>", "<down>", "G", "g", "J", "K", "z", "ü", "漢", "w"}
	rapid.Check(t, func(rt *rapid.T) {
		d := newDesk(t, kitMap)
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			w, h := rapid.IntRange(1, 200).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h")
			d.Update(tea.WindowSizeMsg{Width: w, Height: h})
			d.keys(rapid.SampledFrom(keys).Draw(rt, "key"))
			rows := d.rows()
			if len(rows) > h {
				rt.Fatalf("%d rows in a window of %d:\n%s", len(rows), h, d.screen())
			}
			for _, r := range rows {
				if paintedWidth(r) > w {
					rt.Fatalf("a row of %d columns in a window of %d: %q", paintedWidth(r), w, r)
				}
			}
		}
	})
}

func TestSpecText(t *testing.T) {
	for _, text := range []string{"", "file", "dir", "command", "int", "git:branches", "a, b, c", "one,"} {
		var s *opmap.Spec
		if err := spec("values", &s).set(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if got := specText(s); got != text {
			t.Errorf("%q is %q when it is read", text, got)
		}
	}
}

func TestLine(t *testing.T) {
	l := newLine("ab c")
	typed := func(keys string) {
		for keys != "" {
			var k tea.KeyPressMsg
			k, keys = pressed(keys)
			l.key(k)
		}
	}
	typed("<left><bs>")
	l.insert("x\x1b[31my")
	if l.text() != "abx[31myc" {
		t.Errorf("%q", l.text())
	}
	typed("<home><del><end>")
	typed(" q<c-w>")
	if l.text() != "bx[31myc " {
		t.Errorf("%q", l.text())
	}
	for columns := 1; columns < 12; columns++ {
		if w := screen.Width(l.view(columns, func(s string) string { return s })); w > columns {
			t.Errorf("%d columns for %d", w, columns)
		}
	}
}

// TestEveryCellIsWritten: nothing of an earlier picture stays on the screen,
// whether a row is shorter than before, the keys are shown or the window is too
// small for any.
func TestEveryCellIsWritten(t *testing.T) {
	d := newDesk(t, kitMap)
	for _, size := range [][2]int{{80, 24}, {40, 10}, {20, 4}, {80, 24}} {
		d.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, keys := range []string{"j", "?", "?", "G"} {
			d.keys(keys)
			rows := d.rows()
			if len(rows) != size[1] {
				t.Errorf("%v after %q: %d rows", size, keys, len(rows))
			}
			for i, row := range rows {
				if w := paintedWidth(row); w != size[0] {
					t.Errorf("%v after %q: row %d has %d columns: %q", size, keys, i, w, row)
				}
			}
		}
	}
}
