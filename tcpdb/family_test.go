package tcpdb

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func member(tool, name string, level Level, f Flags) Member {
	return Member{Name: name, Descriptor: NewDescriptor(tool+" "+name, level, f, 400, 80, 1)}
}

func TestBuildFamily(t *testing.T) {
	f, err := BuildFamily("git", FamilyKind([]string{"pager", VersionControlClass}), []Member{
		member("git", "status", Safe, 0),
		member("git", "push", High, NetworkAccess),
		member("git", "clean", Critical, Destructive|FileModification),
	}, 7)
	if err != nil {
		t.Fatal(err)
	}
	want := Parent{Hash: 0xba9f11ec, Common: HasDestructive | HasSafeOps | VersionControl, Count: 3, Floor: 0, Properties: 1}
	if f.Parent != want {
		t.Errorf("parent %+v, want %+v", f.Parent, want)
	}
	if diff := cmp.Diff([]string{"clean", "push", "status"}, f.Names); diff != "" {
		t.Error(diff)
	}
	if d := f.Deltas[0]; d.Risk != 4 || d.Specific != 0b11 || d.Perf != 0x23 || d.NameLen != 5 || d.KeyLen != 9 {
		t.Errorf("delta of clean: %+v", d)
	}
	if f.Bytes() != 16+3*7 {
		t.Errorf("%d bytes", f.Bytes())
	}
	if a, ok := f.Lookup("push"); !ok || a.Level != High || a.Capabilities != NetworkAccess || !a.Exact {
		t.Errorf("push: %+v", a)
	}
	if _, ok := f.Lookup("pull"); ok {
		t.Error("pull is not a member")
	}
}

func TestAllRequireRoot(t *testing.T) {
	f, err := BuildFamily("zfs", FamilyKind([]string{FileSystemClass}), []Member{
		member("zfs", "list", Low, RequiresRoot), member("zfs", "destroy", Critical, RequiresRoot|Destructive),
	}, 6)
	if err != nil {
		t.Fatal(err)
	}
	if f.Parent.Common != AllRequireRoot|HasDestructive|Filesystem || f.Parent.Floor != 1 {
		t.Errorf("parent %+v", f.Parent)
	}
	if f.Deltas[0].Specific != 1 { // destroy: DESTRUCTIVE alone
		t.Errorf("specific flags %b", f.Deltas[0].Specific)
	}
	if a, _ := f.Lookup("list"); a.Capabilities != RequiresRoot || a.Level != Low {
		t.Errorf("list: %+v", a)
	}
}

func TestFamilyRefuses(t *testing.T) {
	var many []Member
	for i := range 256 {
		many = append(many, member("x", fmt.Sprint(i), Safe, 0))
	}
	if _, err := BuildFamily("x", 0, many[:255], 6); err != nil {
		t.Errorf("255 members: %v", err)
	}
	for name, members := range map[string][]Member{
		"256 members": many,
		"none":        nil,
		"unknown":     {member("x", "a", Unknown, 0)},
		"twice":       {member("x", "a", Safe, 0), member("x", "a", Low, 0)},
	} {
		if _, err := BuildFamily("x", 0, members, 6); !errors.Is(err, ErrFamily) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever collides: with names the answer is the member's own, without them it
// is never lower.
func TestFamilyLookup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 255).Draw(t, "n")
		var members []Member
		for i := range n {
			level := Level(rapid.IntRange(int(Safe), int(Critical)).Draw(t, "level"))
			flags := Flags(rapid.Uint32Range(0, 63).Draw(t, "caps")) << 6
			members = append(members, member("tool", fmt.Sprintf("sub%d", i), level, flags))
		}
		f, err := BuildFamily("tool", 0, members, rapid.IntRange(6, 8).Draw(t, "size"))
		if err != nil {
			t.Fatal(err)
		}
		blind := *f
		blind.Names = nil
		inFull := map[string]bool{}
		for _, m := range f.Exact {
			inFull[m.Name] = true
		}
		for _, m := range members {
			a, ok := f.Lookup(m.Name)
			if !ok || a.Level != m.Descriptor.Level() || a.Capabilities != m.Descriptor.Flags.Capabilities() {
				t.Fatalf("%s: %+v", m.Name, a)
			}
			b, ok := blind.Lookup(m.Name)
			if !ok || b.Level < a.Level || b.Capabilities&a.Capabilities != a.Capabilities || b.Exact {
				t.Fatalf("%s without names: %+v", m.Name, b)
			}
			if b.Level != a.Level && !inFull[m.Name] {
				t.Fatalf("%s collides and is not stored in full", m.Name)
			}
		}
	})
}

func TestFamilyInImage(t *testing.T) {
	im := parsed(t, func(b *Builder) {
		for i := range 200 { // enough to collide
			key := fmt.Sprintf("git sub%d", i)
			b.Entry(Entry{Key: key, Descriptor: NewDescriptor(key, Level(1+i%5), Destructive, i, i, i)})
		}
		b.Entry(Entry{Key: "git", Descriptor: NewDescriptor("git", Low, 0, 0, 0, 0)})
		b.Entry(Entry{Key: "ls", Descriptor: NewDescriptor("ls", Safe, 0, 0, 0, 0)})
	})
	f, err := im.Family("git")
	if err != nil || f == nil {
		t.Fatal(f, err)
	}
	if len(f.Deltas) != 200 || len(f.Exact) == 0 {
		t.Errorf("%d deltas, %d in full", len(f.Deltas), len(f.Exact))
	}
	if a, ok := f.Lookup("sub7"); !ok || a.Level != Medium { // 1+7%5
		t.Errorf("sub7: %+v", a)
	}
	if f, err := im.Family("ls"); f != nil || err != nil {
		t.Errorf("ls: %v, %v", f, err)
	}
}
