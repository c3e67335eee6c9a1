package drafts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

func TestMerge(t *testing.T) {
	const base = `{"tool":"x","version":"1","node":{"name":"x","description":"old","flags":[
		{"names":["-a","--all"],"value":"none","from":["help:1"]},{"names":["--gone"],"value":"none"},{"names":["--kind"],"value":"required"}],
		"subcommands":[{"name":"add"},{"name":"old"}]}}`
	for _, test := range []struct {
		name, edited, generated, want string
		conflicts                     []string
	}{
		{
			"nothing edited",
			base,
			`{"tool":"x","version":"2","node":{"name":"x"}}`,
			`{"tool":"x","version":"2","node":{"name":"x"}}`, nil,
		},
		{
			"nothing new",
			`{"tool":"x","version":"1","node":{"name":"x","description":"mine"}}`, base,
			`{"tool":"x","version":"1","node":{"name":"x","description":"mine"}}`, nil,
		},
		{
			"edits and news of different things",
			strings.ReplaceAll(strings.ReplaceAll(base, `"old","flags"`, `"mine","flags"`), `{"names":["--kind"],"value":"required"}`, `{"names":["--kind"],"value":"required","value_spec":{"enum":["p","q"]}},{"names":["--own"],"value":"none"}`),
			`{"tool":"x","version":"2","node":{"name":"x","description":"old","flags":[
				{"names":["--all","-a"],"value":"none","from":["help:9"]},{"names":["--kind"],"value":"required","description":"new"},{"names":["--new"],"value":"none"}],
				"subcommands":[{"name":"add","flags":[{"names":["-f"],"value":"none"}]},{"name":"fresh"}]}}`,
			`{"tool":"x","version":"2","node":{"name":"x","description":"mine","flags":[
				{"names":["--all","-a"],"value":"none","from":["help:9"]},
				{"names":["--kind"],"value":"required","description":"new","value_spec":{"enum":["p","q"]}},
				{"names":["--own"],"value":"none"},{"names":["--new"],"value":"none"}],
				"subcommands":[{"name":"add","flags":[{"names":["-f"],"value":"none"}]},{"name":"fresh"}]}}`, nil,
		},
		{
			"taken away stays away",
			`{"tool":"x","version":"1","node":{"name":"x","description":"old","flags":[{"names":["--kind"],"value":"required"}],"subcommands":[{"name":"add"},{"name":"old"}]}}`,
			strings.ReplaceAll(base, `"version":"1"`, `"version":"2"`),
			`{"tool":"x","version":"2","node":{"name":"x","description":"old","flags":[{"names":["--kind"],"value":"required"}],"subcommands":[{"name":"add"},{"name":"old"}]}}`, nil,
		},
		{
			"both changed the same",
			strings.ReplaceAll(base, `["--kind"],"value":"required"`, `["--kind"],"value":"optional"`),
			strings.ReplaceAll(base, `["--kind"],"value":"required"`, `["--kind"],"value":"none"`),
			strings.ReplaceAll(base, `["--kind"],"value":"required"`, `["--kind"],"value":"optional"`),
			[]string{`node.flags[--kind].value: kept "optional"; the tool now says "none"`},
		},
		{
			"edited, and gone from the tool",
			strings.ReplaceAll(base, `{"names":["--gone"],"value":"none"}`, `{"names":["--gone"],"value":"none","hidden":true}`),
			strings.ReplaceAll(base, `{"names":["--gone"],"value":"none"},`, ``),
			`{"tool":"x","version":"1","node":{"name":"x","description":"old","flags":[
				{"names":["-a","--all"],"value":"none","from":["help:1"]},{"names":["--gone"],"value":"none","hidden":true},{"names":["--kind"],"value":"required"}],
				"subcommands":[{"name":"add"},{"name":"old"}]}}`,
			[]string{`node.flags[--gone]: kept {"hidden":true,"names":["--gone"],"value":"none"}; the tool now says nothing`},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, conflicts, err := Merge([]byte(base), []byte(test.edited), []byte(test.generated))
			if err != nil {
				t.Fatal(err)
			}
			var g, w any
			_ = json.Unmarshal(got, &g)
			if err := json.Unmarshal([]byte(test.want), &w); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(w, g); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var told []string
			for _, c := range conflicts {
				told = append(told, c.String())
			}
			if diff := cmp.Diff(test.conflicts, told); diff != "" {
				t.Errorf("conflicts (-want +got):\n%s", diff)
			}
		})
	}
}

// source is a map with flags, each with a description.
func source(flags map[string]string, order ...string) *opmap.Source {
	s := &opmap.Source{Schema: 1, Tool: "x", Provenance: "help", Node: &opmap.Node{Name: "x", Interspersed: true}}
	for _, name := range order {
		s.Node.Flags = append(s.Node.Flags, &opmap.Flag{Names: []string{name}, Value: "none", Description: flags[name]})
	}
	return s
}

// TestMergeWithoutEdits: what nobody touched is always what was generated last.
func TestMergeWithoutEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) []byte {
			names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"-a", "-b", "-c", "--all", "--kind", "--new"}), 0, 6, rapid.ID).Draw(t, label)
			texts := map[string]string{}
			for _, n := range names {
				texts[n] = rapid.SampledFrom([]string{"one", "two", ""}).Draw(t, label+n)
			}
			return source(texts, names...).Encode()
		}
		base, generated := draw("base"), draw("generated")
		got, conflicts, err := Merge(base, base, generated)
		if err != nil || len(conflicts) > 0 {
			t.Fatalf("%v, conflicts %v", err, conflicts)
		}
		var g, w any
		_, _ = json.Unmarshal(got, &g), json.Unmarshal(generated, &w)
		if diff := cmp.Diff(w, g); diff != "" {
			t.Fatalf("(-generated +got):\n%s", diff)
		}
		// And what nothing new is generated over is always what was edited.
		edited := draw("edited")
		got, conflicts, err = Merge(base, edited, base)
		if err != nil || len(conflicts) > 0 {
			t.Fatalf("%v, conflicts %v", err, conflicts)
		}
		_, _ = json.Unmarshal(got, &g), json.Unmarshal(edited, &w)
		if diff := cmp.Diff(w, g); diff != "" {
			t.Fatalf("(-edited +got):\n%s", diff)
		}
	})
}

func put(t *testing.T, d Dir, id string, s *opmap.Source) Outcome {
	t.Helper()
	lock, err := d.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	out, err := d.Put(Base{Tool: "x", Identity: id}, s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func flagTexts(t *testing.T, d Dir) string {
	t.Helper()
	s, err := d.Read("x")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range s.Node.Flags {
		out = append(out, f.Names[0]+" "+f.Description)
	}
	return strings.Join(out, ", ")
}

func TestPut(t *testing.T) {
	d := Dir(filepath.Join(t.TempDir(), "drafts"))
	text := map[string]string{"-a": "one <x> & y", "-b": "two"}
	put(t, d, "1", source(text, "-a", "-b"))
	if got := flagTexts(t, d); got != "-a one <x> & y, -b two" {
		t.Fatalf("first: %s", got)
	}
	// A new version, nothing edited.
	if out := put(t, d, "2", source(text, "-a")); out.Edited || len(out.Conflicts) > 0 {
		t.Errorf("unedited: %+v", out)
	}
	if got := flagTexts(t, d); got != "-a one <x> & y" {
		t.Errorf("second: %s", got)
	}
	// An edit is carried over, twice.
	edit(t, d, `one <x> & y`, `mine`)
	for _, id := range []string{"3", "4"} {
		if out := put(t, d, id, source(text, "-a", "-b")); !out.Edited || len(out.Conflicts) > 0 {
			t.Errorf("edited: %+v", out)
		}
		if got := flagTexts(t, d); got != "-a mine, -b two" {
			t.Errorf("edited: %s", got)
		}
	}
	// A conflict is told, and the edit stays.
	text["-a"] = "three"
	if out := put(t, d, "5", source(text, "-a", "-b")); len(out.Conflicts) != 1 || out.Conflicts[0].Where != "node.flags[-a].description" {
		t.Errorf("conflict: %+v", out)
	}
	if got := flagTexts(t, d); got != "-a mine, -b two" {
		t.Errorf("conflict: %s", got)
	}
	if b := d.Base("x"); b == nil || b.Identity != "5" {
		t.Errorf("base %+v", b)
	}
	// A program of which nothing is written any more leaves the edited draft.
	if err := d.PutNone(Base{Tool: "x", Identity: "6", Why: "empty"}); err != nil {
		t.Fatal(err)
	}
	if got := flagTexts(t, d); got != "-a mine, -b two" {
		t.Errorf("after none: %s", got)
	}
}

func edit(t *testing.T, d Dir, from, to string) {
	t.Helper()
	data, err := os.ReadFile(d.File("x"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), from) {
		t.Fatalf("%q is not in %s", from, data)
	}
	if err := os.WriteFile(d.File("x"), []byte(strings.Replace(string(data), from, to, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestStrangers: what was not generated here, or cannot be read, is not overwritten.
func TestStrangers(t *testing.T) {
	for _, content := range []string{`{"schema":1,"tool":"x","node":{"name":"x"}}`, "not JSON", ""} {
		d := Dir(t.TempDir())
		if err := os.WriteFile(d.File("x"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		lock, err := d.Lock()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Put(Base{Tool: "x"}, source(nil, "-a")); err == nil {
			t.Errorf("%q was overwritten", content)
		}
		lock.Unlock()
		if data, _ := os.ReadFile(d.File("x")); string(data) != content {
			t.Errorf("%q became %q", content, data)
		}
	}
}

// TestBrokenEdit: an edit that is no map stays as it is and is told of.
func TestBrokenEdit(t *testing.T) {
	d := Dir(t.TempDir())
	put(t, d, "1", source(nil, "-a"))
	edit(t, d, `"-a"`, `"-a`)
	before, _ := os.ReadFile(d.File("x"))
	if _, err := d.Put(Base{Tool: "x"}, source(nil, "-a", "-b")); err == nil || !strings.Contains(err.Error(), d.File("x")) {
		t.Errorf("error %v", err)
	}
	if after, _ := os.ReadFile(d.File("x")); string(after) != string(before) {
		t.Error("it was overwritten")
	}
}

// TestKilledBetweenWrites: a draft that is newer than its base is not taken for
// an edit.
func TestKilledBetweenWrites(t *testing.T) {
	d := Dir(t.TempDir())
	put(t, d, "1", source(nil, "-a"))
	next := source(nil, "-a", "-b")
	if err := os.WriteFile(d.File("x"), next.Encode(), 0o644); err != nil { // Put was killed after its first write
		t.Fatal(err)
	}
	if out := put(t, d, "2", next); out.Edited || len(out.Conflicts) > 0 {
		t.Errorf("%+v", out)
	}
	if out := put(t, d, "3", source(nil, "-a")); out.Edited {
		t.Errorf("%+v", out)
	}
	if got := flagTexts(t, d); got != "-a " {
		t.Errorf("%s", got)
	}
}
