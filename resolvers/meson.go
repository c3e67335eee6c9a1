package resolvers

import (
	"context"
	"path/filepath"
	"strings"
)

// mesonInfo is a file of what meson tells of a build directory: that of -C, or
// the working directory (https://mesonbuild.com/IDE-integration.html).
func mesonInfo(r Request, name string) (path string, ok bool) {
	dir := r.Dir
	if to, ok := option(r.Words, true, "-C"); ok {
		dir = within(dir, to)
	}
	path = filepath.Join(dir, "meson-info", name)
	return path, isFile(path)
}

// mesonObjects makes values of an array of objects in such a file.
func mesonObjects(ctx context.Context, r Request, name string, value func(c *collector, f mesonFields)) Answer {
	c := newCollector(ctx, r)
	path, ok := mesonInfo(r, name)
	if !ok {
		return failed(nowhere("no build directory of meson", r.Dir))
	}
	data, err := readRegular(path, maxManifest)
	if err != nil {
		return failed(err)
	}
	err = readJSON(data, func(j *jsonReader) error {
		return j.array(func() error {
			var f mesonFields
			err := j.object(f.member(j))
			value(c, f)
			return err
		})
	})
	if err != nil {
		return failed(err)
	}
	return c.answer()
}

type mesonFields struct {
	name, kind, description string
	suites, choices         []string
}

func (f *mesonFields) member(j *jsonReader) func(key string) error {
	texts := func(to *[]string) error {
		if j.peek() != '[' {
			return j.skip()
		}
		return j.array(func() error {
			if j.peek() != '"' {
				return j.skip()
			}
			text, err := j.text()
			*to = append(*to, text)
			return err
		})
	}
	return func(key string) (err error) {
		switch {
		case key == "suite":
			return texts(&f.suites)
		case key == "choices":
			return texts(&f.choices)
		case j.peek() != '"':
			return j.skip()
		case key == "name":
			f.name, err = j.text()
		case key == "type":
			f.kind, err = j.text()
		case key == "description":
			f.description, err = j.text()
		default:
			return j.skip()
		}
		return err
	}
}

// mesonTargets answers meson:targets of a build directory.
func mesonTargets(ctx context.Context, r Request) Answer {
	return mesonObjects(ctx, r, "intro-targets.json", func(c *collector, f mesonFields) {
		c.add(Value{Value: f.name, Description: f.kind, Kind: "target"})
	})
}

// mesonTests answers meson:tests of a build directory.
func mesonTests(ctx context.Context, r Request) Answer {
	return mesonObjects(ctx, r, "intro-tests.json", func(c *collector, f mesonFields) {
		c.add(Value{Value: f.name, Description: strings.Join(f.suites, " "), Kind: "test"})
	})
}

// mesonSuites answers meson:suites of a build directory.
func mesonSuites(ctx context.Context, r Request) Answer {
	return mesonObjects(ctx, r, "intro-tests.json", func(c *collector, f mesonFields) {
		for _, s := range f.suites {
			c.add(Value{Value: s, Kind: "suite"})
		}
	})
}

// mesonOptions answers meson:options: what -D sets, as "NAME=" or with each of
// its choices. A build directory knows all of them; else the project's file does.
func mesonOptions(ctx context.Context, r Request) Answer {
	if _, ok := mesonInfo(r, "intro-buildoptions.json"); ok {
		return mesonObjects(ctx, r, "intro-buildoptions.json", func(c *collector, f mesonFields) { f.add(c) })
	}
	c := newCollector(ctx, r)
	for _, name := range [...]string{"meson.options", "meson_options.txt"} {
		data, err := readRegular(filepath.Join(r.Dir, name), maxManifest)
		if err != nil {
			continue
		}
		for _, f := range parseMesonOptions(string(data)) {
			f.add(c)
		}
		return c.answer()
	}
	return failed(nowhere("no meson.options", r.Dir))
}

// add offers an option; its choices once its name is typed.
func (f mesonFields) add(c *collector) {
	description := oneLine(f.description, 80)
	choices := f.choices
	if f.kind == "boolean" {
		choices = []string{"true", "false"}
	}
	if f.kind == "feature" {
		choices = []string{"enabled", "disabled", "auto"}
	}
	name := f.name + "="
	if len(choices) == 0 || !strings.HasPrefix(c.filter.Text, name) {
		c.add(Value{Value: name, Description: description, Kind: "option", Partial: true})
		return
	}
	for i, choice := range choices {
		c.add(Value{Value: name + choice, Description: description, Kind: "value", Weight: len(choices) - i})
	}
}

// parseMesonOptions reads the calls option('name', key : value, …) of a text in
// meson's language; what it does not understand it passes over.
func parseMesonOptions(text string) []mesonFields {
	var all []mesonFields
	var f *mesonFields
	key, last, lists := "", "", 0
	for i := 0; i < len(text); {
		switch b := text[i]; {
		case b == '#':
			i = skipTo(text, i, "\n")
		case b == '\'':
			var value string
			value, i = mesonText(text, i)
			switch {
			case f == nil:
			case f.name == "":
				f.name = value
			case key == "type":
				f.kind = value
			case key == "description":
				f.description += value
			case key == "choices" && lists > 0:
				f.choices = append(f.choices, value)
			}
		case isRustWord(b):
			start := i
			for i < len(text) && isRustWord(text[i]) {
				i++
			}
			last = text[start:i]
		default:
			switch b {
			case '(':
				if last == "option" && f == nil {
					f, key = &mesonFields{}, ""
				}
			case ')':
				if f != nil && f.name != "" && lists == 0 {
					all = append(all, *f)
				}
				f, lists = nil, 0
			case '[':
				lists++
			case ']':
				lists = max(0, lists-1)
			case ':':
				key = last
			}
			i++
		}
	}
	return all
}

// mesonText reads a text in single quotes, or in three of them, that begins at
// i, and returns where it ends.
func mesonText(text string, i int) (value string, end int) {
	if strings.HasPrefix(text[i:], "'''") {
		end = skipTo(text, i+3, "'''")
		return strings.TrimSuffix(text[min(i+3, end):end], "'''"), end
	}
	var b strings.Builder
	for i++; i < len(text) && text[i] != '\'' && text[i] != '\n'; i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String(), min(i+1, len(text))
}
