package forge

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/forge/isolate"
	"github.com/tool-mapping-protocol/tmp/internal/forge/repo"
	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
	"github.com/tool-mapping-protocol/tmp/internal/forge/worker"
	"github.com/tool-mapping-protocol/tmp/internal/textdiff"
)

// Shown is a tool with its source.
type Shown struct {
	*Tool
	V      int    `json:"v"`
	Source string `json:"source"`
}

// Show reads a tool as it is on main, or where it waits.
func (f *Forge) Show(word string) (*Shown, error) {
	t, err := f.Find(word)
	if err != nil {
		return nil, err
	}
	t.Runs = f.runs()[t.Category+"/"+t.Name].ok
	branch := ""
	if t.State == Pending {
		branch = t.Branch
	}
	data, _, err := f.source(t, branch)
	if err != nil {
		return nil, err
	}
	return &Shown{t, 1, string(data)}, nil
}

// CommitLine is a commit of the tools.
type CommitLine struct {
	Commit  string `json:"commit"`
	Subject string `json:"subject"`
	Author  string `json:"author"`
	Time    string `json:"time"`
}

// Log is the commits and the runs of a tool, or of all; the newest first.
type Log struct {
	V       int          `json:"v"`
	Commits []CommitLine `json:"commits"`
	Runs    []RunLine    `json:"runs"`
}

// Log reads what happened.
func (f *Forge) Log(word string) (*Log, error) {
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	l := &Log{V: 1, Commits: []CommitLine{}, Runs: []RunLine{}}
	var tool *Tool
	from := []repo.Hash{r.Branch(repo.Main)}
	if word != "" {
		if tool, err = f.Find(word); err != nil {
			return nil, err
		}
		if tool.Branch != "" {
			from = append([]repo.Hash{r.Branch(tool.Branch)}, from...)
		}
	}
	var fault error
	err = r.Walk(from, func(c *repo.Commit) bool {
		if tool != nil {
			touched, err := r.Touched(c)
			if err != nil {
				fault = err
				return false
			}
			if !slices.Contains(touched, tool.Path) && !slices.Contains(touched, run.NotePath(tool.Category, tool.Name)) {
				return true
			}
		}
		l.Commits = append(l.Commits, CommitLine{c.Hash.String(), c.Subject(), c.Author, c.When.UTC().Format(time.RFC3339)})
		return true
	})
	if err = errors.Join(err, fault); err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	f.runLines(func(fields []string) {
		if tool == nil || fields[1] == tool.Category+"/"+tool.Name {
			at := time.Unix(seconds(fields[3]), 0).UTC().Format(time.RFC3339)
			l.Runs = append([]RunLine{{fields[0], fields[1], fields[2] == "1", at, fields[4], fields[5]}}, l.Runs...)
		}
	})
	if len(l.Runs) > 1000 {
		l.Runs = l.Runs[:1000]
	}
	return l, nil
}

// Probe is one look of doctor.
type Probe struct {
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Message string `json:"message"`
}

// Doctor looks at what the forge stands on.
func (f *Forge) Doctor(ctx context.Context) []Probe {
	var out []Probe
	add := func(name string, ok bool, message string) { out = append(out, Probe{name, ok, message}) }
	add("configuration", f.Settings.Trusted || f.Settings.File == "", f.Settings.Shown()+", "+f.Mode+" mode")
	f.doctorEngine(ctx, add)
	r, err := f.open()
	if err != nil {
		add("repository", false, err.Error())
		return out
	}
	add("repository", !r.Branch(repo.Main).IsZero(), f.Root)
	f.doctorTools(r, add)
	if f.Strict() {
		add("keys", len(f.known()) >= f.Config.Gatekeeper.Threshold, run.Plural(len(f.known()), "key")+" known, "+run.Plural(f.Config.Gatekeeper.Threshold, "signature")+" needed")
	}
	for _, d := range f.Config.FS.AllowedDirs {
		st, err := os.Stat(d)
		switch {
		case err != nil:
			add("directory", true, d+" will be made when a tool writes into it")
		case !st.IsDir():
			add("directory", false, d+" is no directory")
		}
	}
	if f.Config.DB.Dialect != "" {
		set := f.Getenv(f.Config.DB.EnvVar) != ""
		message := f.Config.DB.Dialect + " by " + f.Config.DB.EnvVar
		if !set {
			message += ", which is not set"
		}
		add("database", set, message)
	}
	if f.Config.Upstream.Remote != "" {
		hub, err := f.dial()
		if err == nil {
			_, err = hub.Branches(ctx)
			err = f.hubError(err)
		}
		message := "answers"
		if err != nil {
			message = err.Error()
		}
		add("hub", err == nil, message)
	}
	return out
}

// doctorEngine starts a worker and tells which of its walls stand.
func (f *Forge) doctorEngine(ctx context.Context, add func(string, bool, string)) {
	w, err := isolate.Start(ctx, isolate.Options{Cache: f.Cache(), Memory: 64 << 20})
	if err != nil {
		add("engine", false, err.Error())
		return
	}
	defer w.Close()
	out := w.Run(ctx, &worker.Job{Code: "export default 1", Name: "probe", WallMS: 5000, Memory: 64 << 20, Output: 1000}, nil, run.Nothing{}, func(bool, []byte) {})
	add("engine", out.Result == "1", "QuickJS under wazero")
	s := w.State
	add("no_new_privs", s.NoNewPrivileges, "the worker can gain no privilege")
	message := "no file can be opened by the worker"
	if s.Landlock == 0 {
		message = s.Problem
	}
	add("landlock", s.Landlock > 0, message)
	add("seccomp", s.Seccomp, "system calls by a list of those that computing needs")
	add("nice", s.Nice, "the worker runs at low priority")
}

// doctorTools names files that main does not know, and tools that break a law.
func (f *Forge) doctorTools(r *repo.Repo, add func(string, bool, string)) {
	files, err := r.Files(r.Branch(repo.Main), "")
	if err != nil {
		add("tools", false, err.Error())
		return
	}
	strays := 0
	_ = filepath.WalkDir(filepath.Join(f.Root, "tools"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		rel, _ := filepath.Rel(f.Root, path)
		file, ok := files[filepath.ToSlash(rel)]
		if !ok {
			strays++
			add("tools", false, filepath.ToSlash(rel)+" is unknown to main: tgp add, or take it away")
			return nil
		}
		data, err := os.ReadFile(path)
		if blob, berr := r.Blob(file.Hash, 8<<20); err == nil && berr == nil && string(blob) != string(data) {
			strays++
			add("tools", false, filepath.ToSlash(rel)+" is not what main has: tgp fix is for changes")
		}
		return nil
	})
	ix, err := f.Tools()
	if err != nil {
		add("tools", false, err.Error())
		return
	}
	for _, t := range ix.Tools {
		if t.State == Broken {
			strays++
			add("tools", false, t.Path+" breaks a law: tgp check")
		}
	}
	if strays == 0 {
		add("tools", true, run.Plural(len(ix.Tools), "tool"))
	}
}

// diff compares what is approved with what would be.
func diff(old, new string) string {
	if old == "" {
		var b strings.Builder
		for l := range strings.Lines(new) {
			b.WriteString("+ " + strings.TrimSuffix(l, "\n") + "\n")
		}
		return b.String()
	}
	return textdiff.Unified(old, new)
}
