// Genpacks compiles packs into one image: genpacks FILE DIRECTORY… With no
// directory it compiles those of this repository, as scripts/install.sh does.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: genpacks FILE [DIRECTORY…]")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(file string, dirs []string) error {
	if len(dirs) == 0 {
		found, _ := filepath.Glob("internal/opmap/packs/*/" + opmap.PackFile) // the pattern is well formed
		for _, file := range found {
			dirs = append(dirs, filepath.Dir(file))
		}
	}
	var packs []*opmap.Pack
	for _, dir := range dirs {
		p, problems := opmap.ReadPack(os.DirFS(dir), ".", opmap.ParseOptions{})
		if err := problems.Err(); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		p.Trusted = true
		packs = append(packs, p)
	}
	if len(packs) == 0 {
		return errors.New("there is no pack here")
	}
	image, err := opmap.BuildPacks(packs)
	if err != nil {
		return err
	}
	return os.WriteFile(file, image, 0o644)
}
