package forging

import (
	"bufio"
	"encoding/json"
	"errors"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/cli/tgp"
	"github.com/tool-mapping-protocol/tmp/internal/forge"
)

// request is a line that a program sends.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// longest is how long a line may be in bytes.
const longest = 4 << 20

// runServe answers lines of JSON until standard input ends. Runs follow each other in
// one worker, each in a heap of its own.
func runServe(c *call) error {
	s := &server{call: c}
	defer s.close()
	in := bufio.NewScanner(c.Stdin)
	in.Buffer(make([]byte, 64<<10), longest)
	out := json.NewEncoder(c.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		if len(in.Bytes()) == 0 {
			continue
		}
		var r request
		answer := map[string]any{}
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			answer["id"], answer["error"] = nil, forge.Fail(forge.Usage, "the line is no JSON request")
		} else {
			answer["id"] = r.ID
			result, err := s.answer(&r)
			if err != nil {
				answer["error"] = asError(err)
			} else {
				answer["result"] = result
			}
		}
		if err := out.Encode(answer); err != nil {
			return nil //nolint:nilerr // nobody listens any more
		}
	}
	return in.Err()
}

func asError(err error) *forge.Error {
	var lint *forge.LintError
	if errors.As(err, &lint) {
		return lint.Fault
	}
	var e *forge.Error
	if errors.As(err, &e) {
		return e
	}
	return forge.Fail(forge.Internal, "%s", err)
}

type server struct {
	*call
	forge *forge.Forge
}

func (s *server) close() {
	if s.forge != nil {
		s.forge.Close()
	}
}

// open opens the forge once; what changes on disk is seen by each call.
func (s *server) open() (*forge.Forge, error) {
	if s.forge != nil {
		if err := s.forge.Refresh(); err != nil {
			return nil, err
		}
		return s.forge, nil
	}
	caller := s.Caller()
	caller.Ask = nil // standard input is not a person's
	f, err := forge.Open(caller)
	if err != nil {
		return nil, err
	}
	f.KeepWorkers()
	s.forge = f
	return f, nil
}

func (s *server) answer(r *request) (any, error) {
	var p struct {
		Tool       string            `json:"tool"`
		Args       json.RawMessage   `json:"args"`
		Env        map[string]string `json:"env"`
		Query      string            `json:"query"`
		File       string            `json:"file"`
		Key        string            `json:"key"`
		Unattended bool              `json:"unattended"`
	}
	if len(r.Params) > 0 {
		if err := json.Unmarshal(r.Params, &p); err != nil {
			return nil, tgp.Usage("the parameters of %s are not as they must be", r.Method)
		}
	}
	f, err := s.open()
	if err != nil {
		return nil, err
	}
	switch r.Method {
	case "list":
		tools, err := f.List(p.Query)
		if err != nil {
			return nil, err
		}
		if tools == nil {
			tools = []*forge.Tool{}
		}
		return map[string]any{"tools": tools}, nil
	case "check":
		file := p.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(s.Dir, file)
		}
		data, err := readLimited(file)
		if err != nil {
			return nil, forge.Fail(forge.NotFound, "%s cannot be read: %s", p.File, err)
		}
		return checkFile(f, p.File, data, file)
	case "run":
		if p.Tool == "" {
			return nil, tgp.Usage("run needs a tool")
		}
		o := forge.Order{Tool: p.Tool, Env: p.Env}
		if len(p.Args) > 0 && string(p.Args) != "null" {
			o.Args.JSON = string(p.Args)
		}
		return f.Run(s.Context, o)
	case "approve":
		if s.Agent() != "" {
			return nil, forge.Fail(forge.AgentRefused, "an agent may not approve a tool")
		}
		if p.Key == "" {
			return nil, tgp.Usage("approve needs a key here")
		}
		rv, err := f.Review(p.Tool)
		if err != nil {
			return nil, err
		}
		return f.Approve(rv, p.Key, p.Unattended)
	}
	return nil, tgp.Usage("there is no method %q: list, check, run, approve", r.Method)
}
