package term

import (
	"cmp"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/account"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// Agent is the name of the calling agent, "" for a person.
func (e *Env) Agent() string { return cmp.Or(e.Getenv("TMP_AGENT_ID"), e.Getenv("TE_AGENT_ID")) }

// AccountState is the state directory of the account, whatever the environment
// says; "" where the account has no home.
func (e *Env) AccountState() string {
	if e.Account == nil {
		return ""
	}
	return account.State(e.Account())
}

// Places are where the caller's files are.
func (e *Env) Places() place.Paths {
	c := session.Caller{Getenv: e.Getenv, Agent: e.Agent()}
	if c.Agent != "" {
		c.Account = e.AccountState()
	}
	return c.Places()
}

// Who says on whose behalf a command is called. A person counts only with a
// terminal to read the question on and to answer it from.
func (e *Env) Who() gate.Who {
	switch {
	case e.Agent() != "":
		return gate.Agent
	case e.IsTerminal(0) && e.IsTerminal(2):
		return gate.Person
	}
	return gate.Nobody
}

// Caller is on whose behalf a session is opened.
func (e *Env) Caller() session.Caller {
	return session.Caller{
		Dir: e.Dir, Getenv: e.Getenv, Environ: e.Environ, Now: e.Now, Who: e.Who(), Agent: e.Agent(),
		Account: e.AccountState(),
		Notice:  func(text string) { e.Notice("%s", text) },
	}
}

// Session opens the layers of the map and says on standard error which of them
// are left out.
func (e *Env) Session() (*session.Session, error) {
	s, err := session.Open(e.Caller())
	if err != nil {
		return nil, err
	}
	for _, p := range s.View.Problems() {
		switch {
		case p.File == "" || strings.Contains(p.Err.Error(), p.File):
			e.Notice("%s", p.Err)
		default:
			e.Notice("%s: %s", p.File, p.Err)
		}
	}
	return s, nil
}
