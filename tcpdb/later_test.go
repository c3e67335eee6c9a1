package tcpdb

import (
	"errors"
	"testing"
)

// packed is a view of a core with a whole tool and one that is there to be judged
// alone, and of packs that say something of these and of a third. opened counts
// how often the packs are opened.
func packed(t *testing.T) (v *View, opened *int) {
	t.Helper()
	v = NewView(parsed(t, func(b *Builder) {
		b.Tool(&Node{Name: "whole", Aliases: []string{"w"}})
		b.Tool(&Node{Name: "judged", Bits: Partial | DraftNode, Flags: []Flag{{ID: "f", Names: []string{"-f"}}}})
		b.Entry(Entry{Key: "judged", Descriptor: NewDescriptor("judged", High, 0, 0, 0, 0)})
	}))
	opened = new(int)
	v.Later(PackLayer, func() (*Image, string, error) {
		*opened++
		return parsed(t, func(b *Builder) {
			b.Tool(&Node{Name: "whole", Description: "of the pack"})
			b.Tool(&Node{
				Name: "judged", Bits: Interspersed | Plus | Replaces, Class: []string{"cloud"}, Subs: []*Node{{Name: "sub"}},
				Flags: []Flag{{ID: "force", Names: []string{"--force", "-f"}, Value: RequiredValue, Role: SecretRole}},
			})
			b.Tool(&Node{Name: "third"})
			b.Entry(Entry{Key: "judged", Descriptor: NewDescriptor("judged", Low, 0, 0, 0, 0)})
			b.Entry(Entry{Key: "whole", Descriptor: NewDescriptor("whole", Critical, 0, 0, 0, 0)})
		}), "packs.tcpdb", nil
	})
	return v, opened
}

// TestLaterOpensNothing: what the core maps whole is answered without the packs,
// and alike after they were opened for something else.
func TestLaterOpensNothing(t *testing.T) {
	v, opened := packed(t)
	ask := func() {
		t.Helper()
		for _, name := range []string{"whole", "w"} {
			if n := v.Root(name); n == nil || n.Description != "" {
				t.Errorf("%s: %+v", name, n)
			}
		}
		if _, ok := v.Lookup("whole"); ok || v.Risk("whole sub") != nil {
			t.Error("the packs say something of a tool that the core maps")
		}
		v.Problems()
	}
	ask()
	if *opened > 0 {
		t.Errorf("opened %d times", *opened)
	}
	if v.Root("third") == nil || *opened != 1 {
		t.Errorf("opened %d times", *opened)
	}
	v.memo = memo{}
	ask()
	if v.Digest(); *opened != 1 {
		t.Errorf("opened %d times", *opened)
	}
}

// TestPacks: a pack says how words are read, as what people wrote does; it lowers
// no risk and replaces nothing.
func TestPacks(t *testing.T) {
	v, _ := packed(t)
	n := v.Root("judged")
	if n.Bits != Interspersed|Plus || !n.HasSubs() || len(n.Class) != 1 || len(n.Flags) != 1 {
		t.Fatalf("%+v", n)
	}
	if f := n.Flags[0]; f.ID != "f" || f.Value != RequiredValue || f.Role != SecretRole || len(f.Names) != 2 {
		t.Errorf("%+v", f)
	}
	if d, _ := v.Lookup("judged"); d.Level() != High {
		t.Errorf("%v", d.Level())
	}
	if im, file := v.Image(PackLayer); im == nil || file != "" { // of memory
		t.Errorf("%v %s", im, file)
	}
	noProblems(t, v)
}

func TestLaterFails(t *testing.T) {
	v := NewView(nil)
	broken := errors.New("broken")
	v.Later(PackLayer, func() (*Image, string, error) { return nil, "packs.tcpdb", broken })
	if v.Root("x") != nil || v.Root("y") != nil {
		t.Error("a root without layers")
	}
	if p := v.Problems(); len(p) != 1 || p[0].Err != broken || p[0].File != "packs.tcpdb" || p[0].Layer != PackLayer {
		t.Errorf("%+v", p)
	}
	if im, _ := v.Image(PackLayer); im != nil {
		t.Error("an image")
	}
}
