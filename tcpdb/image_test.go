package tcpdb

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"
)

// fullImage has something in every table.
func fullImage(t testing.TB) []byte {
	return build(t, func(b *Builder) {
		b.Tool(sampleTool())
		b.Tool(&Node{Name: "rm", Description: "remove files"})
		for i, key := range []string{"git reset", "git remote add", "git push", "rm", "ls"} {
			b.Entry(Entry{
				Key: key, Descriptor: NewDescriptor(key, Level(1+i), FileModification, 1, 2, 3),
				Rule: "r" + key, Reason: "because", Safer: "ls", Scope: Scope(i), Provenance: "curated",
				Stake: Stake{Loss: Loss(i), Reach: Reach(i), Fact: Fact(i), Asking: Asking(i)},
			})
		}
		b.Variant(Variant{Entry: Entry{Key: "git reset", Descriptor: NewDescriptor("git reset", Critical, 0, 0, 0, 0)}, All: []string{"hard"}})
		b.Variant(Variant{Entry: Entry{Key: "only variants"}, Effect: HarmlessEffect})
		b.Operation(Operation{ID: "git.reset", Intents: []string{"undo", "reset <p>"}, Params: []Param{{Name: "p"}}})
		b.Operation(Operation{ID: "git.undo", Intents: []string{"undo"}})
		b.Source(Source{Path: "/x", Size: 1})
	})
}

// answers asks an image everything and prints what it says.
func answers(im *Image) (out []string, problems []Problem) {
	v := NewView(im)
	add := func(name string, x any) { out = append(out, fmt.Sprintf("%s: %+v", name, x)) }
	add("tools", v.Tools())
	add("keys", v.Keys())
	for _, tool := range []string{"git", "g", "rm", "none"} {
		if n := v.root(tool); n != nil {
			add(tool, flat(whole(v, n)))
		} else {
			add(tool, nil)
		}
	}
	for _, key := range []string{"git reset", "git remote add", "git push", "rm", "ls", "only variants", "none", "git"} {
		d, ok := v.Lookup(key)
		add("lookup "+key, fmt.Sprint(d, ok))
		add("entries "+key, v.Entries(key))
		add("variants "+key, v.Variants(key))
	}
	add("operations", v.Operations())
	for _, id := range []string{"git.reset", "git.undo", "none"} {
		o, ok := v.Operation(id)
		add(id, fmt.Sprint(o, ok))
	}
	add("undo", v.Intent("undo"))
	f, err := im.Family("git")
	if f != nil {
		add("family", *f)
	}
	problems = v.Problems()
	sources, err2 := im.readSources()
	add("sources", sources)
	if err = errors.Join(err, err2); err != nil {
		problems = append(problems, Problem{Err: err})
	}
	return out, problems
}

var pointer = regexp.MustCompile(`0x[0-9a-f]+`)

// below is what the specs within a spec say.
func below(x ValueSpec) string {
	s := ""
	for _, v := range x.Enum {
		if v.Next != nil {
			s += fmt.Sprintf("[%s%+v]", v.Value, *v.Next) + below(*v.Next)
		}
	}
	if t := x.Then; t != nil {
		s += fmt.Sprintf("[%q %v %+v]", t.Separator, t.Required, t.Spec) + below(t.Spec)
	}
	return pointer.ReplaceAllString(s, "&")
}

// flat is a tree without its pointers.
func flat(n *Node) string {
	c := *n
	c.Subs, c.refs, c.subs = nil, [layerCount]uint32{}, nil
	s := strings.Replace(fmt.Sprintf("%+v", c), " subs:<nil>", "", 1)
	var deeper strings.Builder
	spec := func(x ValueSpec) { deeper.WriteString(below(x)) }
	for _, f := range n.Flags {
		spec(f.Spec)
	}
	for _, a := range n.Args {
		spec(a.Spec)
		for _, x := range a.Alt {
			spec(x)
		}
	}
	s = pointer.ReplaceAllString(s, "&") + deeper.String()
	for _, sub := range n.Subs {
		s += "{" + flat(sub) + "}"
	}
	return s
}

// Every answer of an image with a flipped bit is the right one, or a problem is
// named.
func TestFlippedBit(t *testing.T) {
	data := fullImage(t)
	im, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	want, problems := answers(im)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	refused, named, same := 0, 0, 0
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 1 << (i * 5 % 8)
		im, err := Parse(bad)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrNotMap) && !errors.Is(err, ErrNewer) {
				t.Errorf("byte %d: %v", i, err)
			}
			refused++
			continue
		}
		got, problems := answers(im)
		switch {
		case len(problems) > 0:
			named++
		case !cmp.Equal(got, want):
			t.Errorf("byte %d flipped: another answer and no problem", i)
		default:
			same++
		}
		if errs := Verify(im); len(errs) == 0 {
			t.Errorf("byte %d flipped: Verify says nothing", i)
		}
	}
	t.Logf("%d bytes: %d refused at once, %d named at use, %d in padding", len(data), refused, named, same)
	if named == 0 || refused < headerSize {
		t.Error("the test does not reach what it should")
	}
}

// A layer that is damaged is left out, the others answer.
func TestDamagedLayer(t *testing.T) {
	core := parsed(t, func(b *Builder) {
		b.Entry(Entry{Key: "rm", Descriptor: NewDescriptor("rm", Critical, Destructive, 0, 0, 0)})
		b.Tool(&Node{Name: "rm", Description: "core"})
	})
	data := build(t, func(b *Builder) {
		b.Entry(Entry{Key: "rm", Descriptor: NewDescriptor("rm", Safe, 0, 0, 0, 0)})
		b.Tool(&Node{Name: "rm", Description: "user"})
	})
	rows := int(binary.LittleEndian.Uint32(data[12:]))
	for i := headerSize + rowSize*rows; i < len(data); i++ {
		data[i] ^= 0xff
	}
	user, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	v := NewView(core)
	v.Add(UserLayer, user)
	if d, ok := v.Lookup("rm"); !ok || d.Level() != Critical {
		t.Errorf("lookup: %v %v", d, ok)
	}
	if n := v.Root("rm"); n == nil || n.Description != "core" {
		t.Errorf("root: %+v", n)
	}
	p := v.Problems()
	if len(p) != 1 || p[0].Layer != UserLayer || !errors.Is(p[0].Err, ErrCorrupt) {
		t.Errorf("problems: %v", p)
	}
}

func TestForeignFiles(t *testing.T) {
	data := fullImage(t)
	newer := bytes.Clone(data)
	binary.LittleEndian.PutUint32(newer[8:], FormatVersion+1)
	extra := append(bytes.Clone(data), 0)
	old := bytes.Clone(data)
	binary.LittleEndian.PutUint32(old[8:], 0)
	for name, tt := range map[string]struct {
		data []byte
		want error
	}{
		"empty":        {nil, ErrNotMap},
		"text":         {[]byte("#!/bin/sh\necho hello\n"), ErrNotMap},
		"long text":    {bytes.Repeat([]byte("hello world "), 1000), ErrNotMap},
		"zeros":        {make([]byte, 4096), ErrNotMap},
		"text mode":    {bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), ErrNotMap},
		"newer":        {newer, ErrNewer},
		"version 0":    {old, ErrCorrupt},
		"magic alone":  {data[:8], ErrCorrupt},
		"header alone": {data[:headerSize], ErrCorrupt},
		"half":         {data[:len(data)/2], ErrCorrupt},
		"longer":       {extra, ErrCorrupt},
	} {
		if _, err := Parse(tt.data); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
		path := filepath.Join(t.TempDir(), "x.tcpdb")
		if err := os.WriteFile(path, tt.data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Map(path); !errors.Is(err, tt.want) || !bytes.Contains([]byte(err.Error()), []byte(path)) {
			t.Errorf("map %s: %v, want %v with the path", name, err, tt.want)
		}
	}
}

func TestHugeSparseFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.tcpdb")
	data := fullImage(t)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4<<30+8); err != nil {
		t.Skip(err)
	}
	if _, err := Map(path); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a map grown to 4 GB: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4<<30); err != nil {
		t.Fatal(err)
	}
	if _, err := Map(path); !errors.Is(err, ErrNotMap) {
		t.Errorf("4 GB of nothing: %v", err)
	}
}

// A mapped file that is cut short faults; the answer is an error.
func TestTruncatedWhileMapped(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files are not mapped here")
	}
	data := build(t, func(b *Builder) { manyCommands(b, 5000); b.Tool(sampleTool()) })
	page := os.Getpagesize()
	for _, size := range []int{0, 1, page, len(data) / 2, len(data) - 2*page} {
		path := filepath.Join(t.TempDir(), "x.tcpdb")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		im, err := Map(path)
		if err != nil {
			t.Fatal(err)
		}
		if !im.mapped {
			t.Fatal("the file is not mapped")
		}
		if err := os.Truncate(path, int64(size)); err != nil {
			t.Fatal(err)
		}
		v := NewView(im)
		for i := range 5000 {
			key := fmt.Sprintf("command-%d sub-%d", i/10, i)
			if d, ok := v.Lookup(key); ok && d.Level() != Level(1+i%5) {
				t.Fatalf("cut to %d: %s is %v", size, key, d.Level())
			}
		}
		if errs := Verify(im); len(errs) == 0 {
			t.Errorf("cut to %d: Verify says nothing", size)
		}
		for i := range 5000 {
			key := fmt.Sprintf("command-%d sub-%d", i/10, i)
			if e := v.Entries(key); len(e) > 0 && e[0].Descriptor.Level() != Level(1+i%5) {
				t.Fatalf("cut to %d: %s is %v", size, key, e[0])
			}
		}
		v.Tools()
		v.Operations()
		if size > len(data)/2 {
			continue // what is gone is not what was asked for
		}
		if p := v.Problems(); len(p) != 1 || !errors.Is(p[0].Err, ErrCorrupt) || p[0].File != path {
			t.Errorf("cut to %d: problems %v", size, p)
		}
		if err := im.Close(); err != nil {
			t.Error(err)
		}
		if _, ok := v.Lookup("x"); ok {
			t.Error("a closed map answers")
		}
	}
}

// A fault at another address is not ours to catch.
func TestOtherPanicsPass(t *testing.T) {
	im := parsed(t, func(b *Builder) { b.Tool(sampleTool()) })
	defer func() {
		if recover() == nil {
			t.Error("a panic of another origin was swallowed")
		}
	}()
	var err error
	func() {
		defer im.caught(false, &err)
		var p *int
		*p = 1
	}()
}

func TestDeterministic(t *testing.T) {
	a := fullImage(t)
	for range 5 {
		if !bytes.Equal(a, fullImage(t)) {
			t.Fatal("two builds of the same contents differ")
		}
	}
	b1, b2 := NewBuilder(), NewBuilder()
	keys := []string{"a", "b c", "b d", "e"}
	for i := range keys {
		b1.Entry(Entry{Key: keys[i]})
		b1.Tool(&Node{Name: string(keys[i][:1]) + fmt.Sprint(i)})
		j := len(keys) - 1 - i
		b2.Entry(Entry{Key: keys[j]})
		b2.Tool(&Node{Name: string(keys[j][:1]) + fmt.Sprint(j)})
	}
	d1, err1 := b1.Build()
	d2, err2 := b2.Build()
	if err1 != nil || err2 != nil || !bytes.Equal(d1, d2) {
		t.Error("the order of the calls shows in the bytes")
	}
}

func TestBuildRefuses(t *testing.T) {
	for name, fill := range map[string]func(b *Builder){
		"tool twice":        func(b *Builder) { b.Tool(&Node{Name: "a"}); b.Tool(&Node{Name: "a"}) },
		"no name":           func(b *Builder) { b.Tool(&Node{}) },
		"blank in name":     func(b *Builder) { b.Tool(&Node{Name: "a b"}) },
		"sub twice":         func(b *Builder) { b.Tool(&Node{Name: "a", Subs: []*Node{{Name: "x"}, {Name: "x"}}}) },
		"wrong path":        func(b *Builder) { b.Tool(&Node{Name: "a", Path: "b"}) },
		"entry twice":       func(b *Builder) { b.Entry(Entry{Key: "a"}); b.Entry(Entry{Key: "a"}) },
		"no key":            func(b *Builder) { b.Entry(Entry{}) },
		"operation twice":   func(b *Builder) { b.Operation(Operation{ID: "a"}); b.Operation(Operation{ID: "a"}) },
		"operation unnamed": func(b *Builder) { b.Operation(Operation{}) },
		"long key":          func(b *Builder) { b.Entry(Entry{Key: string(make([]byte, 1<<16))}) },
	} {
		b := NewBuilder()
		fill(b)
		if _, err := b.Build(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Keys that do not fit into the buffer of find, and many of them.
func TestLongKeys(t *testing.T) {
	var keys []string
	for i := range 300 {
		keys = append(keys, fmt.Sprintf("%0*d", i+1, i))
	}
	v := NewView(parsed(t, func(b *Builder) {
		for i, k := range keys {
			b.Entry(Entry{Key: k, Descriptor: NewDescriptor(k, Low, 0, i, 0, 0)})
		}
	}))
	for i, k := range keys {
		if d, ok := v.Lookup(k); !ok || int(d.ExecMS) != i {
			t.Errorf("key of %d bytes: %+v %v", len(k), d, ok)
		}
	}
	noProblems(t, v)
}

// A key with the hash of another one is not that one: the text decides.
func TestSameHash(t *testing.T) {
	index, heads := buildTable([]keyed{{key: "rm", ref: 8, extra: make([]byte, descriptorSize)}})
	// The slot of "rm" under the hash of "ls".
	hash := xxhash.Sum64String("ls")
	clear(index)
	insertSlot(index, uint32(len(index)/bucketSize), hash, 8)
	binary.LittleEndian.PutUint64(index, xxhash.Sum64(index[slotsAt:bucketSize]))
	im := &Image{data: append(index, heads...)}
	im.sections[4*int(riskTable)+indexPart] = extent{0, len(index)}
	im.sections[4*int(riskTable)+headsPart] = extent{len(index), len(heads)}
	if _, ok, err := im.find(riskTable, "ls"); ok || err != nil {
		t.Errorf("ls found as rm: %v %v", ok, err)
	}
}

func TestConcurrentUse(t *testing.T) {
	im := parsed(t, func(b *Builder) { manyCommands(b, 100); b.Tool(sampleTool()) })
	v := NewView(im)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			b := NewBuilder()
			manyCommands(b, 50)
			if _, err := b.Build(); err != nil {
				t.Error(err)
			}
			for range 50 {
				v.Root("git")
				v.Lookup("command-1 sub-11")
				v.Risk("command-1 sub-11")
				v.Tools()
			}
		})
	}
	wg.Wait()
	noProblems(t, v)
}

func FuzzParse(f *testing.F) {
	f.Add(fullImage(f))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		im, err := Parse(data)
		if err != nil {
			return
		}
		answers(im)
		Verify(im)
	})
}

// FuzzBlock gives the decoders payloads whose checksums are right.
func FuzzBlock(f *testing.F) {
	n := sampleTool()
	f.Add(encodeNode(n, "git", []uint32{8, 16}))
	f.Add(encodeRisk(&riskRecord{base: &Entry{Key: "k"}, variants: []Variant{{All: []string{"a"}}}}))
	f.Add(encodeOperation(&Operation{ID: "x", Intents: []string{"i"}, Params: []Param{{Name: "p"}}}))
	f.Add(encodeSources([]Source{{Path: "p"}}))
	if fam, err := BuildFamily("git", 1, []Member{member("git", "a", Safe, 0), member("git", "b", High, 0)}, 8); err == nil {
		f.Add(encodeFamily(fam))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		w := &imageWriter{}
		tables := []struct {
			t    tableID
			kind blockKind
		}{{toolTable, nodeBlock}, {riskTable, riskBlock}, {opTable, opBlock}, {intentTable, intentBlock}, {familyTable, familyBlock}, {detailTable, detailBlock}}
		for _, x := range tables {
			ref := w.add(x.t, x.kind, payload)
			w.keys[x.t] = []keyed{{key: "git", ref: ref, extra: make([]byte, descriptorSize)}}
		}
		w.bodies[metaTable], _ = appendBlock(nil, sourcesBlock, payload)
		data, err := w.bytes()
		if err != nil {
			t.Fatal(err)
		}
		im, err := Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		answers(im)
		im.risk(CoreLayer, "git")
		im.intent("git")
		im.detail("git")
		Verify(im)
	})
}
