package repo

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

// sshServer serves repositories to who has the key, by the program git, and returns its
// address and its own key.
func sshServer(t *testing.T, allowed ssh.PublicKey) (string, ssh.PublicKey) {
	t.Helper()
	_, private, _ := ed25519.GenerateKey(rand.Reader)
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	config := &ssh.ServerConfig{PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
		if string(key.Marshal()) != string(allowed.Marshal()) {
			return nil, errors.New("a stranger")
		}
		return nil, nil //nolint:nilnil // no permissions are needed
	}}
	config.AddHostKey(signer)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go sshConnection(c, config)
		}
	}()
	return l.Addr().String(), signer.PublicKey()
}

func sshConnection(c net.Conn, config *ssh.ServerConfig) {
	conn, channels, requests, err := ssh.NewServerConn(c, config)
	if err != nil {
		return
	}
	defer conn.Close()
	go ssh.DiscardRequests(requests)
	for offered := range channels {
		channel, requests, err := offered.Accept()
		if err != nil {
			return
		}
		go func() {
			for r := range requests {
				if r.Type != "exec" {
					_ = r.Reply(false, nil)
					continue
				}
				_ = r.Reply(true, nil)
				cmd := exec.Command("sh", "-c", string(r.Payload[4:])) // a length, then the line
				cmd.Stdout, cmd.Stderr = channel, channel.Stderr()
				in, _ := cmd.StdinPipe()
				_ = cmd.Start()
				go func() { _, _ = io.Copy(in, channel); in.Close() }()
				status := []byte{0, 0, 0, 0}
				if cmd.Wait() != nil {
					status[3] = 1
				}
				_, _ = channel.SendRequest("exit-status", false, status)
				channel.Close()
			}
		}()
	}
}

// TestSSH: a hub behind SSH takes and gives, for who has the key and knows the host.
func TestSSH(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not here")
	}
	home := t.TempDir()
	public, private, _ := ed25519.GenerateKey(rand.Reader)
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(home, ".ssh/id_ed25519"), string(pem.EncodeToMemory(block)))
	address, host := sshServer(t, key)
	known := filepath.Join(home, ".ssh/known_hosts")
	t.Setenv("HOME", home)
	t.Setenv("SSH_AUTH_SOCK", "")
	t.Setenv("SSH_KNOWN_HOSTS", known)
	bare := filepath.Join(t.TempDir(), "hub.git")
	if out, err := exec.Command(git, "init", "-q", "--bare", "-b", "main", bare).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	ctx, remote := context.Background(), "ssh://git@"+address+bare

	write(known, "")
	hub, err := Dial(remote, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hub.Branches(ctx); err == nil {
		t.Error("a host that nobody knows was talked to")
	}
	write(known, knownhosts.Line([]string{address}, host)+"\n")

	a, err := Init(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	first, err := a.NewCommit(Zero, nil, []Change{{Path: "tools/a/b.ts", Data: []byte("export default 1\n")}}, "one", "a", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if branches, err := hub.Branches(ctx); err != nil || len(branches) != 0 {
		t.Fatalf("%v %v", branches, err)
	}
	if err := hub.Push(ctx, a, Main, first, Zero); err != nil {
		t.Fatal(err)
	}
	second, err := a.NewCommit(first, []Hash{first}, []Change{{Path: "tools/a/b.ts", Data: []byte("export default 2\n")}}, "two", "a", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := hub.Push(ctx, a, Main, second, Zero); !errors.Is(err, ErrRemoteMoved) {
		t.Errorf("a push over what is there: %v", err)
	}
	if err := hub.Push(ctx, a, Main, second, first); err != nil {
		t.Fatal(err)
	}
	b, err := Init(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	branches, err := hub.Branches(ctx)
	if err != nil || branches[Main] != second {
		t.Fatalf("%v %v", branches, err)
	}
	if err := hub.Fetch(ctx, b, second, nil); err != nil {
		t.Fatal(err)
	}
	files, err := b.Files(second, "")
	if err != nil || len(files) != 1 {
		t.Fatalf("%v %v", files, err)
	}
	if data, err := b.Blob(files["tools/a/b.ts"].Hash, 100); err != nil || !strings.Contains(string(data), "2") {
		t.Errorf("%s %v", data, err)
	}
}

func TestDial(t *testing.T) {
	t.Setenv("SSH_AUTH_SOCK", "")
	t.Setenv("HOME", t.TempDir())
	for remote, want := range map[string]string{
		"git@hub.example:org/tools.git":     "no key in ~/.ssh",
		"ssh://git@hub.example/tools.git":   "no key in ~/.ssh",
		"ssh://git:pw@hub.example/tools.gi": "no place in an address",
		"ext::sh -c id":                     "upstream.remote is",
		"git://hub.example/tools.git":       "upstream.remote is",
		"-oProxyCommand=id":                 "upstream.remote is",
	} {
		if _, err := Dial(remote, "", ""); !errors.Is(err, ErrRemote) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", remote, err, want)
		}
	}
}
