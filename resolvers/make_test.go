package resolvers

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func makeTree(t testing.TB) string {
	return tree(t, map[string]string{
		"Makefile": `# a comment \
that: goes on
BIN := tool
NAMES = one two
OUT ?= build
LIST := $(shell touch evil)
BANG != touch evil2
TWICE = $(NAMES) three
COLON = a:b
include mk/*.mk
-include missing.mk deps.d
sinclude $(EXTRA)

.PHONY: all test clean $(NAMES) \
	lint

all: $(BIN) ## build everything
	@echo all: not a target
	@echo done

$(BIN): main.c | $(OUT)
	cc -o $@ $< # x: y
main.c:

## run the tests
test: all; ./run x: y
clean:
	-rm -rf $(OUT) \
  continued: here
$(TWICE): ; @echo $@
%.o: %.c
	cc -c $<
.c.x:
	true
a.o b.o: %.o: %.c
double:: x
double:: y
$(LIST)/bad $(BANG)bad $(call f,x)bad: x
$(wildcard *.z) after: x
all: CFLAGS = -O2
tagged: private override FLAGS := -g
group1 group2 &: x
	true
define BODY
inside: define
	not a target
endef
ifeq ($(OS),x)
branch1: x
else ifdef Y
branch2: x
endif
export PATH := /bin
export
override THING = x:y
esc\:aped with\#hash sp\ ace: x
dollar$$x: x
.DEFAULT:
	true
x y z:
	true
path/to.file: x
.venv/bin/python: x
`,
		"mk/more.mk":   "included: x\ninclude mk2/deep.inc\n",
		"mk2/deep.inc": "deep: x\ninclude mk2/deep.inc\n",
		"deps.d":       "from_dep.o: x.h\n",
		"other.mk":     ".RECIPEPREFIX = >\nother:\n> echo recipe: no\nlast:\n",
		"sub/makefile": "low: x\n", "sub/Makefile": "high: x\n",
		"sub/GNUmakefile.not": "",
	})
}

var makeNames = []string{
	"all", "clean", "one", "test", "two", "lint", ".venv/bin/python", "a.o", "after", "b.o", "branch1", "branch2", "deep", "dollar$x", "double", "esc:aped",
	"group1", "group2", "included", "main.c", "path/to.file", "sp ace", "three", "tool", "with#hash", "x", "y", "z",
}

func TestMakeTargets(t *testing.T) {
	root := makeTree(t)
	want := slices.Clone(makeNames)
	slices.Sort(want)
	a := expect(t, Fresh, Request{Name: "make:targets", Dir: root, Words: words("make")})
	// $(wildcard …) beside "after" says nothing of "after".
	equal(t, "make", sorted(a), want)
	for _, v := range a.Values {
		if phony := slices.Contains(words("all test clean one two lint"), v.Value); phony != (v.Weight >= 2) {
			t.Errorf("%+v", v)
		}
	}
	d := described(a)
	for name, text := range map[string]string{"all": "build everything", "test": "run the tests", "clean": "rm -rf $(OUT) continued: here", "double": ""} {
		if d[name] != text {
			t.Errorf("%s: %q, want %q", name, d[name], text)
		}
	}
	for line, want := range map[string]string{
		"make -f other.mk":                    "last other",
		"make -fother.mk --file=sub/Makefile": "high last other",
		"make -C sub":                         "low",
		"make -C mk -C ../sub":                "low",
		"make --directory=sub -f ../other.mk": "last other",
	} {
		equal(t, line, sorted(expect(t, Fresh, Request{Name: "make:targets", Dir: root, Words: words(line)})), words(want))
	}
	for _, line := range []string{"make -C mk", "make -f none", "make -C none"} {
		expect(t, Failed, Request{Name: "make:targets", Dir: root, Words: words(line)})
	}
	if isFile(filepath.Join(root, "evil")) || isFile(filepath.Join(root, "evil2")) {
		t.Error("a command of the makefile ran")
	}
}

func TestMakeAgainstMake(t *testing.T) {
	root := tree(t, map[string]string{"Makefile": `
V := lib
.PHONY: all clean
all: $(V).a prog ## everything
$(V).a: x.o
	ar rc $@ $^
x.o y.o: %.o: %.c
	cc -c $<
prog: main.c
x.c y.c main.c:
clean:
	rm -f *.o
a\:b:
	true
one two: three ; true
three:: ; true
`})
	cmd := exec.Command("make", "-qprR")
	cmd.Dir = root
	out, _ := cmd.Output()
	if len(out) == 0 {
		t.Skip("no make")
	}
	_, files, _ := strings.Cut(string(out), "\n# Files\n")
	files = regexp.MustCompile(`(?m)^# Not a target:\n.*\n`).ReplaceAllString(files, "")
	names := []string{}
	for _, m := range regexp.MustCompile(`(?m)^([^#\t\n.].*?)::?(?: .*)?$`).FindAllStringSubmatch(files, -1) {
		if m[1] != "Makefile" {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	got := sorted(expect(t, Fresh, Request{Name: "make:targets", Dir: root}))
	equal(t, "make -qp", got, slices.Compact(names))
}

func TestMakeBounds(t *testing.T) {
	bomb := "A0 = xxxxxxxxxxxxxxxx\n"
	for i := range 30 {
		bomb += strings.ReplaceAll("AN = $(AM)$(AM)$(AM)$(AM)\n", "N", string(rune('a'+i%26))) // refers on and on
		bomb = strings.ReplaceAll(bomb, "AM", "A"+string(rune('a'+(i+1)%26)))
	}
	p := newMakeParser()
	p.parse(bomb + "SELF = $(SELF)x\nA = $(B)$(B)$(B)$(B)$(B)$(B)$(B)$(B)\nB = $(C)$(C)$(C)$(C)$(C)$(C)$(C)$(C)\nC = $(D)$(D)$(D)$(D)$(D)$(D)$(D)$(D)\nD = $(E)$(E)$(E)$(E)$(E)$(E)\nE = 0123456789012345678901234567890123456789\n$(Aa) $(SELF) $(A) fine: x\n")
	if len(p.targets) != 1 || p.targets[0].name != "fine" {
		t.Errorf("%d targets", len(p.targets))
	}
}

// A makefile that wants quadratic work from a reader.
func TestMakeHostile(t *testing.T) {
	for name, text := range map[string]string{
		"append":   strings.Repeat("A += xxxxxxxxxxxxxxxxxxxxxxxx\n", 200_000),
		"expand":   "A = " + strings.Repeat("x", 60_000) + "\n" + strings.Repeat("$(A) ", 200_000) + ": x\n",
		"open":     strings.Repeat("$(", 1<<20),
		"continue": strings.Repeat("\\\n", 1<<20),
		"colons":   strings.Repeat(":", 1<<20),
		"targets":  "a: " + strings.Repeat("${", 1<<19) + "\n" + strings.Repeat("a ", 1<<19) + ": b\n\trecipe\n",
	} {
		start := time.Now()
		newMakeParser().parse(text)
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func FuzzMakefile(f *testing.F) {
	f.Add("a := b\n$(a): c ## d\n\techo\n.PHONY: $(a)\ndefine x\nendef\ninclude y\n\\\n${a} &: z\\")
	f.Fuzz(func(t *testing.T, text string) {
		p := newMakeParser()
		p.include = func(*makeParser, string) {}
		p.parse(text)
		for _, target := range p.targets {
			if target.name == "" || strings.ContainsAny(target.name, "\n%") {
				t.Fatalf("%q: target %q", text, target.name)
			}
		}
	})
}

func BenchmarkMakeTargets(b *testing.B) {
	root := makeTree(b)
	for b.Loop() {
		expect(b, Fresh, Request{Name: "make:targets", Dir: root})
	}
}

func TestJustRecipes(t *testing.T) {
	root := tree(t, map[string]string{
		"Justfile":  "set shell := [\"bash\", \"-c\"]\nversion := \"1: 2\"\nexport X := 'y'\nimport 'more.just'\nimport? 'none.just'\nmod sub\nalias b := build\n\n# Build it\nbuild target='all:x' *flags: dep\n    echo no: recipe\n\n@quiet:\n    true\n_private:\n    true\n[private]\nhidden:\n    true\n[doc('Shown')]\n[linux]\ndoc:\n",
		"more.just": "# From afar\nfar:\n", "deep/er/x": "",
	})
	for _, dir := range []string{"", "deep/er"} {
		a := expect(t, Fresh, Request{Name: "just:recipes", Dir: filepath.Join(root, dir)})
		equal(t, "just", texts(a), words("b build doc far quiet"))
		if d := described(a); d["build"] != "Build it" || d["b"] != "alias of build" || d["doc"] != "Shown" || d["far"] != "From afar" {
			t.Errorf("descriptions %q", d)
		}
	}
	equal(t, "just -f", texts(expect(t, Fresh, Request{Name: "just:recipes", Dir: root, Words: words("just -f more.just")})), words("far"))
	expect(t, Failed, Request{Name: "just:recipes", Dir: t.TempDir()})
}

// The recipes of modules are called by the module's path.
func TestJustModules(t *testing.T) {
	root := tree(t, map[string]string{
		"justfile":           "mod foo\nmod? bar 'tools/bar.just'\nmod? gone\n# Of its own\nmod deep\n[private]\nmod hidden\nbuild:\n  x\nmod:\n  x\n",
		"foo.just":           "# Bar it\nbar:\n  x\nbaz:\n  x\n_private:\n  x\n",
		"tools/bar.just":     "run:\n  x\n",
		"deep/Justfile":      "mod more\nimport 'also.just'\n",
		"deep/more/mod.just": "down:\n  x\n",
		"deep/also.just":     "also:\n  x\n",
		"hidden.just":        "no:\n  x\n",
		"loop.just":          "mod loop 'loop.just'\nstep:\n  x\n",
	})
	a := expect(t, Fresh, Request{Name: "just:recipes", Dir: root, Words: words("just")})
	equal(t, "just", texts(a), words("bar::run build deep::also deep::more::down foo::bar foo::baz mod"))
	if d := described(a); d["foo::bar"] != "Bar it" {
		t.Errorf("descriptions %q", d)
	}
	a = expect(t, Fresh, Request{Name: "just:recipes", Dir: root, Words: words("just"), Filter: Filter{Text: "foo::"}})
	equal(t, "just foo::", texts(a), words("foo::bar foo::baz"))
	if a = expect(t, Fresh, Request{Name: "just:recipes", Dir: root, Words: words("just -f loop.just"), Limit: 5}); len(a.Values) != 5 {
		t.Errorf("a module of itself: %q", texts(a))
	}
}

func FuzzJust(f *testing.F) {
	f.Add("# c\nbuild x='a:b': y\nalias a := b\n[private]\nx:\nimport 'z'")
	f.Fuzz(func(t *testing.T, text string) {
		scanJust(text, func(r justRecipe) {
			if v := r.value(); r.offered() && (v.Value == "" || strings.ContainsAny(v.Value, " \n:")) {
				t.Fatalf("%q: %+v", text, v)
			}
		}, nil, func(string) {}, func(string, string) {})
	})
}
