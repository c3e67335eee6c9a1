package registry

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/registry"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/keys"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
)

type keyAnswer struct {
	V           int    `json:"v"`
	Name        string `json:"name"`
	Key         string `json:"key"`
	Fingerprint string `json:"fingerprint"`
	File        string `json:"file,omitempty"`
}

func newGenerate(c *call, f *command.Flags) command.Run {
	var rotate bool
	var ssh string
	from := c.flagPassphrase(f)
	f.Bool("rotate", &rotate)
	f.String("ssh-agent", &ssh)
	c.flagJSON(f)
	return func(in command.Input) error {
		h, err := c.home()
		if err != nil {
			return err
		}
		name, ring := in.Args[0], h.Ring()
		if err := statement.CheckPublisher(name); err != nil {
			return err
		}
		old, err := ring.Find("", name)
		switch {
		case err == nil && !rotate:
			return fault.New(fault.Exists, "there is a key %s already", name).Hint("tmp key show %s prints it; --rotate makes one that follows it", name)
		case err != nil && !keys.Missing(err):
			return err
		case rotate && old == nil:
			return fault.New(fault.NotFound, "there is no key %s that another one could follow", name)
		}
		made, err := c.generate(ring, name, ssh, rotate, from, old)
		if err != nil {
			return err
		}
		if c.json {
			return c.PrintJSON(keyAnswer{1, name, made.Key, keys.Fingerprint(made.Key), made.File})
		}
		fmt.Fprintf(c.Stdout, "%s\n", made.Key)
		c.Notice("fingerprint %s; the private part is in %s", keys.Fingerprint(made.Key), made.File)
		return nil
	}
}

// generate makes a key; with an old one that one's note says so, before the new key
// takes its place.
func (c *call) generate(ring keys.Ring, name, ssh string, rotate bool, from *passphraseFrom, old *keys.Own) (*keys.Own, error) {
	prompt := "passphrase for the new key " + name + ": "
	socket := c.Getenv("SSH_AUTH_SOCK")
	if !rotate {
		return c.make(ring, name, ssh, prompt, socket, from, false)
	}
	signer, err := old.Signer(from.ask, socket)
	if err != nil {
		return nil, err
	}
	aside := keys.Ring{Dir: ring.Dir + "/.next"}
	made, err := c.make(aside, name, ssh, prompt, socket, from, true)
	if err != nil {
		return nil, err
	}
	said := statement.Rotation{Name: name, Old: old.Key, New: made.Key, Date: c.Now()}
	signed, err := statement.Sign(said.Text(), signer)
	if err != nil {
		return nil, err
	}
	if err := ring.AddRotation(name, string(signed)); err != nil {
		return nil, err
	}
	if err := os.Rename(ring.File(name), ring.File(name)+"."+old.Key[len(name)+1:len(name)+9]+".old"); err != nil {
		return nil, err
	}
	if err := os.Rename(made.File, ring.File(name)); err != nil {
		return nil, err
	}
	made.File = ring.File(name)
	return made, nil
}

func (c *call) make(ring keys.Ring, name, ssh, prompt, socket string, from *passphraseFrom, replace bool) (*keys.Own, error) {
	if ssh != "" {
		public, err := keys.FromAgent(socket, ssh)
		if err != nil {
			return nil, err
		}
		return ring.Adopt(name, public, replace)
	}
	word, err := from.ask(prompt)
	if err != nil {
		return nil, err
	}
	if word == "" {
		return nil, fault.New(fault.Denied, "an empty passphrase seals nothing")
	}
	return ring.Generate(name, word, replace)
}

// keyRow is a key in a list.
type keyRow struct {
	Name        string     `json:"name"`
	Key         string     `json:"key"`
	Fingerprint string     `json:"fingerprint"`
	Own         bool       `json:"own"`
	State       keys.State `json:"state"`
	For         string     `json:"trusted_for,omitempty"`
	Date        string     `json:"date,omitempty"`
	Reason      string     `json:"reason,omitempty"`
}

// rows are the own keys and those that something is noted of.
func rows(h *registry.Home) ([]keyRow, error) {
	own, err := h.Ring().List()
	if err != nil {
		return nil, err
	}
	book, err := h.Book()
	if err != nil {
		return nil, err
	}
	out := []keyRow{}
	for _, o := range own {
		out = append(out, keyRow{statement.KeyName(o.Key), o.Key, keys.Fingerprint(o.Key), true, book.Of(o.Key, nil).Word(), book.Of(o.Key, nil).For(), "", ""})
	}
	for _, t := range book {
		if i := slices.IndexFunc(out, func(r keyRow) bool { return r.Key == t.Key }); i >= 0 {
			out[i].Date, out[i].Reason = t.Date.Format(time.RFC3339), t.Reason
			continue
		}
		out = append(out, keyRow{statement.KeyName(t.Key), t.Key, keys.Fingerprint(t.Key), false, t.State.Word(), t.State.For(), t.Date.Format(time.RFC3339), t.Reason})
	}
	return out, nil
}

func newKeys(c *call, f *command.Flags) command.Run {
	c.flagJSON(f)
	return func(command.Input) error {
		h, err := c.home()
		if err != nil {
			return err
		}
		list, err := rows(h)
		if err != nil {
			return err
		}
		if c.json {
			return c.PrintJSON(struct {
				V    int      `json:"v"`
				Keys []keyRow `json:"keys"`
			}{1, list})
		}
		if len(list) == 0 {
			c.Notice("there is no key: tmp key generate NAME makes one")
			return nil
		}
		table := [][]string{{"KEY", "WHOSE", "STATE", "FINGERPRINT"}}
		for _, r := range list {
			whose := "another's"
			if r.Own {
				whose = "yours"
			}
			table = append(table, []string{statement.Short(r.Key), whose, trusted(string(r.State), r.For), r.Fingerprint})
		}
		c.PrintTable(table)
		return nil
	}
}

func newKey(c *call, f *command.Flags) command.Run {
	c.flagJSON(f)
	return func(in command.Input) error {
		h, err := c.home()
		if err != nil {
			return err
		}
		key, err := c.keyOf(h, in.Args[0])
		if err != nil {
			return err
		}
		if c.json {
			return c.PrintJSON(keyAnswer{V: 1, Name: statement.KeyName(key), Key: key, Fingerprint: keys.Fingerprint(key)})
		}
		fmt.Fprintln(c.Stdout, key)
		return nil
	}
}

// keyOf finds the key that a word means: itself, that in a file, an own one, one that
// is noted, one that a registry names.
func (c *call) keyOf(h *registry.Home, word string) (string, error) {
	if strings.Count(word, "+") >= 2 {
		return word, keys.Check(word)
	}
	if strings.Contains(word, "/") {
		path, err := c.Path(word)
		if err != nil {
			return "", err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		key := strings.TrimSpace(string(data))
		return key, keys.Check(key)
	}
	list, err := rows(h)
	if err != nil {
		return "", err
	}
	found := map[string]bool{}
	for _, r := range list {
		if r.Name == word || statement.Short(r.Key) == word {
			if r.Own {
				return r.Key, nil
			}
			found[r.Key] = true
		}
	}
	if len(found) == 0 {
		if found, err = h.PublisherKeys(c.Context, word); err != nil {
			return "", err
		}
	}
	switch len(found) {
	case 0:
		return "", fault.New(fault.NotFound, "no key %s is known", word).Hint("want name+hash+base64, as its owner's tmp key show prints it")
	case 1:
		for key := range found {
			return key, nil
		}
	}
	var names []string
	for key := range found {
		names = append(names, statement.Short(key))
	}
	slices.Sort(names)
	return "", fault.New(fault.NotFound, "%s may be %s: name one of them", word, strings.Join(names, " or "))
}

type trustAnswer struct {
	V       int        `json:"v"`
	Key     string     `json:"key"`
	State   keys.State `json:"state"`
	For     string     `json:"trusted_for,omitempty"`
	Changed []string   `json:"packs"` // whose standing changed
}

func newTrust(c *call, f *command.Flags) command.Run {
	var what string
	f.String("for", &what)
	c.flagJSON(f)
	return func(in command.Input) error {
		if c.Who() != gate.Person {
			return fault.New(fault.NotPerson, "only a person at a terminal can trust a key")
		}
		h, err := c.home()
		if err != nil {
			return err
		}
		key, err := c.keyOf(h, in.Args[0])
		if err != nil {
			return err
		}
		state, text := keys.Trusted, "Packs that it signed stay drafts: they complete, and run nothing."
		if what == "verified" {
			state, text = keys.Verified, "Operations of packs that it signed will run, each at its level."
		}
		c.showKey(h, key)
		fmt.Fprintf(c.Stderr, "  %s\n", text)
		yes, err := term.Confirm(c.Env, fmt.Sprintf("Trust the key of %s? [y/N] ", statement.KeyName(key)))
		if err != nil {
			return err
		}
		if !yes {
			return fault.New(fault.NotPerson, "%s is not trusted: the answer was no", statement.Short(key))
		}
		if err := h.Ring().Set(keys.Trust{Key: key, State: state, Date: c.Now()}); err != nil {
			return err
		}
		return c.restated(h, key, state)
	}
}

// showKey shows what a person compares: name, fingerprint and what is near it.
func (c *call) showKey(h *registry.Home, key string) {
	fmt.Fprintf(c.Stderr, "%s\n  name         %s\n  fingerprint  %s\n  key          %s\n", c.StyleOf(2).Bold(statement.Short(key)), statement.KeyName(key), keys.Fingerprint(key), key)
	book, err := h.Book()
	if err != nil {
		return
	}
	for _, t := range book {
		name := statement.KeyName(t.Key)
		switch {
		case t.Key == key || t.State == keys.Revoked:
		case name == statement.KeyName(key):
			fmt.Fprintf(c.Stderr, "  ! another key of that name is %s: %s\n", t.State, statement.Short(t.Key))
		case registry.Near(name, statement.KeyName(key)):
			fmt.Fprintf(c.Stderr, "  ! its name is near that of %s, which is %s\n", name, t.State)
		}
	}
}

// restated compiles what follows from a changed trust, and says it.
func (c *call) restated(h *registry.Home, key string, state keys.State) error {
	changed, err := h.Restate()
	if err != nil {
		return err
	}
	if c.json {
		return c.PrintJSON(trustAnswer{1, key, state.Word(), state.For(), append([]string{}, changed...)})
	}
	fmt.Fprintf(c.Stdout, "%s is %s\n", statement.Short(key), trusted(string(state.Word()), state.For()))
	for _, name := range changed {
		fmt.Fprintf(c.Stdout, "%s is compiled anew\n", name)
	}
	return nil
}

func newRevoke(c *call, f *command.Flags) command.Run {
	var reason string
	f.String("reason", &reason)
	c.flagJSON(f)
	return func(in command.Input) error {
		if c.Agent() != "" {
			return fault.New(fault.NotPerson, "an agent revokes no key")
		}
		h, err := c.home()
		if err != nil {
			return err
		}
		key, err := c.keyOf(h, in.Args[0])
		if err != nil {
			return err
		}
		if err := h.Ring().Set(keys.Trust{Key: key, State: keys.Revoked, Date: c.Now(), Reason: cmp.Or(reason, "no reason was given")}); err != nil {
			return err
		}
		return c.restated(h, key, keys.Revoked)
	}
}
