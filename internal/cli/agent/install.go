package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/hook"
	"github.com/tool-mapping-protocol/tmp/internal/hook/entry"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
)

const installHelp = `usage: tmp-agent install HARNESS --hook [--scope user|project] [--agent KEY] [--dry-run] [--remove] [--json]

Enters the hook, last in the list of the harness's file, and leaves every other
byte as it is. The file before is kept as FILE.bak. A second time changes
nothing. --remove takes the entry out again.

  tmp-agent install claude --hook                  for you, in all projects
  tmp-agent install codex --hook --scope project   for this project
  tmp-agent install cursor --hook --dry-run        show the file, write nothing
  tmp-agent install claude --hook --remove

  --scope user|project   whose file (user)
  --agent KEY            the name under which its calls are written down
  --dry-run              print what the file would be
  --json                 {"v":1,"path":…,"changed":…}
`

// common is what both installs are told: where, for whom, and how.
type common struct {
	project           bool
	agent             string
	dry, remove, json bool

	validKey func(string) bool // of an agent
	keyWants string            // what a key that is none is told
}

// read takes the option at args[*i], and its value; false if it is none of them.
func (in *common) read(args []string, i *int) (known bool, err error) {
	switch args[*i] {
	case "--dry-run":
		in.dry = true
		return true, nil
	case "--remove":
		in.remove = true
		return true, nil
	case "--json":
		in.json = true
		return true, nil
	}
	if v, is, err := option(args, i, "--scope"); is {
		if err == nil && v != "user" && v != "project" {
			err = usagef("--scope %q: want user or project", v)
		}
		in.project = v == "project"
		return true, err
	}
	v, is, err := option(args, i, "--agent")
	if is && err == nil && !in.validKey(v) {
		err = usagef("--agent %q is no key: %s", v, in.keyWants)
	}
	if is {
		in.agent = v
	}
	return is, err
}

// installation is a call of install for a harness.
type installation struct {
	common
	harness *hook.Harness
	hook    bool
}

func parseInstall(args []string) (in installation, err error) {
	in.validKey, in.keyWants = hook.ValidAgent, "want 1 to 64 letters, digits and signs without blanks"
	for i := 0; i < len(args); i++ {
		if known, err := in.read(args, &i); err != nil {
			return in, err
		} else if known {
			continue
		}
		if args[i] == "--hook" {
			in.hook = true
			continue
		}
		if strings.HasPrefix(args[i], "-") {
			return in, usagef("%s is unknown; see tmp-agent install --help", args[i])
		}
		h, ok := hook.Find(args[i])
		switch {
		case !ok:
			return in, usagef("%q is no harness: known are %s", args[i], hook.Keys())
		case in.harness != nil:
			return in, usagef("name one harness, not %s and %s", in.harness.Key, args[i])
		}
		in.harness = h
	}
	switch {
	case in.harness == nil:
		return in, usagef("name the harness: %s", hook.Keys())
	case !in.hook:
		return in, usagef("say what to install: tmp-agent install %s --hook", in.harness.Key)
	}
	return in, nil
}

// result is what install answers.
type result struct {
	V       int      `json:"v"`
	Path    string   `json:"path"`
	Changed bool     `json:"changed"`
	Backup  string   `json:"backup,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	DryRun  bool     `json:"dry_run,omitempty"`
}

func (env *Env) install(args []string) error {
	if isHelp(args) {
		fmt.Fprint(env.Stdout, installHelp)
		return nil
	}
	in, err := parseInstall(args)
	if err != nil {
		return err
	}
	if in.remove && !in.dry && env.asAgent() {
		return &refusedError{"what guards an agent is not taken away for it: a person does this in a terminal of their own"}
	}
	name, err := env.file(in.harness, in.project)
	if err != nil {
		return err
	}
	e, err := env.entry(&in)
	if err != nil && !in.remove {
		return err
	}
	f, err := open(name)
	if err != nil {
		return err
	}
	res := result{V: 1, Path: name, DryRun: in.dry}
	var text []byte
	if in.remove {
		text, err = f.without(&e)
	} else {
		text, err = f.with(&e)
		res.Notes = notes(&e)
	}
	if err != nil {
		return fmt.Errorf("%s is left as it is: %w", name, err)
	}
	res.Changed = !bytes.Equal(text, f.data) || (text == nil) != (f.data == nil)
	if res.Changed && !in.dry {
		if res.Backup, err = f.write(text, in.remove, e.Mode()); err != nil {
			return err
		}
	}
	return env.tell(&in, &res, text)
}

// tell prints what was done.
func (env *Env) tell(in *installation, res *result, text []byte) error {
	if in.json {
		enc := json.NewEncoder(env.Stdout)
		enc.SetEscapeHTML(false)
		return enc.Encode(res)
	}
	switch {
	case in.dry && res.Changed:
		fmt.Fprintf(env.Stdout, "%s would be:\n%s", res.Path, text)
	case !res.Changed && in.remove:
		fmt.Fprintf(env.Stdout, "%s: there is no entry of tmp's\n", res.Path)
	case !res.Changed:
		fmt.Fprintf(env.Stdout, "%s: the hook is there already\n", res.Path)
	case in.remove:
		fmt.Fprintf(env.Stdout, "%s: the hook is taken out\n", res.Path)
	default:
		fmt.Fprintf(env.Stdout, "%s: the hook is entered\n", res.Path)
	}
	if res.Backup != "" {
		fmt.Fprintf(env.Stdout, "  before: %s\n", res.Backup)
	}
	for _, n := range res.Notes {
		fmt.Fprintf(env.Stdout, "  %s\n", n)
	}
	return nil
}

// notes are what a person must know of an entry.
func notes(e *entry.Entry) (list []string) {
	if e.Harness.Note != "" {
		list = append(list, e.Harness.Note)
	}
	return list
}

// file is the harness's file: of its places the one that is there, else the
// first.
func (env *Env) file(h *hook.Harness, project bool) (string, error) {
	base, places := env.paths().Home, h.User
	if project {
		places = h.Project
		if base = mapset.WorkTree(env.paths(), env.Dir); base == "" {
			base = env.Dir
		}
	}
	if base == "" {
		return "", errors.New("HOME is not set: it is not known where the harness keeps its file")
	}
	for _, p := range places {
		file := filepath.Join(base, p)
		if _, err := os.Lstat(file); err == nil {
			return file, nil
		}
	}
	return filepath.Join(base, places[0]), nil
}

// entry is what is written for a harness here.
func (env *Env) entry(in *installation) (entry.Entry, error) {
	e := entry.Entry{Harness: in.harness, Project: in.project, Shut: true}
	program, err := env.program()
	e.Argv = []string{program, in.harness.Key}
	if in.agent != "" {
		e.Argv = append(e.Argv, "--agent", in.agent)
	}
	env.age(&e)
	return e, err
}

// file on the disk, links followed.
type file struct {
	name string // as the harness reads it
	real string // where its bytes are
	data []byte // nil if there is none
	mode fs.FileMode
}

// maxFile bounds a file of settings, in bytes.
const maxFile = 8 << 20

func open(name string) (*file, error) {
	f := &file{name: name, real: name}
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return nil, err
	}
	st, err := os.Stat(real)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxFile {
		return nil, fmt.Errorf("%s is no file of settings", name)
	}
	f.real, f.mode = real, st.Mode().Perm()
	f.data, err = os.ReadFile(real)
	if f.data == nil {
		f.data = []byte{}
	}
	return f, err
}

// with is the file with the entry.
func (f *file) with(e *entry.Entry) ([]byte, error) { return e.Add(f.data) }

// without is the file without the entry: as it was before, if nothing has
// happened to it since; nil for no file.
func (f *file) without(e *entry.Entry) ([]byte, error) {
	if f.data == nil {
		return nil, nil
	}
	before, _ := f.before(e)
	if before != nil {
		return before, nil
	}
	if text, err := e.Add(nil); err == nil && bytes.Equal(text, f.data) && e.Has(f.data) {
		return nil, nil // it was made for the entry
	}
	var old []byte
	if data, err := os.ReadFile(f.name + ".bak"); err == nil {
		old = data
	}
	return e.Remove(f.data, old)
}

// before finds the copy that the file was made of by entering this.
func (f *file) before(e *entry.Entry) (data []byte, name string) {
	if !e.Has(f.data) {
		return nil, ""
	}
	for n := maxBackups; n >= 0; n-- {
		name := backup(f.name, n)
		data, err := os.ReadFile(name)
		if err != nil || e.Has(data) {
			continue
		}
		for _, shut := range []bool{true, false} {
			was := *e
			was.Shut = shut
			if lines := e.Commands(f.data); len(lines) == 1 {
				was.Argv = entry.Words(lines[0])
			}
			if text, err := was.Add(data); err == nil && bytes.Equal(text, f.data) {
				if data == nil {
					data = []byte{}
				}
				return data, name
			}
		}
	}
	return nil, ""
}

// maxBackups is how many copies are kept beside a file before one is refused.
const maxBackups = 99

func backup(name string, n int) string {
	if n == 0 {
		return name + ".bak"
	}
	return fmt.Sprintf("%s.bak.%d", name, n)
}

// write puts the text in the place of the file and keeps what was there. Of an
// entry taken out again the copy goes too: the file is that copy.
func (f *file) write(text []byte, remove bool, mode fs.FileMode) (kept string, err error) {
	if f.data != nil {
		if kept, err = f.keep(text, remove); err != nil {
			return "", err
		}
		mode = f.mode
	}
	if text == nil {
		return kept, os.Remove(f.name)
	}
	if err := os.MkdirAll(filepath.Dir(f.real), 0o755); err != nil {
		return kept, err
	}
	return kept, replaceFile(f.real, text, mode)
}

// keep writes the copy; "" where none is wanted.
func (f *file) keep(text []byte, remove bool) (string, error) {
	for n := 0; n <= maxBackups; n++ {
		name := backup(f.name, n)
		old, err := os.ReadFile(name)
		switch {
		case err == nil && remove && text != nil && bytes.Equal(old, text):
			return "", os.Remove(name) // what it holds is the file again
		case err == nil && bytes.Equal(old, f.data):
			return name, nil
		case errors.Is(err, fs.ErrNotExist) && remove && text == nil:
			return "", nil // what was made for the entry goes with it
		case errors.Is(err, fs.ErrNotExist):
			return name, replaceFile(name, f.data, f.mode)
		}
	}
	return "", fmt.Errorf("%s: there are %d copies beside it already; take some away", f.name, maxBackups+1)
}

// replaceFile writes a file whole or not at all.
func replaceFile(name string, data []byte, mode fs.FileMode) error {
	t, err := os.CreateTemp(filepath.Dir(name), ".tmp-agent-*")
	if err != nil {
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			err = p.Err // its path is one that nobody has heard of
		}
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	_, err = t.Write(data)
	if e := t.Chmod(mode); err == nil {
		err = e
	}
	if st, e := os.Stat(name); e == nil {
		chown(t, st)
	}
	if e := t.Sync(); err == nil {
		err = e
	}
	if e := t.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(t.Name(), name)
	}
	if err != nil {
		_ = os.Remove(t.Name())
	}
	return err
}
