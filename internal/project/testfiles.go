package project

import (
	"path/filepath"
	"slices"
	"strings"
)

// testStem is what a test file is about: "parser" of test_parser.py, "" for none.
func testStem(name string) string {
	for _, ends := range [...]string{
		"_test.py", ".test.ts", ".test.tsx", ".test.js", ".test.jsx", ".test.mjs", ".spec.ts", ".spec.tsx", ".spec.js", ".spec.jsx",
		"_spec.rb", "_test.rb", "_test.exs", "Test.php", "_test.dart",
	} {
		if stem, ok := strings.CutSuffix(name, ends); ok {
			return stem
		}
	}
	if rest, ok := strings.CutPrefix(name, "test_"); ok {
		for _, ends := range [...]string{".py", ".rb"} {
			if stem, ok := strings.CutSuffix(rest, ends); ok {
				return stem
			}
		}
	}
	return ""
}

// ofTestFile asks the role test of a test file by its stem.
func (p *Project) ofTestFile(r *Role, words []string) ([]object, *lack) {
	if r.Name != "test" && r.Name != "unit" {
		return nil, nil
	}
	want := strings.Join(words, "-")
	var files []string
	p.walk(p.pkg.dir, 0, func(dir string, entries []Entry) {
		for _, e := range entries {
			if s := testStem(e.Name); !e.Dir && s != "" && (canonical(s) == want || canonical(e.Name) == want) && !strings.ContainsFunc(e.Name, isOdd) {
				files = append(files, filepath.Join(dir, e.Name))
			}
		}
	})
	var out []object
	for _, f := range files {
		rel, err := filepath.Rel(p.pkg.dir, f)
		if err != nil || strings.ContainsFunc(rel, isOdd) {
			continue
		}
		if pl := p.testCommand(rel, nil); pl != nil {
			out = append(out, object{*pl, rel})
		}
	}
	return out, nil
}

// testCommand runs one test file, or with a filter those tests of all whose names
// hold it; nil where that is not known.
func (p *Project) testCommand(file string, filter []string) *Play {
	u := p.pkg
	ext := filepath.Ext(file)
	play := func(e *Ecosystem, argv ...string) *Play {
		if e == nil || len(e.rivals) > 0 {
			return nil
		}
		return &Play{Role: "test", Runner: argv[0], Name: "test", Argv: argv, Dir: u.rdir(), Manager: e.Manager, Evidence: e.Evidence, eco: e.Name}
	}
	switch {
	case ext == ".py":
		e := u.eco("python")
		if e == nil || !u.holds("fact:pytest") {
			return nil
		}
		argv := append(slices.Clone(e.fill["prefix"]), "pytest")
		if !u.holds("fact:py-prefix") {
			argv = append(slices.Clone(e.fill["python"]), "-m", "pytest")
		}
		if filter != nil {
			return play(e, append(argv, filter...)...)
		}
		return play(e, append(argv, file)...)
	case strings.HasSuffix(file, "_spec.rb"):
		return play(u.eco("ruby"), "bundle", "exec", "rspec", file)
	case ext == ".rb" && u.eco("rails") != nil:
		return play(u.eco("rails"), append(slices.Clone(u.eco("rails").fill["rails"]), "test", file)...)
	case ext == ".exs":
		return play(u.eco("elixir"), "mix", "test", file)
	case ext == ".php":
		if u.holds("fact:phpunit") {
			return play(u.eco("php"), "vendor/bin/phpunit", file)
		}
	case ext == ".dart" && u.eco("flutter") != nil:
		return play(u.eco("flutter"), "flutter", "test", file)
	case ext == ".dart":
		return play(u.eco("dart"), "dart", "test", file)
	case u.eco("deno") != nil:
		return play(u.eco("deno"), "deno", "test", file)
	case u.eco("javascript") != nil:
		return p.scriptTest(file)
	}
	return nil
}

// scriptTest hands a test file to the script that runs the tests, where what it
// runs takes one.
func (p *Project) scriptTest(file string) *Play {
	u := p.pkg
	r := p.roles.Role("test")
	pl, c := u.own(r, true)
	if c != nil || pl == nil {
		if u.eco("javascript").Manager == "bun" && u.holds("fact:js-tests") {
			e := u.eco("javascript")
			return &Play{Role: "test", Runner: "bun", Name: "test", Argv: []string{"bun", "test", file}, Dir: u.rdir(), Manager: "bun", Evidence: e.Evidence, eco: e.Name}
		}
		return nil
	}
	list := commands(pl.Body)
	if len(list) != 1 || !slices.Contains([]string{"jest", "vitest", "mocha", "ava"}, list[0].words[0]) && !list[0].hasMark("node --test", false) {
		return nil
	}
	if checked, _ := p.checked(u, pl); checked == nil {
		return nil
	}
	pl.Argv = withArgs(pl, []string{file})
	return pl
}

// ofTestName asks the role test of tests whose names hold the words.
func (p *Project) ofTestName(r *Role, words []string) ([]object, *lack) {
	if r.Name != "test" || p.pkg.eco("python") == nil {
		return nil, nil
	}
	want := strings.Join(words, "_")
	found, read := false, 0
	p.walk(p.pkg.dir, 0, func(dir string, entries []Entry) {
		for _, e := range entries {
			if found || read > 400 || e.Dir || !strings.HasSuffix(e.Name, ".py") || testStem(e.Name) == "" {
				continue
			}
			read++
			for line := range strings.Lines(p.str(filepath.Join(dir, e.Name))) {
				line = strings.TrimSpace(line)
				name, ok := strings.CutPrefix(strings.TrimPrefix(line, "async "), "def test")
				if !ok {
					name, ok = strings.CutPrefix(line, "class Test")
				}
				if name, _, _ = strings.Cut(name, "("); ok && strings.Contains(strings.ToLower(name), want) {
					found = true
				}
			}
		}
	})
	if !found {
		return nil, nil
	}
	if pl := p.testCommand("x.py", []string{"-k", want}); pl != nil {
		return []object{{*pl, want}}, nil
	}
	return nil, nil
}
