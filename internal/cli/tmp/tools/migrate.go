package tools

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
)

type migrateOptions struct{ write, check, json bool }

// migrated is a file of the answer.
type migrated struct {
	Path     string          `json:"path"`
	Kind     string          `json:"kind"`
	Changes  []toolid.Change `json:"changes"`
	Warnings []string        `json:"warnings"`
	Error    string          `json:"error,omitempty"`
	Backup   string          `json:"backup,omitempty"`
}

// NewMigrate is tmp tools migrate: it shows old IDs in files, or rewrites them.
func NewMigrate(env *term.Env, f *command.Flags) command.Run {
	var o migrateOptions
	f.Bool("write", &o.write)
	f.Bool("check", &o.check)
	f.Bool("json", &o.json)
	return func(in command.Input) error {
		if o.write && o.check {
			return term.Usagef("--write and --check do not go together")
		}
		return o.run(env, in.Args)
	}
}

func (o *migrateOptions) run(env *term.Env, names []string) error {
	answer := struct {
		V       int        `json:"v"`
		Changed int        `json:"changed"`
		Files   []migrated `json:"files"`
	}{V: 1, Files: []migrated{}}
	bad := false
	for _, name := range names {
		path, err := env.Path(name)
		if err != nil {
			return err
		}
		m := o.file(name, path)
		answer.Files = append(answer.Files, m)
		if len(m.Changes) > 0 && m.Error == "" {
			answer.Changed++
		}
		bad = bad || m.Error != ""
	}
	if o.json {
		if err := env.PrintJSON(answer); err != nil {
			return err
		}
	} else {
		for i := range answer.Files {
			printMigrated(env, &answer.Files[i])
		}
	}
	if bad || answer.Changed > 0 && !o.write {
		return term.ExitStatus(1)
	}
	return nil
}

// file migrates one file; what goes wrong leaves it as it is.
func (o *migrateOptions) file(name, path string) migrated {
	m := migrated{Path: name, Kind: "text", Changes: []toolid.Change{}, Warnings: []string{}}
	fail := func(err error) migrated {
		m.Error, m.Changes = plainError(err), []toolid.Change{}
		return m
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return fail(err)
	case info.Mode()&os.ModeSymlink != 0:
		return fail(errors.New("is a symbolic link: name the file itself"))
	}
	data, err := readFile(path)
	if err != nil {
		return fail(err)
	}
	got, err := toolid.Migrate(path, data)
	m.Kind = got.Kind
	if err != nil {
		return fail(err)
	}
	m.Changes, m.Warnings = append(m.Changes, got.Changes...), append(m.Warnings, got.Warnings...)
	if len(m.Changes) == 0 || !o.write {
		return m
	}
	if m.Backup, err = backUp(path, data, info.Mode().Perm()); err != nil {
		return fail(err)
	}
	if err := replace(path, got.Data, info); err != nil {
		_ = os.Remove(m.Backup)
		m.Backup = ""
		return fail(err)
	}
	m.Backup = name + m.Backup[len(path):]
	return m
}

func plainError(err error) string {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}

// backUp copies the old bytes to PATH.bak, or to the first PATH.bak.N that is free.
func backUp(path string, data []byte, mode os.FileMode) (string, error) {
	for n := 0; ; n++ {
		name := path + ".bak"
		if n > 0 {
			name = fmt.Sprintf("%s.bak.%d", path, n)
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, os.ErrExist) && n < 10_000 {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		if closed := f.Close(); err == nil {
			err = closed
		}
		if err != nil {
			_ = os.Remove(name)
		}
		return name, err
	}
}

// replace writes a file whole or not at all, with the mode that it had.
func replace(path string, data []byte, old os.FileInfo) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

func printMigrated(env *term.Env, m *migrated) {
	path := term.OneLine(m.Path)
	if m.Error != "" {
		env.Notice("%s: left as it is: %s", path, term.OneLine(m.Error))
		return
	}
	for _, c := range m.Changes {
		fmt.Fprintf(env.Stdout, "%s:%d: %s → %s\n", path, c.Line, c.From, c.To)
	}
	for _, w := range m.Warnings {
		env.Notice("%s: %s", path, term.OneLine(w))
	}
	if m.Backup != "" {
		fmt.Fprintf(env.Stdout, "%s: rewritten; the old one is %s\n", path, term.OneLine(m.Backup))
	}
}
