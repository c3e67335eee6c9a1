package tmp

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// agent is the name of the calling agent, "" for a person.
func (e *Env) agent() string { return e.Getenv("TMP_AGENT_ID") }

// who says on whose behalf a command is called. A person counts only with a
// terminal to read the question on and to answer it from.
func (e *Env) who() gate.Who {
	switch {
	case e.agent() != "":
		return gate.Agent
	case e.IsTerminal(0) && e.IsTerminal(2):
		return gate.Person
	}
	return gate.Nobody
}

// caller is on whose behalf a session is opened.
func (e *Env) caller() session.Caller {
	return session.Caller{
		Dir: e.Dir, Getenv: e.Getenv, Environ: e.Environ, Now: e.Now, Who: e.who(), Agent: e.agent(),
		Notice: func(text string) { e.notice("%s", text) },
	}
}

// session opens the layers of the map and says on standard error which of them
// are left out.
func (e *Env) session() (*session.Session, error) {
	s, err := session.Open(e.caller())
	if err != nil {
		return nil, err
	}
	for _, p := range s.View.Problems() {
		switch {
		case p.File == "" || strings.Contains(p.Err.Error(), p.File):
			e.notice("%s", p.Err)
		default:
			e.notice("%s: %s", p.File, p.Err)
		}
	}
	return s, nil
}
