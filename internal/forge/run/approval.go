package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// MaxNote bounds a note in bytes.
const MaxNote = 16 << 10

// Grant is what a note allows: the bytes of a tool, and what it may reach.
type Grant struct {
	Tool       string // CATEGORY/NAME
	Source     string // hex SHA-256
	Libs       string // "h1:…", "-"
	Effect     string
	Net        []string
	Env        []string
	Unattended bool
	Date       string
}

// text is the body of a note.
func (g *Grant) Text() string {
	list := func(l []string) string {
		if len(l) == 0 {
			return "-"
		}
		return strings.Join(l, " ")
	}
	unattended := "no"
	if g.Unattended {
		unattended = "yes"
	}
	return fmt.Sprintf("tgp tool v1\n%s\nsource sha256:%s\nlibs %s\neffect %s\nnet %s\nenv %s\nunattended %s\ndate %s\n",
		g.Tool, g.Source, g.Libs, g.Effect, list(g.Net), list(g.Env), unattended, g.Date)
}

// parseGrant reads the body of a note; every line must be there, and no other.
func parseGrant(text string) (*Grant, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != 9 || lines[0] != "tgp tool v1" {
		return nil, errors.New("not an approval of a tool")
	}
	g := &Grant{Tool: lines[1]}
	for i, key := range []string{"source sha256:", "libs ", "effect ", "net ", "env ", "unattended ", "date "} {
		v, ok := strings.CutPrefix(lines[i+2], key)
		if !ok || v == "" {
			return nil, fmt.Errorf("the approval lacks %q", strings.TrimSpace(key))
		}
		list := strings.Fields(v)
		if v == "-" {
			list = nil
		}
		switch i {
		case 0:
			g.Source = v
		case 1:
			g.Libs = v
		case 2:
			g.Effect = v
		case 3:
			g.Net = list
		case 4:
			g.Env = list
		case 5:
			g.Unattended = v == "yes"
		case 6:
			g.Date = v
		}
	}
	return g, nil
}

// TrustedKeys is the list of keys that a person trusted on this machine.
func (f *Runner) TrustedKeys() string {
	if f.Paths.State == "" {
		return ""
	}
	return filepath.Join(f.Paths.State, "forge", "keys")
}

// Verifiers are the keys whose signature counts.
func (f *Runner) Verifiers() []string {
	keys := slices.Clone(f.Config.Gatekeeper.Keys)
	if file := f.TrustedKeys(); file != "" {
		if data, err := os.ReadFile(file); err == nil {
			keys = append(keys, strings.Fields(string(data))...)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// ReadGrant reads a note that enough keys signed.
func (f *Runner) ReadGrant(data []byte) (*Grant, int, error) {
	var known []note.Verifier
	for _, k := range f.Verifiers() {
		v, err := note.NewVerifier(k)
		if err != nil {
			continue
		}
		known = append(known, v)
	}
	if len(known) == 0 {
		return nil, 0, errors.New("no key is known: gatekeeper.keys, or tgp key trust")
	}
	n, err := note.Open(data, VerifierList(known))
	if err != nil {
		return nil, 0, err
	}
	g, err := parseGrant(n.Text)
	if err != nil {
		return nil, 0, err
	}
	signers := map[string]bool{}
	for _, s := range n.Sigs {
		signers[fmt.Sprintf("%s+%08x", s.Name, s.Hash)] = true
	}
	return g, len(signers), nil
}

// VerifierList finds a key by its name and hash; two keys of one name are two keys.
func VerifierList(known []note.Verifier) note.Verifiers { return byName(known) }

type byName []note.Verifier

func (l byName) Verifier(name string, hash uint32) (note.Verifier, error) {
	for _, v := range l {
		if v.Name() == name && v.KeyHash() == hash {
			return v, nil
		}
	}
	return nil, &note.UnknownVerifierError{Name: name, KeyHash: hash}
}

// Signed reports why a note does not approve these bytes; nil if it does. The
// packages are held against it when the tool runs.
func (f *Runner) Signed(data []byte, tool, sum string) error {
	g, n, err := f.ReadGrant(data)
	switch {
	case err != nil:
		return err
	case g.Tool != tool:
		return fmt.Errorf("the approval is one of %s", g.Tool)
	case g.Source != sum:
		return errors.New("the approval is one of other bytes")
	case n < f.Config.Gatekeeper.Threshold:
		return fmt.Errorf("%s of %d", Plural(n, "signature"), f.Config.Gatekeeper.Threshold)
	}
	return nil
}
