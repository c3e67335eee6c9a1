package registry

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/config"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/registry"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/settings"
)

// call is one command that is run, with the flags that several have.
type call struct {
	*term.Env
	json, yes, stale bool
	from             []string
}

func (c *call) flagJSON(f *command.Flags)  { f.Bool("json", &c.json) }
func (c *call) flagYes(f *command.Flags)   { f.Bool("yes", &c.yes) }
func (c *call) flagStale(f *command.Flags) { f.Bool("accept-stale", &c.stale) }
func (c *call) flagFrom(f *command.Flags)  { f.Strings("from", &c.from) }

// home is what this person has of the registry. The settings of config.toml that do
// not count are said.
func (c *call) home() (*registry.Home, error) {
	paths := c.Places()
	if paths.State == "" || paths.Data == "" {
		return nil, mapset.ErrNoHome
	}
	s := settings.Default()
	file := paths.Settings()
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	all, bad := config.Sections(file, string(data))
	for _, p := range bad {
		return nil, term.Failf("%s:%d: %s", file, p.Line, p.Err)
	}
	for _, f := range s.Apply(all) {
		return nil, term.Failf("%s: %s: %s", file, f.Key, f.Reason)
	}
	if c.stale && c.Who() != gate.Person {
		return nil, fault.New(fault.NotPerson, "--accept-stale is for a person at a terminal to say")
	}
	h := &registry.Home{Paths: paths, Now: c.Now, Registries: s.Registries, MaxAge: s.MaxAge, AcceptStale: c.stale, Notice: c.Notice}
	if len(c.from) > 0 {
		h.Registries, h.Only = nil, true
		for _, name := range c.from {
			h.Registries = append(h.Registries, c.named(name))
		}
	}
	if len(h.Registries) == 0 {
		h.Registries = []string{registry.Default(paths)}
	}
	return h, nil
}

// named makes the path in the name of a registry absolute.
func (c *call) named(name string) string {
	if rest, ok := cutDir(name); ok && rest != "" && !filepath.IsAbs(rest) && c.Dir != "" {
		return "dir:" + filepath.Join(c.Dir, rest)
	}
	return name
}

func cutDir(name string) (string, bool) {
	if len(name) >= 4 && name[:4] == "dir:" {
		return name[4:], true
	}
	return "", false
}

// confirm asks the person at the terminal, unless --yes was said. Without a terminal
// nothing goes on.
func (c *call) confirm(question string) (bool, error) {
	if c.yes {
		return true, nil
	}
	if c.Who() != gate.Person {
		return false, term.Failf("nobody is there to be asked").Hint("--yes goes on without asking")
	}
	return term.Confirm(c.Env, question)
}

// project is the directory whose lock counts: that of the project here, else the
// working directory.
func (c *call) project() (string, error) {
	if c.Dir == "" {
		return "", term.Failf("the working directory cannot be read")
	}
	paths := c.Places()
	for dir := filepath.Clean(c.Dir); dir != paths.Home; dir = filepath.Dir(dir) {
		st, err := os.Lstat(filepath.Join(dir, ".tmp"))
		if err == nil && st.IsDir() {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return c.Dir, nil
}
