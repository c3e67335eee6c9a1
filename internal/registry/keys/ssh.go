package keys

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"net"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/mod/sumdb/note"

	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
)

// An ssh-agent signs what it is given as it is, so its Ed25519 signature of a note's
// text is that of the note. What is signed begins with a word of ours and is no
// message of SSH.

func dial(socket string) (agent.ExtendedAgent, func(), error) {
	if socket == "" {
		return nil, nil, fault.New(fault.Denied, "no ssh-agent is known: SSH_AUTH_SOCK is not set")
	}
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil, nil, fault.New(fault.Denied, "the ssh-agent does not answer").Because(err)
	}
	return agent.NewClient(conn), func() { conn.Close() }, nil
}

// FromAgent finds the Ed25519 key of an ssh-agent that is meant by its fingerprint
// (SHA256:…) or its comment, or with "" the only one.
func FromAgent(socket, which string) (ed25519.PublicKey, error) {
	a, hangUp, err := dial(socket)
	if err != nil {
		return nil, err
	}
	defer hangUp()
	list, err := a.List()
	if err != nil {
		return nil, fault.New(fault.Denied, "the ssh-agent does not list its keys").Because(err)
	}
	var found []ed25519.PublicKey
	for _, k := range list {
		public := publicOf(k.Blob)
		if public != nil && (which == "" || which == k.Comment || which == ssh.FingerprintSHA256(k)) {
			found = append(found, public)
		}
	}
	if len(found) != 1 {
		return nil, fault.New(fault.NotFound, "the ssh-agent has %d Ed25519 keys that could be meant", len(found)).Hint("name one by its fingerprint, as ssh-add -l prints it")
	}
	return found[0], nil
}

// publicOf is the Ed25519 key in the wire form of a public key, nil of another kind.
func publicOf(blob []byte) ed25519.PublicKey {
	k, err := ssh.ParsePublicKey(blob)
	if err != nil {
		return nil
	}
	c, ok := k.(ssh.CryptoPublicKey)
	if !ok {
		return nil
	}
	public, _ := c.CryptoPublicKey().(ed25519.PublicKey)
	return public
}

// sshSigner signs by an ssh-agent.
func sshSigner(key, socket string) (note.Signer, error) {
	v, err := note.NewVerifier(key)
	if err != nil {
		return nil, err
	}
	parts := strings.SplitN(key, "+", 3)
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(raw) != 1+ed25519.PublicKeySize {
		return nil, fault.New(fault.BadName, "%q is no Ed25519 key", key)
	}
	return &viaAgent{v, raw[1:], socket}, nil
}

type viaAgent struct {
	note.Verifier
	public []byte
	socket string
}

func (s *viaAgent) Sign(msg []byte) ([]byte, error) {
	a, hangUp, err := dial(s.socket)
	if err != nil {
		return nil, err
	}
	defer hangUp()
	list, err := a.List()
	if err != nil {
		return nil, fault.New(fault.Denied, "the ssh-agent does not list its keys").Because(err)
	}
	for _, k := range list {
		if !bytes.Equal(publicOf(k.Blob), s.public) {
			continue
		}
		sig, err := a.Sign(k, msg)
		if err != nil {
			return nil, fault.New(fault.Denied, "the ssh-agent does not sign").Because(err)
		}
		return sig.Blob, nil
	}
	return nil, fault.New(fault.Denied, "the ssh-agent has not the key %s", s.Name())
}
