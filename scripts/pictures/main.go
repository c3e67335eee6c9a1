// Command pictures draws docs/pictures: what the README shows is what real
// shells show. It builds the programs, starts each shell with the hook in a
// throwaway project, types, reads the screen and writes it as SVG.
//
//	go run ./scripts/pictures      draw them all again, from the top of the repository
//
// A test draws them too and compares the texts.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := draw("."); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// draw writes the pictures of the repository at root.
func draw(root string) (err error) {
	s, err := setUp(root)
	if err != nil {
		return err
	}
	defer s.close()
	t := &director{}
	defer func() {
		if p, ok := recover().(failure); ok {
			err = p
		}
		for i := len(t.after) - 1; i >= 0; i-- {
			t.after[i]()
		}
	}()
	for _, sc := range scenes {
		picture := svg(sc.title, s.play(t, sc))
		name := filepath.Join(root, "docs/pictures", sc.name+".svg")
		if err := write(name, picture); err != nil {
			return err
		}
		fmt.Printf("%s\n%s\n", name, textOf(picture))
	}
	return nil
}

// director is the shelltest.TB of a program that is no test.
type director struct{ after []func() }

type failure struct{ error }

func (*director) Helper() {}

func (*director) Fatalf(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

func (d *director) Cleanup(f func()) { d.after = append(d.after, f) }
