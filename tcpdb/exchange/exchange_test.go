package exchange

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func anyEntry(t *rapid.T) tcpdb.Entry {
	key := rapid.StringN(1, 40, 200).Draw(t, "key")
	level := tcpdb.Level(rapid.IntRange(0, 5).Draw(t, "level"))
	flags := tcpdb.Flags(rapid.Uint32().Draw(t, "flags"))
	n := rapid.IntRange(0, 70000)
	return tcpdb.Entry{
		Key:        key,
		Descriptor: tcpdb.NewDescriptor(key, level, flags, n.Draw(t, "ms"), n.Draw(t, "mb"), n.Draw(t, "kb")),
		Rule:       rapid.String().Draw(t, "rule"), Reason: rapid.String().Draw(t, "reason"),
		Scope: tcpdb.Scope(rapid.IntRange(0, 6).Draw(t, "scope")),
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOfN(rapid.Custom(anyEntry), 1, 5).Draw(t, "entries")
		var text, raw bytes.Buffer
		if err := WriteJSON(&text, entries); err != nil {
			t.Fatal(err)
		}
		if err := WriteBytes(&raw, entries); err != nil {
			t.Fatal(err)
		}
		got, err := Read(&text)
		if diff := cmp.Diff(entries, got); diff != "" || err != nil {
			t.Fatalf("JSON: %v\n%s", err, diff)
		}
		got, err = Read(&raw)
		for i := range entries { // the words are not part of the bytes
			entries[i] = tcpdb.Entry{Key: entries[i].Key, Descriptor: entries[i].Descriptor}
		}
		if diff := cmp.Diff(entries, got); diff != "" || err != nil {
			t.Fatalf("bytes: %v\n%s", err, diff)
		}
	})
}

// The published record of rm, followed by its key.
func TestReadBytes(t *testing.T) {
	record, _ := hex.DecodeString("544350020002d67f249b000006d0271003e800320002ef04")
	got, err := Read(bytes.NewReader(append(record, "rm"...)))
	if err != nil || len(got) != 1 || got[0].Key != "rm" || got[0].Descriptor.Level() != tcpdb.Critical {
		t.Fatalf("%+v, %v", got, err)
	}
	bad, _ := hex.DecodeString("544350020002d67f249b0000022f138801f40032000296f8")
	for name, tt := range map[string]struct {
		data string
		want string
	}{
		"bad checksum":   {string(bad) + "rm", "byte 0"},
		"other key":      {string(record) + "ls", `byte 0, "ls"`},
		"cut in record":  {string(record) + "rm" + string(record[:9]), "byte 26"},
		"cut in the key": {string(record) + "r", "byte 24"},
	} {
		_, err := Read(strings.NewReader(tt.data))
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q …", name, err, tt.want)
		}
	}
	if _, err := Read(bytes.NewReader(append(bad, "rm"...))); !errors.Is(err, tcpdb.ErrChecksum) {
		t.Errorf("bad checksum: %v", err)
	}
}

func TestReadJSON(t *testing.T) {
	got, err := Read(strings.NewReader("\n" + `{"key":"rm","level":"critical","flags":["destructive"],"time_ms":7,"memory_mb":0,"output_kb":0}` + "\n"))
	want := []tcpdb.Entry{{Key: "rm", Descriptor: tcpdb.NewDescriptor("rm", tcpdb.Critical, tcpdb.Destructive, 7, 0, 0)}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	const record = `"record":"544350020002d67f249b000006d0271003e800320002ef04"`
	for name, tt := range map[string]struct{ line, want string }{
		"no JSON":         {`rm`, "line 1: "},
		"unknown field":   {`{"key":"rm","level":"safe","flags":[],"lvl":1}`, "line 1: "},
		"unknown level":   {`{"key":"rm","level":"mild","flags":[]}`, `line 1, "rm": unknown level`},
		"unknown flag":    {`{"key":"rm","level":"safe","flags":["X"]}`, `line 1, "rm": unknown capability`},
		"unknown scope":   {`{"key":"rm","level":"safe","flags":[],"scope":"x"}`, `line 1, "rm": unknown scope`},
		"no key":          {`{"level":"safe","flags":[]}`, "line 1: no key"},
		"two objects":     {`{"key":"a","level":"safe","flags":[]} {}`, `line 1, "a": more than one`},
		"record lowered":  {`{"key":"rm","level":"safe","flags":[],` + record + `}`, `line 1, "rm": the record says CRITICAL`},
		"another command": {`{"key":"ls","level":"critical","flags":[],` + record + `}`, `line 1, "ls": the record is that of another`},
		"bad hex":         {`{"key":"rm","level":"safe","flags":[],"record":"5g"}`, `line 1, "rm": record: `},
	} {
		if _, err := Read(strings.NewReader(tt.line)); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q …", name, err, tt.want)
		}
	}
	if got, err := Read(strings.NewReader("")); len(got) != 0 || err != nil {
		t.Errorf("nothing: %v, %v", got, err)
	}
}

func FuzzRead(f *testing.F) {
	record, _ := hex.DecodeString("544350020002d67f249b000006d0271003e800320002ef04")
	f.Add(append(record, "rm"...))
	f.Add([]byte(`{"key":"rm","level":"critical","flags":["DESTRUCTIVE"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := WriteBytes(&out, entries); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&out)
		if err != nil || len(again) != len(entries) {
			t.Fatalf("%q: read again: %v", data, err)
		}
		for i := range again {
			if again[i].Key != entries[i].Key || again[i].Descriptor.Level() != entries[i].Descriptor.Level() {
				t.Fatalf("%q: %+v became %+v", data, entries[i], again[i])
			}
		}
	})
}
