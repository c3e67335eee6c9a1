package forge

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
)

// keysDir is where the keys of this machine are.
func (f *Forge) keysDir() string {
	if f.Paths.Config == "" {
		return ""
	}
	return filepath.Join(f.Paths.Config, "keys")
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
	if err := run.WriteFile(file, []byte(private+"\n"), 0o600); err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	if err := run.WriteFile(file+".pub", []byte(public+"\n"), 0o644); err != nil {
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
	file := f.TrustedKeys()
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
	return run.WriteFile(file, append(old, verifier+"\n"...), 0o600)
}

// readKey reads a private key; file "" is the only one of this machine.
func (f *Forge) readKey(file string) (note.Signer, error) {
	if file == "" {
		keys := f.Keys()
		if len(keys) != 1 {
			return nil, Fail(Usage, "%s on this machine: name one with --key FILE", run.Plural(len(keys), "key")).Hint("tgp key generate NAME makes one")
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
