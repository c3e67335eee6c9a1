package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/tool-mapping-protocol/tmp/internal/account"
	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/config"
	"github.com/tool-mapping-protocol/tmp/internal/hook"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	riskfacts "github.com/tool-mapping-protocol/tmp/internal/risk/facts"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// call is one event on its way to its answer.
type call struct {
	env      *Env
	o        options
	paths    place.Paths
	settings hook.Settings
	event    hook.Event
	dir      string // where the call would run
	view     *tcpdb.View
	v        line.Verdict
	rules    *hook.Rules
	read     atomic.Bool // the event is
	binds    atomic.Bool // the state of the place is being taken down
	waived   bool        // HIGH or above, and Enter would run it
}

// answer judges the event. It answers whatever happens.
func (c *call) answer() (a hook.Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = c.unjudged(fmt.Sprintf("a fault of tmp: %v", p))
		}
	}()
	data, err := read(c.env.Stdin)
	c.read.Store(true)
	if err != nil {
		return c.unjudged("the event cannot be read")
	}
	c.event, err = hook.Parse(c.o.harness, data)
	c.dir = c.event.Dir
	if c.dir == "" || !filepath.IsAbs(c.dir) {
		c.dir = filepath.Join(c.env.Dir, c.dir)
	}
	c.paths.State = c.records()
	fault := c.configure()
	switch {
	case err != nil:
		return c.unjudged(err.Error())
	case c.o.wrong != "":
		return c.unset(c.o.wrong)
	}
	found, safer := c.judge()
	if fault != "" && (c.event.Line != "" || len(found) > 0) {
		return c.unset(fault)
	}
	return c.rule(found, safer)
}

// unjudged answers a call of which nobody knows what it does.
func (c *call) unjudged(why string) hook.Answer {
	c.v = line.Verdict{Level: tcpdb.High}
	return c.rule([]hook.Found{unread(why)}, "")
}

// unset answers a call while the settings or the entry are faulty: other words of
// the model change nothing about that.
func (c *call) unset(why string) hook.Answer {
	c.v = line.Verdict{Level: tcpdb.High}
	f := unread("")
	f.Why = why + "; a person has to mend this first"
	return c.rule([]hook.Found{f}, "")
}

// judge finds what calls for something in the event.
func (c *call) judge() (found []hook.Found, safer string) {
	e := &c.event
	if e.Kind == hook.Foreign {
		if f, ok := hook.OfTool(e.Tool); ok {
			found = append(found, f)
		}
	}
	if e.Line != "" {
		var of []hook.Found
		of, safer = c.judgeLine()
		found = append(found, of...)
	}
	if len(e.Writes)+len(e.Reads) > 0 {
		found = append(found, c.judgeFiles()...)
	}
	return found, safer
}

// judgeLine judges the line as Enter would, for a person in its directory.
func (c *call) judgeLine() (found []hook.Found, safer string) {
	text := c.event.Line
	ground := riskfacts.Place{Paths: c.paths, Dir: c.dir, Getenv: c.env.Getenv}
	c.view = mapset.OpenView(c.paths, c.dir)
	c.v = line.Judge(c.view, text, shline.Bash, riskfacts.Of(ground), line.Options{Expanded: true, Marks: true, Variables: c.variables(text)})
	var d ask.Decision
	if ask.Counts(&c.v) {
		d, safer = c.decide(text, ground.Installed)
	}
	found = hook.Of(text, &c.v, &d)
	touched := c.touched(text)
	if guard := c.v.Guard; guard != "" && !slices.ContainsFunc(touched, func(f hook.Found) bool { return !f.Secret }) {
		touched = append(touched, hook.Found{Level: tcpdb.High, Part: guard, Why: "changes what guards this session", Rule: "write.guard"})
	}
	found = append(found, touched...)
	hook.WorstFirst(found)
	c.waived = len(found) == 0 && c.v.Level >= tcpdb.High
	return found, safer
}

// decide is what Enter would do with a line, and the line put the safer way.
func (c *call) decide(text string, installed func(string) bool) (d ask.Decision, safer string) {
	scene := facts.Open(c.dir, c.env.Getenv, c.paths, config.Sections)
	defer scene.Close()
	if c.v.Level < tcpdb.High {
		if !scene.AtRisk(c.v.Findings) {
			return d, ""
		}
		scene.Hurry()
	}
	f := scene.Facts(ask.Person)
	f.Allowed = nil // what a person allowed at Enter counts for no agent
	d = ask.Decide(&c.v, &f)
	safer, _ = ask.Safer(text, &c.v, &d, installed)
	return d, safer
}

// variables are the values that those have which a line names, in the environment
// that the harness hands on. TMPDIR is empty where it is not set.
func (c *call) variables(text string) map[string]string {
	if len(text) > maxTouched || !strings.Contains(text, "$") {
		return nil
	}
	set := map[string]string{"TMPDIR": ""}
	for _, e := range c.env.Environ {
		if name, value, ok := strings.Cut(e, "="); ok && name != "PWD" && name != "OLDPWD" && strings.Contains(text, name) {
			set[name] = value
		}
	}
	return set
}

// maxTouched is the length of the longest line that is looked through for files, in
// bytes: as of the judge.
const maxTouched = 64 << 10

// touched is what is found of the files that a line shows and writes, which is
// nothing to a person at a terminal.
func (c *call) touched(text string) (found []hook.Found) {
	if len(text) > maxTouched {
		return nil // not analysed
	}
	list := hook.Touches(c.view, text)
	if len(list) == 0 {
		return nil
	}
	p := c.places()
	for i := range list {
		t := &list[i]
		shown := hook.Found{Level: tcpdb.High, Part: t.Part, Why: "shows a secret to the model", Rule: "secret.shown", Secret: true}
		if t.Secret || slices.ContainsFunc(t.Names, c.secretVariable) || c.secretFile(&p, t.Shows) {
			found = append(found, shown)
		}
		for _, name := range t.Writes {
			if f, ok := c.written(&p, name, t.Part); ok {
				found = append(found, f)
				break
			}
		}
	}
	return found
}

// secretVariable reports whether a variable is a secret by its name; "*" are all
// that there are.
func (c *call) secretVariable(name string) bool {
	if name != "*" {
		return hook.SecretName(name)
	}
	return slices.ContainsFunc(c.env.Environ, func(e string) bool {
		name, value, _ := strings.Cut(e, "=")
		return value != "" && hook.SecretName(name)
	})
}

// secretFile reports whether one of the names, which may be patterns, is the path
// of something secret.
func (c *call) secretFile(p *hook.Places, names []string) bool {
	for _, name := range names {
		files := []string{name}
		if strings.ContainsAny(name, "*?[") {
			at := name
			if !filepath.IsAbs(at) {
				at = c.dir + "/" + at
			}
			found, _ := filepath.Glob(at)
			files = append(files, found[:min(len(found), 256)]...)
		}
		for _, name := range files {
			for _, file := range c.resolve(name) {
				if _, ok := p.Secret(file, name); ok {
					return true
				}
			}
		}
	}
	return false
}

// written is what it means that a command writes to a path.
func (c *call) written(p *hook.Places, name, part string) (hook.Found, bool) {
	if name == "" || strings.HasPrefix(name, "$") && !strings.HasPrefix(name, "$HOME/") {
		return hook.Found{}, false
	}
	name = strings.Replace(name, "$HOME/", "~/", 1)
	for _, file := range c.resolve(name) {
		if f, ok := p.Written(file, part); ok {
			return f, true
		}
	}
	return hook.Found{}, false
}

// judgeFiles judges the paths of the event.
func (c *call) judgeFiles() (found []hook.Found) {
	p := c.places()
	for _, name := range c.event.Writes {
		for _, file := range c.resolve(name) {
			if f, ok := p.Written(file, name); ok {
				found = append(found, f)
				break
			}
			if f, ok := hook.LifeCycle(file, name, c.event.Puts); ok {
				found = append(found, f)
				break
			}
		}
	}
	for _, name := range c.event.Reads {
		for _, file := range c.resolve(name) {
			if f, ok := p.Secret(file, name); ok {
				found = append(found, f)
				break
			}
		}
	}
	return found
}

// places are the directories that decide what a path means.
func (c *call) places() hook.Places {
	var p hook.Places
	add := func(list []string, dir string) []string {
		if dir == "" {
			return list
		}
		list = append(list, filepath.Clean(dir))
		if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
			list = append(list, real)
		}
		return list
	}
	p.Homes = add(add(nil, c.paths.Home), c.env.Account())
	p.Own = add(add(add(add(nil, c.paths.Config), c.paths.Data), c.paths.State), place.Find(c.env.Getenv).State)
	return p
}

// resolve returns a path as it is written and as the kernel would walk it:
// through links, with ".." taken after them.
func (c *call) resolve(name string) []string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && c.paths.Home != "" {
		name = c.paths.Home + "/" + rest
	}
	if !filepath.IsAbs(name) {
		name = c.dir + "/" + name
	}
	list := []string{filepath.Clean(name)}
	if real := walk(name); real != list[0] {
		list = append(list, real)
	}
	return list
}

// walk follows the links of the part of a path that is there.
func walk(name string) string {
	rest := ""
	for at := name; at != "" && at != "/"; {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if to, err := os.Readlink(at); err == nil { // to where nothing is yet
			if !filepath.IsAbs(to) {
				to = filepath.Dir(at) + "/" + to
			}
			return filepath.Join(filepath.Clean(to), rest)
		}
		dir, base := filepath.Split(strings.TrimRight(at, "/"))
		at, rest = strings.TrimRight(dir, "/"), filepath.Join(base, rest)
	}
	return filepath.Clean(name)
}

// rule decides, writes down what is to be written down, and puts the answer
// into its form.
func (c *call) rule(found []hook.Found, safer string) hook.Answer {
	h := c.o.harness
	nobody := hook.Unattended(h, &c.event, c.o.noAsk, c.settings)
	k := hook.Call{Harness: h, Event: &c.event, Found: found, Level: c.v.Level}
	if len(found) == 0 && c.event.Line != "" {
		k.Plain = c.settings.AutoAllow && h.Allowing() && c.plain()
	}
	r := hook.Rule(&k, c.settings, nobody)
	if r.Verdict <= hook.Allowed && !r.Told {
		input := c.rewritten(&k)
		c.note(&r)
		return hook.Write(h, &c.event, &r, "", input)
	}
	approve := ""
	if r.Approvable {
		var passed bool
		c.binds.Store(true)
		approve, passed = c.approval(&r)
		c.binds.Store(false)
		if passed {
			r = hook.Ruling{Found: r.Found}
			c.log(audit.Approved, &r)
			return hook.Write(h, &c.event, &r, "", nil)
		}
	}
	reason := ""
	if r.Verdict >= hook.Asked || r.Told {
		reason = hook.Reason(&r.Found, safer, approve, c.mask)
	}
	c.note(&r)
	return hook.Write(h, &c.event, &r, reason, nil)
}

// note writes what is HIGH or refused to the audit log.
func (c *call) note(r *hook.Ruling) {
	switch {
	case r.Verdict == hook.Denied:
		c.log(audit.Refused, r)
	case r.Verdict == hook.Asked:
		c.log(audit.Asked, r)
	case r.Told || c.waived || r.Found.Level >= tcpdb.High:
		c.log(audit.Waived, r)
	default:
		if _, all := facts.Kept(c.paths); all {
			c.log(audit.Waived, r)
		}
	}
}

func (c *call) log(answer audit.Answer, r *hook.Ruling) {
	level := max(r.Found.Level, c.v.Level)
	rec := audit.Record{
		Time: c.env.Now(), Via: "hook", Answer: answer, Level: level.String(), Flags: c.v.Flags.Names(), Shell: "bash", Dir: c.dir,
		Line: c.event.Line, Map: c.view, Agent: c.agent(), Session: c.event.Session,
	}
	if rec.Line == "" {
		rec.Shell, rec.Line = "", strings.TrimSpace(c.event.Tool+" "+r.Found.Part)
	}
	if r.Found.Rule != "" {
		rec.Rules = []string{r.Found.Rule}
	} else if len(c.v.Findings) > 0 {
		rec.Rules = []string{c.v.Findings[0].Rule}
	}
	_ = audit.Append(c.paths.State, rec) // that it cannot is no reason to let the call through, or to stop it
}

// agent is who the call is for.
func (c *call) agent() string {
	if c.o.agent != "" {
		return c.o.agent
	}
	for _, name := range []string{"TMP_AGENT_ID", "TE_AGENT_ID"} {
		if id := c.env.Getenv(name); id != "" {
			return id
		}
	}
	return c.o.harness.Key
}

func (c *call) mask(s string) string { return audit.Mask(s, c.view) }

// records is the directory for what counts as a person's: never one that the
// environment of an agent names.
func (c *call) records() string {
	if state := account.State(c.env.Account()); state != "" {
		return state
	}
	return c.paths.State
}

// errSection is what is wrong with a section that is none.
var errSection = errors.New("want a section")

// configure reads the settings; it returns what is wrong with them.
func (c *call) configure() (fault string) {
	file := c.paths.Settings()
	text, err := small(file)
	if err != nil {
		return "the settings cannot be read: " + err.Error()
	}
	if strings.TrimSpace(text) != "" {
		all, problems := config.Sections(file, text)
		if len(problems) > 0 {
			return problems[0].Error()
		}
		section, ok := all["hook"].(map[string]any)
		if all["hook"] != nil && !ok {
			return facts.Problem{File: file, Err: errSection}.Error()
		}
		for _, f := range c.settings.Apply(section, false) {
			fault = file + ": " + f.Error()
		}
	}
	if project := mapset.TrustedProject(c.paths, c.dir); project != "" {
		file := filepath.Join(project, ".tmp", "config.json")
		text, err := small(file)
		var all struct {
			Hook map[string]any `json:"hook"`
		}
		if err == nil && text != "" {
			err = json.Unmarshal([]byte(text), &all)
		}
		if err != nil {
			return file + ": " + err.Error()
		}
		for _, f := range c.settings.Apply(all.Hook, true) {
			fault = file + ": " + f.Error()
		}
	}
	return fault
}

// maxSettings bounds a file of settings, in bytes.
const maxSettings = 1 << 20

// small reads a file of settings; "" if there is none.
func small(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	st, err := os.Stat(file)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if !st.Mode().IsRegular() || st.Size() > maxSettings {
		return "", errors.New("is no file of settings")
	}
	data, err := os.ReadFile(file)
	return string(data), err
}
