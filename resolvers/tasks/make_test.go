package tasks

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func makeTree(t testing.TB) string {
	return resolvertest.Tree(t, map[string]string{
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
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "make:targets", Dir: root, Words: resolvertest.Words("make")})
	// $(wildcard …) beside "after" says nothing of "after".
	resolvertest.Equal(t, "make", resolvertest.Sorted(a), want)
	for _, v := range a.Values {
		if phony := slices.Contains(resolvertest.Words("all test clean one two lint"), v.Value); phony != (v.Weight >= 2) {
			t.Errorf("%+v", v)
		}
	}
	d := resolvertest.Described(a)
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
		resolvertest.Equal(t, line, resolvertest.Sorted(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "make:targets", Dir: root, Words: resolvertest.Words(line)})), resolvertest.Words(want))
	}
	for _, line := range []string{"make -C mk", "make -f none", "make -C none"} {
		resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "make:targets", Dir: root, Words: resolvertest.Words(line)})
	}
	if disk.IsFile(filepath.Join(root, "evil")) || disk.IsFile(filepath.Join(root, "evil2")) {
		t.Error("a command of the makefile ran")
	}
}

func TestMakeAgainstMake(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{"Makefile": `
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
	got := resolvertest.Sorted(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "make:targets", Dir: root}))
	resolvertest.Equal(t, "make -qp", got, slices.Compact(names))
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
		resolvertest.Expect(b, resolvers.Fresh, resolvers.Request{Name: "make:targets", Dir: root})
	}
}
