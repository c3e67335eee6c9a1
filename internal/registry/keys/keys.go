// Package keys keeps the keys of a person: their own, with which packs are signed, and
// those of others, with what they are trusted for. A private key lies encrypted by a
// passphrase (age's scrypt), or stays in an ssh-agent.
package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"filippo.io/age"
	"filippo.io/age/armor"
	"golang.org/x/mod/sumdb/note"

	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Ring is a directory of keys, "keys" in the state directory.
type Ring struct{ Dir string }

// Own is a key that can sign.
type Own struct {
	File string
	Key  string // the verifier, name+hash+base64
	SSH  bool   // the private part is in an ssh-agent
}

const (
	head       = "tmp key v1"
	byAge      = "age"
	byAgent    = "ssh-agent"
	maxKeyFile = 64 << 10
	// work is the strength of scrypt; age's own, about a second.
	work = 18
	// maxWork bounds what a file may ask for.
	maxWork = 20
)

// Fingerprint is the SHA-256 of a key's public part, to be read out.
func Fingerprint(key string) string {
	parts := strings.SplitN(key, "+", 3)
	if len(parts) != 3 {
		return ""
	}
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:])
}

// Check refuses what is no key of a publisher.
func Check(key string) error {
	v, err := note.NewVerifier(key)
	if err != nil {
		return fault.New(fault.BadName, "%q is no key: want name+hash+base64, as tmp key show prints it", key)
	}
	return statement.CheckPublisher(v.Name())
}

// File is where the own key of a name lies.
func (r Ring) File(name string) string { return filepath.Join(r.Dir, name+".key") }

// List returns the own keys, by name.
func (r Ring) List() ([]Own, error) {
	found, err := filepath.Glob(filepath.Join(escaped(r.Dir), "*.key"))
	if err != nil {
		return nil, err
	}
	var out []Own
	for _, file := range found {
		own, _, err := read(file)
		if err != nil {
			return out, err
		}
		out = append(out, *own)
	}
	return out, nil
}

// escaped is a directory as a pattern that means it alone.
func escaped(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

// Find reads the public part of an own key: by its file, or with "" by its name.
func (r Ring) Find(file, name string) (*Own, error) {
	if file == "" {
		file = r.File(name)
	}
	own, _, err := read(file)
	return own, err
}

// read reads the file of an own key: what it is of, and its sealed part.
func read(file string) (*Own, []byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	switch {
	case err != nil:
		return nil, nil, err
	case !st.Mode().IsRegular():
		return nil, nil, fault.In(fault.BadName, file, "is no plain file")
	case st.Mode().Perm()&0o077 != 0:
		return nil, nil, fault.In(fault.BadName, file, "others may read it: chmod 600 it")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxKeyFile))
	if err != nil {
		return nil, nil, err
	}
	lines := strings.SplitN(string(data), "\n", 3)
	if len(lines) != 3 || lines[0] != head {
		return nil, nil, fault.In(fault.BadName, file, "is no key of tmp key generate")
	}
	how, key, _ := strings.Cut(lines[1], " ")
	if err := Check(key); err != nil || how != byAge && how != byAgent {
		return nil, nil, fault.In(fault.BadName, file, "is no key of tmp key generate")
	}
	return &Own{File: file, Key: key, SSH: how == byAgent}, []byte(lines[2]), nil
}

// Generate makes a key of a name and writes it, 0600, sealed by the passphrase. A key
// that is there stays, unless it is replaced.
func (r Ring) Generate(name, passphrase string, replace bool) (*Own, error) {
	if err := r.fresh(name, replace); err != nil {
		return nil, err
	}
	secret, key, err := note.GenerateKey(nil, name)
	if err != nil {
		return nil, err
	}
	sealed, err := seal(secret, passphrase)
	if err != nil {
		return nil, err
	}
	return r.put(name, byAge, key, sealed)
}

// Adopt notes that a key of a name is the one with that public part in an ssh-agent.
func (r Ring) Adopt(name string, public ed25519.PublicKey, replace bool) (*Own, error) {
	if err := r.fresh(name, replace); err != nil {
		return nil, err
	}
	key, err := note.NewEd25519VerifierKey(name, public)
	if err != nil {
		return nil, err
	}
	return r.put(name, byAgent, key, nil)
}

func (r Ring) fresh(name string, replace bool) error {
	if err := statement.CheckPublisher(name); err != nil {
		return err
	}
	if _, err := os.Lstat(r.File(name)); err == nil && !replace {
		return fault.New(fault.Exists, "there is a key %s already", name).Hint("tmp key show %s prints it; tmp key generate %s --rotate makes one that follows it", name, name)
	}
	return nil
}

func (r Ring) put(name, how, key string, sealed []byte) (*Own, error) {
	if err := os.MkdirAll(r.Dir, 0o700); err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%s\n%s %s\n%s", head, how, key, sealed)
	if err := tcpdb.WritePrivateFile(r.File(name), []byte(text)); err != nil {
		return nil, err
	}
	return &Own{File: r.File(name), Key: key, SSH: how == byAgent}, nil
}

func seal(secret, passphrase string) ([]byte, error) {
	to, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return nil, err
	}
	to.SetWorkFactor(work)
	var out bytes.Buffer
	a := armor.NewWriter(&out)
	w, err := age.Encrypt(a, to)
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(w, secret)
	err = errors.Join(err, w.Close(), a.Close())
	return out.Bytes(), err
}

// Signer opens an own key for signing. The passphrase is asked for when it is needed.
func (o *Own) Signer(passphrase func(prompt string) (string, error), agentSocket string) (note.Signer, error) {
	own, sealed, err := read(o.File)
	if err != nil {
		return nil, err
	}
	if own.SSH {
		return sshSigner(own.Key, agentSocket)
	}
	word, err := passphrase("passphrase of the key " + statement.Short(own.Key) + ": ")
	if err != nil {
		return nil, err
	}
	id, err := age.NewScryptIdentity(word)
	if err != nil {
		return nil, fault.New(fault.Denied, "the passphrase is empty")
	}
	id.SetMaxWorkFactor(maxWork)
	r, err := age.Decrypt(armor.NewReader(bytes.NewReader(bytes.TrimSpace(sealed))), id)
	if err != nil {
		return nil, fault.New(fault.Denied, "the passphrase is not that of %s", statement.Short(own.Key))
	}
	secret, err := io.ReadAll(io.LimitReader(r, maxKeyFile))
	if err != nil {
		return nil, fault.In(fault.BadName, own.File, "is damaged").Because(err)
	}
	s, err := note.NewSigner(strings.TrimSpace(string(secret)))
	if err != nil {
		return nil, fault.In(fault.BadName, own.File, "is damaged").Because(err)
	}
	if v, err := note.NewVerifier(own.Key); err != nil || v.Name() != s.Name() || v.KeyHash() != s.KeyHash() {
		return nil, fault.In(fault.BadName, own.File, "holds another key than it names")
	}
	return s, nil
}

// Rotations are the notes by which keys of this person follow each other.
func (r Ring) Rotations(name string) []string {
	data, err := os.ReadFile(filepath.Join(r.Dir, name+".rotations"))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(strings.Split(string(data), "\x00"), func(s string) bool { return s == "" })
}

// AddRotation keeps one more.
func (r Ring) AddRotation(name, signed string) error {
	return tcpdb.WritePrivateFile(filepath.Join(r.Dir, name+".rotations"), []byte(strings.Join(append(r.Rotations(name), signed), "\x00")))
}

// Missing reports whether an error says that there is no such key.
func Missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
