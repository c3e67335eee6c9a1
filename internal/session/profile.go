package session

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/project"
)

// ProjectView is what can be done in a project, for a screen.
type ProjectView struct {
	Root, Package string // Package from the root
	Foreign       bool
	Ecosystems    []*project.Ecosystem
	Roles         []ViewedRole
	Others        int // tasks that play none of the roles shown
	Conflicts     []project.Conflict
	Unread        []project.Unread
}

// ViewedRole is a role that is played here.
type ViewedRole struct {
	Name, Title string
	Played
}

// ProjectView judges what the project can do.
func (s *Session) ProjectView() ProjectView {
	p := s.Profile()
	sum := p.Summary()
	s.seen = map[string]lookedUp{}
	defer func() { s.seen = nil }()
	v := ProjectView{
		Root: sum.Root, Package: sum.Package, Foreign: sum.Foreign, Ecosystems: sum.Ecosystems,
		Conflicts: sum.Conflicts, Unread: sum.Unread,
	}
	var shown []string
	for _, name := range p.Order() {
		pl, ok := sum.Roles[name]
		if !ok {
			continue
		}
		key := pl.Dir + " " + strings.Join(pl.Argv, " ")
		if slices.Contains(shown, key) { // one command for two roles is one line
			continue
		}
		shown = append(shown, key)
		v.Roles = append(v.Roles, ViewedRole{name, p.Title(name), s.Played(&pl)})
	}
	for _, t := range sum.Tasks {
		if !slices.Contains(shown, t.Dir+" "+strings.Join(t.Argv, " ")) {
			v.Others++
		}
	}
	return v
}

// profileJSON is the profile as tmp project --json prints it.
type profileJSON struct {
	project.Profile
	Roles     map[string]roleJSON `json:"roles"`
	Tasks     []taskJSON          `json:"tasks"`
	MapDigest string              `json:"map_digest"`
}

type roleJSON struct {
	project.Play
	OperationID string `json:"operation_id"`
	Level       string `json:"level"`
	Effect      string `json:"effect"`
}

type taskJSON struct {
	project.Task
	OperationID string `json:"operation_id"`
	Source      string `json:"source"`
	Level       string `json:"level"`
	Effect      string `json:"effect"`
}

// maxJudged bounds the tasks whose level is found for one profile; of the others it
// is found when they are asked for.
const maxJudged = 200

// ProfileJSON is the whole profile, with levels.
func (s *Session) ProfileJSON() ([]byte, error) {
	p := s.Profile()
	kind := "whole" // what the person settled belongs to it
	if prefer, err := s.Preferences(); err == nil {
		for _, k := range sortedKeys(prefer) {
			kind += "-" + hex.EncodeToString([]byte(k+"="+prefer[k]))
		}
	}
	if len(kind) < 200 {
		if data, ok := s.recall(kind); ok {
			return data, nil
		}
	}
	whole := p.Whole()
	s.seen = map[string]lookedUp{}
	defer func() { s.seen = nil }()
	out := profileJSON{Profile: whole, Roles: map[string]roleJSON{}, Tasks: []taskJSON{}, MapDigest: s.View.Digest()}
	for name, pl := range whole.Roles {
		played := s.Played(&pl)
		out.Roles[name] = roleJSON{pl, played.Operation.ID, played.Level().String(), played.Operation.Effect}
	}
	for i := range whole.Tasks {
		t := &whole.Tasks[i]
		pl := p.Play(t)
		j := taskJSON{Task: *t, OperationID: projectID(pl), Source: t.Source()}
		if i < maxJudged {
			played := s.Played(pl)
			j.Level, j.Effect = played.Level().String(), played.Operation.Effect
		}
		out.Tasks = append(out.Tasks, j)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(out)
	if err == nil && len(kind) < 200 {
		s.keep(kind, p.Seen(), b.Bytes())
	}
	return b.Bytes(), err
}

// PreferenceKey is the key of what a person settles: "manager" is that of the
// ecosystem that has the value among its managers.
func (s *Session) PreferenceKey(name, value string) (string, error) {
	p := s.Profile()
	if p == nil {
		return "", Fail("no project lies here")
	}
	switch {
	case name == "manager":
		for _, e := range p.Summary().Ecosystems {
			if slices.Contains(e.Rivals(), value) || value == "" || e.Manager == value {
				return "manager." + e.Name, nil
			}
		}
		return "", Fail("%s manages nothing here", value).Hint("tmp project shows which managers contradict each other")
	case strings.HasPrefix(name, "manager."), name == "runner":
		return name, nil
	case strings.HasPrefix(name, "role.") && p.Title(name[len("role."):]) != "":
		return name, nil
	case p.Title(name) != "":
		return "role." + name, nil
	}
	return "", Fail("%q is nothing that can be settled", name).Hint("manager, runner, or a role such as role.test")
}

// ContextRoles is what the project can do, for a context.
func (s *Session) ContextRoles() []opmap.ContextRole {
	if s.Profile() == nil {
		return nil
	}
	var out []opmap.ContextRole
	for _, r := range s.ProjectView().Roles {
		c := opmap.ContextRole{Role: r.Name, Title: r.Title, Argv: r.Argv, Line: invoke.Display(r.Argv), Dir: r.Play.Dir, Risk: r.Level().String()}
		if len(r.Evidence) > 0 {
			if c.Source = r.Evidence[0].File; r.Evidence[0].Line > 0 {
				c.Source += ":" + strconv.Itoa(r.Evidence[0].Line)
			}
		}
		out = append(out, c)
	}
	return out
}
