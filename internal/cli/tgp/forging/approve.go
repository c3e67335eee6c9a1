package forging

import (
	"fmt"

	"github.com/tool-mapping-protocol/tmp/internal/cli/tgp"
	"github.com/tool-mapping-protocol/tmp/internal/forge"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

func runReview(c *call) error {
	f, err := c.open()
	if err != nil {
		return err
	}
	if len(c.Line.Args) == 0 {
		tools, err := f.Waiting()
		if err != nil {
			return err
		}
		if c.Line.JSON {
			if tools == nil {
				tools = []*forge.Tool{}
			}
			return c.JSON(map[string]any{"v": 1, "tools": tools})
		}
		for _, t := range tools {
			c.Printf("%s  %s  %s\n", t.Category+"/"+t.Name, t.State, t.Branch)
		}
		return nil
	}
	rv, err := f.Review(c.Line.Args[0])
	if err != nil {
		return err
	}
	if c.Line.JSON {
		return c.JSON(rv)
	}
	c.review(rv)
	return nil
}

func (c *call) review(rv *forge.Review) {
	c.Printf("%s (%s, %s)\n", rv.Tool, rv.State, rv.Path)
	c.Printf("source  %s\nlibs    %s\neffect  %s (%s)\nnet     %s\nenv     %s\nsigned  %d of %d\n\n", rv.Source, rv.Libs, rv.Effect, rv.Level, tgp.List(rv.Net), tgp.List(rv.Env), rv.Signed, rv.Need)
	fmt.Fprint(c.Stdout, tgp.PlainText(rv.Diff))
	for _, f := range rv.Findings {
		c.Printf("%s\n", f.String())
	}
}

func runApprove(c *call) error {
	if c.Agent() != "" {
		return forge.Fail(forge.AgentRefused, "an agent may not approve a tool")
	}
	key := c.Line.Value("--key")
	if key == "" {
		if err := c.Person("approve a tool"); err != nil {
			return err
		}
	}
	f, err := c.open()
	if err != nil {
		return err
	}
	rv, err := f.Review(c.Line.Args[0])
	if err != nil {
		return err
	}
	if key == "" && c.Who() == gate.Person {
		c.review(rv)
		if !c.Confirm("approve "+rv.Tool+"?", false) {
			return forge.Fail(forge.ApprovalRequired, "%s was not approved", rv.Tool)
		}
	}
	a, err := f.Approve(rv, key, c.Line.Given("--unattended"))
	if err != nil {
		return err
	}
	return c.added(a)
}

func runRevoke(c *call) error {
	if c.Agent() != "" {
		return forge.Fail(forge.AgentRefused, "an agent may not revoke an approval")
	}
	f, err := c.open()
	if err != nil {
		return err
	}
	a, err := f.Revoke(c.Line.Args[0])
	if err != nil {
		return err
	}
	if c.Line.JSON {
		return c.JSON(a)
	}
	c.Printf("%s is approved no more\n", a.Tool)
	return nil
}

func runTrust(c *call) error {
	if err := c.Person("trust a configuration"); err != nil {
		return err
	}
	caller := c.Caller()
	caller.Lenient = true
	caller.Notice = nil
	f, err := forge.Open(caller)
	if err != nil {
		return err
	}
	if f.Settings.File == "" || f.Settings.Host {
		return forge.Fail(forge.NotFound, "there is no configuration here that needs trust")
	}
	text, err := readLimited(f.Settings.File)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Stdout, "%s\n\n", screen.Printable(f.Settings.File))
	fmt.Fprint(c.Stdout, tgp.PlainText(string(text)))
	if !c.Confirm("trust this configuration?", false) {
		return forge.Fail(forge.ConfigUntrusted, "it was not trusted")
	}
	return f.Trust(f.Settings.File, f.Settings.Digest)
}

func runKey(c *call) error {
	f, err := c.lenient()
	if err != nil {
		return err
	}
	arg := ""
	if len(c.Line.Args) > 1 {
		arg = c.Line.Args[1]
	}
	switch c.Line.Args[0] {
	case "generate":
		if c.Agent() != "" {
			return forge.Fail(forge.AgentRefused, "an agent makes no key")
		}
		if arg == "" {
			arg = "tgp"
		}
		k, err := f.GenerateKey(arg, c.Line.Value("--out"))
		if err != nil {
			return err
		}
		if c.Line.JSON {
			return c.JSON(map[string]any{"v": 1, "name": k.Name, "file": k.File, "verifier": k.Verifier})
		}
		fmt.Fprintln(c.Stdout, k.Verifier)
		fmt.Fprintf(c.Stderr, "tgp: the private key is in %s\n", screen.Printable(k.File))
		return nil
	case "list", "show":
		keys := f.Keys()
		if arg != "" {
			for _, k := range keys {
				if k.Name == arg {
					keys = []forge.Key{k}
				}
			}
		}
		if c.Line.JSON {
			return c.JSON(map[string]any{"v": 1, "keys": keys})
		}
		for _, k := range keys {
			fmt.Fprintln(c.Stdout, k.Verifier)
		}
		return nil
	case "trust":
		if arg == "" {
			return tgp.Usage("tgp key trust needs a key")
		}
		if err := c.Person("trust a key"); err != nil {
			return err
		}
		if !c.Confirm("let signatures of "+arg+" count on this machine?", false) {
			return forge.Fail(forge.ApprovalRequired, "the key was not trusted")
		}
		return f.TrustKey(arg)
	}
	return tgp.Usage("tgp key is generate, list, show or trust")
}
