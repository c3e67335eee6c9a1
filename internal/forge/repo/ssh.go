package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/go-git/go-git/v5/plumbing/transport"
	gitssh "github.com/go-git/go-git/v5/plumbing/transport/ssh"
	"golang.org/x/crypto/ssh"
)

// sshKeys are the keys that are tried where no agent answers, as ssh tries them.
var sshKeys = []string{"id_ed25519", "id_ecdsa", "id_rsa"}

// dialSSH opens a repository behind SSH, in this process: with the keys of the agent, or
// those in ~/.ssh that have no password, and hosts that known_hosts (SSH_KNOWN_HOSTS)
// knows.
func dialSSH(remote string) (Remote, error) {
	ep, err := transport.NewEndpoint(remote)
	if err != nil {
		return nil, fmt.Errorf("%w: not an address of SSH", ErrRemote)
	}
	user := ep.User
	if user == "" {
		user = "git"
	}
	if ep.Password != "" {
		return nil, fmt.Errorf("%w: a password has no place in an address", ErrRemote)
	}
	auth, err := sshAuth(user)
	if err != nil {
		return nil, err
	}
	return &web{client: gitssh.NewClient(nil), endpoint: ep, auth: auth}, nil
}

// patient waits for a host no longer than it takes to answer.
type patient struct{ gitssh.AuthMethod }

// ClientConfig is that of the method, with a bound for the connection.
func (p patient) ClientConfig() (*ssh.ClientConfig, error) {
	c, err := p.AuthMethod.ClientConfig()
	if err == nil {
		c.Timeout = 15 * time.Second
	}
	return c, err
}

func sshAuth(user string) (transport.AuthMethod, error) {
	if os.Getenv("SSH_AUTH_SOCK") != "" {
		if auth, err := gitssh.NewSSHAgentAuth(user); err == nil {
			return patient{auth}, nil
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, fmt.Errorf("%w: there is no agent of SSH, and no home", ErrRemote)
	}
	for _, name := range sshKeys {
		if auth, err := gitssh.NewPublicKeysFromFile(user, filepath.Join(home, ".ssh", name), ""); err == nil {
			return patient{auth}, nil
		}
	}
	return nil, fmt.Errorf("%w: no agent of SSH answers, and no key in ~/.ssh can be used", ErrRemote)
}
