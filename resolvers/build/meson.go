package build

import (
	"context"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// mesonInfo is a file of what meson tells of a build directory: that of -C, or
// the working directory (https://mesonbuild.com/IDE-integration.html).
func mesonInfo(r resolvers.Request, name string) (path string, ok bool) {
	dir := r.Dir
	if to, ok := resolvers.Option(r.Words, true, "-C"); ok {
		dir = disk.Within(dir, to)
	}
	path = filepath.Join(dir, "meson-info", name)
	return path, disk.IsFile(path)
}

// mesonObjects makes values of an array of objects in such a file.
func mesonObjects(ctx context.Context, r resolvers.Request, name string, value func(c *resolvers.Collector, f mesonFields)) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	path, ok := mesonInfo(r, name)
	if !ok {
		return resolvers.Failure(resolvers.Nowhere("no build directory of meson", r.Dir))
	}
	data, err := disk.ReadRegular(path, disk.MaxManifest)
	if err != nil {
		return resolvers.Failure(err)
	}
	err = jsonscan.Read(data, func(j *jsonscan.Reader) error {
		return j.Array(func() error {
			var f mesonFields
			err := j.Object(f.member(j))
			value(c, f)
			return err
		})
	})
	if err != nil {
		return resolvers.Failure(err)
	}
	return c.Answer()
}

type mesonFields struct {
	name, kind, description string
	suites, choices         []string
}

func (f *mesonFields) member(j *jsonscan.Reader) func(key string) error {
	texts := func(to *[]string) error {
		if j.Peek() != '[' {
			return j.Skip()
		}
		return j.Array(func() error {
			if j.Peek() != '"' {
				return j.Skip()
			}
			text, err := j.Text()
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
		case j.Peek() != '"':
			return j.Skip()
		case key == "name":
			f.name, err = j.Text()
		case key == "type":
			f.kind, err = j.Text()
		case key == "description":
			f.description, err = j.Text()
		default:
			return j.Skip()
		}
		return err
	}
}

// MesonTargets answers meson:targets of a build directory.
func MesonTargets(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return mesonObjects(ctx, r, "intro-targets.json", func(c *resolvers.Collector, f mesonFields) {
		c.Add(resolvers.Value{Value: f.name, Description: f.kind, Kind: "target"})
	})
}

// MesonTests answers meson:tests of a build directory.
func MesonTests(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return mesonObjects(ctx, r, "intro-tests.json", func(c *resolvers.Collector, f mesonFields) {
		c.Add(resolvers.Value{Value: f.name, Description: strings.Join(f.suites, " "), Kind: "test"})
	})
}

// MesonSuites answers meson:suites of a build directory.
func MesonSuites(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return mesonObjects(ctx, r, "intro-tests.json", func(c *resolvers.Collector, f mesonFields) {
		for _, s := range f.suites {
			c.Add(resolvers.Value{Value: s, Kind: "suite"})
		}
	})
}

// MesonOptions answers meson:options: what -D sets, as "NAME=" or with each of
// its choices. A build directory knows all of them; else the project's file does.
func MesonOptions(ctx context.Context, r resolvers.Request) resolvers.Answer {
	if _, ok := mesonInfo(r, "intro-buildoptions.json"); ok {
		return mesonObjects(ctx, r, "intro-buildoptions.json", func(c *resolvers.Collector, f mesonFields) { f.add(c) })
	}
	c := resolvers.NewCollector(ctx, r)
	for _, name := range [...]string{"meson.options", "meson_options.txt"} {
		data, err := disk.ReadRegular(filepath.Join(r.Dir, name), disk.MaxManifest)
		if err != nil {
			continue
		}
		for _, f := range parseMesonOptions(string(data)) {
			f.add(c)
		}
		return c.Answer()
	}
	return resolvers.Failure(resolvers.Nowhere("no meson.options", r.Dir))
}

// add offers an option; its choices once its name is typed.
func (f mesonFields) add(c *resolvers.Collector) {
	description := resolvers.OneLine(f.description, 80)
	choices := f.choices
	if f.kind == "boolean" {
		choices = []string{"true", "false"}
	}
	if f.kind == "feature" {
		choices = []string{"enabled", "disabled", "auto"}
	}
	name := f.name + "="
	if len(choices) == 0 || !strings.HasPrefix(c.Filter.Text, name) {
		c.Add(resolvers.Value{Value: name, Description: description, Kind: "option", Partial: true})
		return
	}
	for i, choice := range choices {
		c.Add(resolvers.Value{Value: name + choice, Description: description, Kind: "value", Weight: len(choices) - i})
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
			i = mesonSkip(text, i, "\n")
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
		case isMesonWord(b):
			start := i
			for i < len(text) && isMesonWord(text[i]) {
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
		end = mesonSkip(text, i+3, "'''")
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

func isMesonWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b >= utf8.RuneSelf
}

// mesonSkip is the place after the next end, or the end of the text.
func mesonSkip(src string, i int, end string) int {
	if n := strings.Index(src[min(i, len(src)):], end); n >= 0 {
		return i + n + len(end)
	}
	return len(src)
}
