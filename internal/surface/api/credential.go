package api

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Credential is a section [api.NAME] of the user's config.toml.
type Credential struct {
	Name   string   // of the section
	Type   string   // "bearer", "basic", "header", "query"
	From   string   // "env:NAME", "file:PATH", "command:WORDS"
	Header string   // of type header, or the parameter of type query; key "name"
	Hosts  []string // "api.example.org", or with a port
}

// ReadCredentials reads the tables below [api] of a config.toml. What is wrong with
// one leaves it out and is told.
func ReadCredentials(sections map[string]any) (map[string]*Credential, []error) {
	out := map[string]*Credential{}
	var faults []error
	table, ok := sections["api"].(map[string]any)
	if !ok {
		return out, nil
	}
	for name, v := range table {
		c, err := readCredential(name, v)
		if err != nil {
			faults = append(faults, fmt.Errorf("[api.%s]: %w", name, err))
			continue
		}
		out[name] = c
	}
	slices.SortFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return out, faults
}

func readCredential(name string, v any) (*Credential, error) {
	section, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("is no table")
	}
	c := &Credential{Name: name}
	for key, v := range section {
		switch text, isText := v.(string); {
		case key == "hosts":
			list, _ := v.([]any)
			for _, item := range list {
				host, ok := item.(string)
				if !ok || !isHost(host) {
					return nil, fmt.Errorf("hosts: %v: want names such as api.example.org", item)
				}
				c.Hosts = append(c.Hosts, host)
			}
		case !isText:
			return nil, fmt.Errorf("%s: want a text", key)
		case key == "type":
			c.Type = text
		case key == "from":
			c.From = text
		case key == "name":
			c.Header = text
		default:
			return nil, fmt.Errorf("%q is no key: want type, from, name, hosts", key)
		}
	}
	return c, c.check()
}

func (c *Credential) check() error {
	kind, what, ok := strings.Cut(c.From, ":")
	switch {
	case !slices.Contains([]string{"bearer", "basic", "header", "query"}, c.Type):
		return fmt.Errorf("type %q: want bearer, basic, header or query", c.Type)
	case !ok || what == "" || !slices.Contains([]string{"env", "file", "command"}, kind):
		return errors.New("from: want env:NAME, file:PATH or command:WORDS") // what stands there may be a secret
	case len(c.Hosts) == 0:
		return errors.New("hosts: is missing: the secret would go nowhere")
	case c.Header == "" && (c.Type == "header" || c.Type == "query"):
		return fmt.Errorf("name: is missing: the %s that carries the secret", c.Type)
	case c.Type == "header" && !isToken(c.Header):
		return fmt.Errorf("name %q is not the name of a header", c.Header)
	}
	return nil
}

func isToken(s string) bool {
	why := badHeader(s)
	return why == "" || strings.EqualFold(s, "authorization") || strings.EqualFold(s, "cookie")
}

// isHost reports whether a text is a host, with or without a port.
func isHost(s string) bool {
	u, err := url.Parse("https://" + s)
	return err == nil && u.Host == s && u.Hostname() != "" && !strings.ContainsAny(s, "/@?#*")
}

// Mask is what stands in the secret's place wherever a request is shown.
func (c *Credential) Mask() string {
	if name, ok := strings.CutPrefix(c.From, "env:"); ok {
		return "$" + name
	}
	return "$SECRET"
}

// For says why the secret may not go to a URL; nil if it may.
func (c *Credential) For(u *url.URL) error {
	if !c.names(u) {
		return fmt.Errorf("the credential %s is not for %s: its hosts are %s", c.Name, u.Host, strings.Join(c.Hosts, ", "))
	}
	if u.Scheme != "https" && !isLoopbackName(u.Hostname()) {
		return fmt.Errorf("the credential %s goes over TLS alone", c.Name)
	}
	return nil
}

func (c *Credential) names(u *url.URL) bool {
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
	}
	for _, host := range c.Hosts {
		h, err := url.Parse("https://" + host)
		if err == nil && strings.EqualFold(h.Hostname(), u.Hostname()) && (h.Port() == "" || h.Port() == port) {
			return true
		}
	}
	return false
}

// commandTime is how long the command of a credential may take, maxSecret how long
// the secret may be in bytes.
const (
	commandTime = 30 * time.Second
	maxSecret   = 16 << 10
)

// Secret fetches the secret.
func (c *Credential) Secret(ctx context.Context, getenv func(string) string) (string, error) {
	kind, what, _ := strings.Cut(c.From, ":")
	var text string
	switch kind {
	case "env":
		if text = getenv(what); text == "" {
			return "", fmt.Errorf("the credential %s: the variable %s is not set", c.Name, what)
		}
	case "file":
		data, err := readSecret(what, getenv("HOME"))
		if err != nil {
			return "", fmt.Errorf("the credential %s: %w", c.Name, err)
		}
		text = string(data)
	case "command":
		data, err := ask(ctx, what, getenv)
		if err != nil {
			return "", fmt.Errorf("the credential %s: its command failed: %w", c.Name, err)
		}
		text = string(data)
	}
	text = strings.TrimRight(text, "\r\n")
	switch {
	case text == "":
		return "", fmt.Errorf("the credential %s: the secret is empty", c.Name)
	case len(text) > maxSecret || headerValue(text) != nil:
		return "", fmt.Errorf("the credential %s: the secret is not one line of text", c.Name)
	}
	return text, nil
}

func readSecret(path, home string) ([]byte, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
		path = filepath.Join(home, rest)
	}
	if !filepath.IsAbs(path) {
		return nil, errors.New("file: want an absolute path")
	}
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular() || st.Size() > maxSecret:
		return nil, fmt.Errorf("%s is no file of one line", path)
	}
	return os.ReadFile(path)
}

// ask runs the command of a credential, away from any project.
func ask(ctx context.Context, words string, getenv func(string) string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", words)
	if cmd.Dir = getenv("HOME"); cmd.Dir == "" {
		cmd.Dir = "/"
	}
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if len(out) > maxSecret {
		return nil, errors.New("it printed too much")
	}
	return out, err
}

// attach puts the secret into a request.
func (c *Credential) attach(req *http.Request, secret string) {
	switch c.Type {
	case "bearer":
		req.Header.Set("Authorization", "Bearer "+secret)
	case "basic":
		req.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(secret)))
	case "header":
		req.Header.Set(c.Header, secret)
	case "query":
		req.URL.RawQuery = setPair(req.URL.RawQuery, escape(c.Header), escape(secret))
	}
}

// setPair sets a pair of a query in the place of all others of its name.
func setPair(query, name, value string) string {
	var pairs []string
	for pair := range strings.SplitSeq(query, "&") {
		if key, _, _ := strings.Cut(pair, "="); pair != "" && key != name {
			pairs = append(pairs, pair)
		}
	}
	return strings.Join(append(pairs, name+"="+value), "&")
}

// hostPort is the host of a URL with its port, to tell one server from another.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}
