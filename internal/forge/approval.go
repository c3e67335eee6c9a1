package forge

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// maxNote bounds a note in bytes.
const maxNote = 16 << 10

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
func (g *Grant) text() string {
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

// keysDir is where the keys of this machine are.
func (f *Forge) keysDir() string {
	if f.Paths.Config == "" {
		return ""
	}
	return filepath.Join(f.Paths.Config, "keys")
}

// trustedKeys is the list of keys that a person trusted on this machine.
func (f *Forge) trustedKeys() string {
	if f.Paths.State == "" {
		return ""
	}
	return filepath.Join(f.Paths.State, "forge", "keys")
}

// verifiers are the keys whose signature counts.
func (f *Forge) verifiers() []string {
	keys := slices.Clone(f.Config.Gatekeeper.Keys)
	if file := f.trustedKeys(); file != "" {
		if data, err := os.ReadFile(file); err == nil {
			keys = append(keys, strings.Fields(string(data))...)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// grant reads a note that enough keys signed.
func (f *Forge) grant(data []byte) (*Grant, int, error) {
	var known []note.Verifier
	for _, k := range f.verifiers() {
		v, err := note.NewVerifier(k)
		if err != nil {
			continue
		}
		known = append(known, v)
	}
	if len(known) == 0 {
		return nil, 0, errors.New("no key is known: gatekeeper.keys, or tgp key trust")
	}
	n, err := note.Open(data, verifierList(known))
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

// verifierList finds a key by its name and hash; two keys of one name are two keys.
func verifierList(known []note.Verifier) note.Verifiers { return byName(known) }

type byName []note.Verifier

func (l byName) Verifier(name string, hash uint32) (note.Verifier, error) {
	for _, v := range l {
		if v.Name() == name && v.KeyHash() == hash {
			return v, nil
		}
	}
	return nil, &note.UnknownVerifierError{Name: name, KeyHash: hash}
}

// signed reports why a note does not approve these bytes; nil if it does. The
// packages are held against it when the tool runs.
func (f *Forge) signed(data []byte, tool, sum string) error {
	g, n, err := f.grant(data)
	switch {
	case err != nil:
		return err
	case g.Tool != tool:
		return fmt.Errorf("the approval is one of %s", g.Tool)
	case g.Source != sum:
		return errors.New("the approval is one of other bytes")
	case n < f.Config.Gatekeeper.Threshold:
		return fmt.Errorf("%s of %d", plural(n, "signature"), f.Config.Gatekeeper.Threshold)
	}
	return nil
}

// Key is a key pair.
type Key struct {
	Name     string `json:"name"`
	File     string `json:"file"`
	Verifier string `json:"verifier"`
}

// GenerateKey makes a key pair. The private one is readable by its owner alone.
func (f *Forge) GenerateKey(name, file string) (*Key, error) {
	if name == "" || strings.ContainsAny(name, " +\n\t/") {
		return nil, Fail(Usage, "%q is no name of a key", name)
	}
	private, public, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	if file == "" {
		if f.keysDir() == "" {
			return nil, Fail(Failed, "there is no configuration directory").Hint("set HOME, or give --out FILE")
		}
		file = filepath.Join(f.keysDir(), name+".key")
	} else if !filepath.IsAbs(file) {
		file = filepath.Join(f.Dir, file)
	}
	if _, err := os.Lstat(file); err == nil {
		return nil, Fail(Exists, "%s exists", file)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	if err := writeFile(file, []byte(private+"\n"), 0o600); err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	if err := writeFile(file+".pub", []byte(public+"\n"), 0o644); err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	return &Key{name, file, public}, nil
}

// Keys are the public keys of this machine.
func (f *Forge) Keys() []Key {
	files, _ := filepath.Glob(filepath.Join(f.keysDir(), "*.key.pub"))
	out := []Key{}
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil {
			v := strings.TrimSpace(string(data))
			name, _, _ := strings.Cut(v, "+")
			out = append(out, Key{name, strings.TrimSuffix(file, ".pub"), v})
		}
	}
	return out
}

// TrustKey lets the signature of a key count on this machine.
func (f *Forge) TrustKey(verifier string) error {
	if _, err := note.NewVerifier(verifier); err != nil {
		return Fail(Usage, "that is no key: %s", err).Hint("a key is written name+hash+base64, as tgp key generate prints it")
	}
	file := f.trustedKeys()
	if file == "" {
		return Fail(Failed, "there is no state directory").Hint("set HOME or TMP_STATE_DIR")
	}
	old, _ := os.ReadFile(file)
	if slices.Contains(strings.Fields(string(old)), verifier) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return Fail(Failed, "%s", err)
	}
	return writeFile(file, append(old, verifier+"\n"...), 0o600)
}

// readKey reads a private key; file "" is the only one of this machine.
func (f *Forge) readKey(file string) (note.Signer, error) {
	if file == "" {
		keys := f.Keys()
		if len(keys) != 1 {
			return nil, Fail(Usage, "%s on this machine: name one with --key FILE", plural(len(keys), "key")).Hint("tgp key generate NAME makes one")
		}
		file = keys[0].File
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(f.Dir, file)
	}
	st, err := os.Stat(file)
	if err != nil {
		return nil, Fail(NotFound, "the key cannot be read: %s", err)
	}
	if st.Mode().Perm()&0o077 != 0 {
		return nil, Fail(SecurityViolation, "%s can be read or written by others: chmod 600 it", file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, Fail(NotFound, "the key cannot be read: %s", err)
	}
	s, err := note.NewSigner(strings.TrimSpace(string(data)))
	if err != nil {
		return nil, Fail(Usage, "%s is no private key: %s", file, err)
	}
	return s, nil
}
