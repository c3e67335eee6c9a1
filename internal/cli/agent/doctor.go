package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/config"
	"github.com/tool-mapping-protocol/tmp/internal/hook"
	"github.com/tool-mapping-protocol/tmp/internal/hook/entry"
)

const doctorHelp = `usage: tmp-agent doctor [--json]

Says of each harness whether the hook is entered, for you and for this project,
hands each entry an event with rm -rf / and reads the answer.
Status 1: an entry does not work.

  tmp-agent doctor
  tmp-agent doctor --json    {"v":1,"harnesses":[{"harness":…,"path":…,"hook":…}]}
`

// Report is what doctor says of one file of a harness.
type Report struct {
	Harness  string   `json:"harness"`
	Path     string   `json:"path"`
	Hook     string   `json:"hook"`  // ok, missing, broken, stale
	Fails    string   `json:"fails"` // open, closed
	Asks     bool     `json:"asks"`
	Rewrites bool     `json:"rewrites"`
	Notes    []string `json:"notes"`
}

// doctor tries all entries; ok is false if one is broken.
func (env *Env) doctor(args []string) (ok bool, err error) {
	asJSON := false
	for _, a := range args {
		switch a {
		case "-h", "--help":
			fmt.Fprint(env.Stdout, doctorHelp)
			return true, nil
		case "--json":
			asJSON = true
		default:
			return false, usagef("%s is unknown; see tmp-agent doctor --help", a)
		}
	}
	ok = true
	reports := []Report{}
	for i := range hook.Harnesses() {
		h := &hook.Harnesses()[i]
		for _, project := range []bool{false, true} {
			r, err := env.examine(h, project)
			if err != nil {
				return false, err
			}
			if project && r.Hook == "missing" && len(r.Notes) == 0 {
				continue
			}
			ok = ok && r.Hook != "broken"
			reports = append(reports, r)
		}
	}
	if note := env.unreached(); note != "" {
		for i := range reports {
			if reports[i].Hook != "missing" && reports[i].Rewrites {
				reports[i].Notes = append(reports[i].Notes, note)
			}
		}
	}
	if asJSON {
		enc := json.NewEncoder(env.Stdout)
		enc.SetEscapeHTML(false)
		return ok, enc.Encode(struct {
			V         int      `json:"v"`
			Harnesses []Report `json:"harnesses"`
		}{1, reports})
	}
	for _, r := range reports {
		if r.Hook == "missing" && len(r.Notes) == 0 {
			continue
		}
		fmt.Fprintf(env.Stdout, "%-9s %-8s %s\n", r.Harness, r.Hook, r.Path)
		for _, n := range r.Notes {
			fmt.Fprintf(env.Stdout, "  %s\n", n)
		}
	}
	var without []string
	for _, r := range reports {
		if r.Hook == "missing" && len(r.Notes) == 0 {
			without = append(without, r.Harness)
		}
	}
	if len(without) > 0 {
		fmt.Fprintf(env.Stdout, "no hook: %s\n  tmp-agent install HARNESS --hook\n", strings.Join(without, " "))
	}
	return ok, nil
}

// examine says what is wrong with one file.
func (env *Env) examine(h *hook.Harness, project bool) (Report, error) {
	name, err := env.file(h, project)
	if err != nil {
		return Report{}, err
	}
	r := Report{Harness: h.Key, Path: name, Hook: "missing", Fails: h.Fails, Asks: h.Asks, Rewrites: h.Rewrite != hook.Never, Notes: []string{}}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		r.Hook, r.Notes = "broken", append(r.Notes, err.Error())
		return r, nil
	}
	in := installation{harness: h, common: common{project: project}}
	e, _ := env.entry(&in)
	if err := e.Check(data); err != nil {
		r.Notes = append(r.Notes, "the file cannot be read: "+err.Error())
		return r, nil
	}
	lines := e.Commands(data)
	if len(lines) == 0 && e.Served(data) {
		h, _ = hook.Find(h.Also[0])
		e.Harness = h
		lines = e.Commands(data)
		r.Notes = append(r.Notes, "the entry of "+h.Key+" answers it too")
	}
	if len(lines) == 0 {
		return r, nil
	}
	r.Notes = append(r.Notes, e.Others(data)...)
	if h.Key == r.Harness && e.Closed(data) {
		r.Fails = "closed"
	}
	words := entry.Words(lines[0])
	for _, w := range words[1:] {
		r.Asks = r.Asks && w != "--no-ask"
		r.Rewrites = r.Rewrites && w != "--no-rewrite"
	}
	r.Hook = "ok"
	for _, l := range lines {
		if why := env.try(h, l); why != "" {
			r.Hook, r.Notes = "broken", append(r.Notes, why)
		}
	}
	if r.Hook == "ok" {
		e.Argv = append(e.Argv[:1:1], words[1:]...)
		if again, err := e.Add(data); len(lines) > 1 || err != nil || !bytes.Equal(again, data) {
			r.Hook, r.Notes = "stale", append(r.Notes, "it works, and is not what this version would write: tmp-agent install "+h.Key+" --hook")
		}
	}
	if h.Note != "" && h.Key == r.Harness {
		r.Notes = append(r.Notes, h.Note)
	}
	return r, nil
}

// unreached says that lines are rewritten and that a login shell, as some
// harnesses start one, would not find what they are put behind.
func (env *Env) unreached() string {
	file := env.paths().Settings()
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	all, problems := config.Sections(file, string(data))
	section, _ := all["hook"].(map[string]any)
	s := hook.Default()
	s.Apply(section, false)
	if len(problems) > 0 || len(s.Rewrite) == 0 {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), tryTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-lc", "command -v tmp")
	cmd.Dir, cmd.Env = "/", env.Environ
	cmd.WaitDelay = time.Second
	if cmd.Run() == nil {
		return ""
	}
	return "lines are put behind tmp run, and a login shell does not find tmp: add its directory to PATH in ~/.profile"
}

// tryTime is what the entry gives the hook.
const tryTime = entry.Timeout * time.Second

// try hands the line of an entry an event that no harness may let pass, and says
// what is wrong with the answer.
func (env *Env) try(h *hook.Harness, line string) string {
	if words := entry.Words(line); len(words) > 0 && !filepath.IsAbs(words[0]) {
		return "the program is not named by an absolute path: " + words[0]
	} else if _, err := os.Stat(words[0]); err != nil {
		return "the program is not there: " + words[0]
	}
	ctx, cancel := context.WithTimeout(context.Background(), tryTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.Dir, cmd.Env = "/", env.Environ
	cmd.WaitDelay = time.Second
	cmd.Stdin = strings.NewReader(hook.Canned(h))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	status := cmd.ProcessState.ExitCode()
	if err != nil && status < 0 {
		return "it gives no answer: " + err.Error()
	}
	if !hook.Refuses(h, out.Bytes(), errs.String(), status) {
		return "an event with rm -rf / is not refused"
	}
	return ""
}

// lookPath finds a program in the absolute directories of a PATH.
func lookPath(path, name string) string {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, name)
		if st, err := os.Stat(file); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}
