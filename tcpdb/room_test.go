package tcpdb

import (
	"fmt"
	"testing"
)

// TestLittleMoves: an image is kept in version control, so a word that is added to
// one tool, or a tool more, leaves nearly all bytes where they were.
func TestLittleMoves(t *testing.T) {
	const tools = 2000
	image := func(changed int, word string, more ...string) []byte {
		return build(t, func(b *Builder) {
			add := func(name, text string) {
				root := &Node{Name: name, Description: "does what " + name + " does", Subs: []*Node{{Name: "get"}, {Name: "delete", Description: text}}}
				b.Tool(root)
				for _, s := range root.Subs {
					b.Entry(Entry{Key: name + " " + s.Name, Descriptor: NewDescriptor(name+" "+s.Name, High, 0, 0, 0, 0), Reason: text})
				}
			}
			for i := range tools {
				text := "deletes something"
				if i == changed {
					text += word
				}
				add(fmt.Sprintf("tool%04d", i), text)
			}
			for _, name := range more {
				add(name, "is new")
			}
		})
	}
	// share is how much of an image is not at the same place in the other.
	share := func(a, b []byte) float64 {
		moved := 0
		for i := 0; i < len(a); i += 8 {
			if i+8 > len(b) || string(a[i:min(i+8, len(a))]) != string(b[i:min(i+8, len(b))]) {
				moved += 8
			}
		}
		return float64(moved) / float64(len(a))
	}
	base := image(-1, "")
	var sum float64
	const tries = 20
	for i := range tries {
		sum += share(base, image(i*tools/tries, " for good"))
		sum += share(base, image(-1, "", fmt.Sprintf("tool%04dx", i*tools/tries)))
	}
	if mean := sum / (2 * tries); mean > 0.1 { // without room it is about a half
		t.Errorf("%.1f %% of an image move with a change, want 10 at most", 100*mean)
	} else {
		t.Logf("%.2f %% of an image move with a change", 100*mean)
	}
}
