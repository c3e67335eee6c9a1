package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/project"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
)

// preferencesFile is the person's own, in the configuration directory: a table for
// each project, by the real path of its root.
const preferencesFile = "projects.toml"

// Preferences are what is settled for the project of the directory: by the person,
// else by the project itself, whose settings count where they are trusted.
func (s *Session) Preferences() (project.Settings, error) {
	all, err := s.readPreferences()
	at, ok := project.Find(project.Disk{}, s.Dir, project.Who{UID: uint32(os.Getuid()), Home: s.Paths.Home})
	if !ok {
		return nil, err
	}
	set := s.shipped(at.Root)
	for key, value := range all[real(at.Root)] {
		if set == nil {
			set = project.Settings{}
		}
		set[key] = value
	}
	return set, err
}

// shipped are the preferences that a trusted project's .tmp/config.json holds, in the
// form in which tmp project prefer writes them: {"prefer": {"runner": "just"}}.
func (s *Session) shipped(root string) project.Settings {
	name := filepath.Join(root, ".tmp", "config.json")
	if _, err := disk.Lstat(name); err != nil || mapset.TrustedProject(s.Paths, root) != root {
		return nil
	}
	data, err := disk.ReadRegular(name, 1<<20)
	if err != nil {
		return nil
	}
	var doc struct {
		Prefer map[string]string `json:"prefer"`
	}
	if json.Unmarshal(data, &doc) != nil {
		return nil
	}
	return doc.Prefer
}

func real(dir string) string {
	if to, err := filepath.EvalSymlinks(dir); err == nil {
		return to
	}
	return dir
}

func (s *Session) preferencesPath() string {
	if s.Paths.Config == "" {
		return ""
	}
	return filepath.Join(s.Paths.Config, preferencesFile)
}

func (s *Session) readPreferences() (map[string]project.Settings, error) {
	path := s.preferencesPath()
	if path == "" {
		return nil, nil
	}
	data, err := disk.ReadRegular(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	doc, err := toml.Parse(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	out := map[string]project.Settings{}
	for root, v := range doc {
		t, ok := v.(map[string]any)
		if !ok {
			continue
		}
		set := project.Settings{}
		for key, v := range t {
			if text, ok := v.(string); ok {
				set[key] = text
			}
		}
		out[root] = set
	}
	return out, nil
}

// Prefer settles something for the project of the directory; "" takes it back.
func (s *Session) Prefer(key, value string) error {
	p := s.Profile()
	if p == nil {
		return Fail("no project lies here")
	}
	path := s.preferencesPath()
	if path == "" {
		return Fail("there is no configuration directory").Hint("set HOME or XDG_CONFIG_HOME")
	}
	all, err := s.readPreferences()
	if err != nil {
		return err
	}
	if all == nil {
		all = map[string]project.Settings{}
	}
	root := real(p.Root)
	if all[root] == nil {
		all[root] = project.Settings{}
	}
	if value == "" {
		delete(all[root], key)
	} else {
		all[root][key] = value
	}
	var b strings.Builder
	b.WriteString("# What you settled for projects: tmp project prefer writes it.\n")
	for _, dir := range sortedKeys(all) {
		if len(all[dir]) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n[%s]\n", tomlText(dir))
		for _, k := range sortedKeys(all[dir]) {
			fmt.Fprintf(&b, "%s = %s\n", tomlText(k), tomlText(all[dir][k]))
		}
	}
	s.looked, s.profile = false, nil
	return writePrivate(path, []byte(b.String()))
}

// tomlText is a text as TOML quotes it.
func tomlText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// writePrivate writes a file whole or not at all, for its owner alone.
func writePrivate(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// PreferenceKeys are what can be settled for the project: the managers that
// contradict each other, the runner, and its roles.
func (s *Session) PreferenceKeys() []string {
	keys := []string{"manager", "runner"}
	if p := s.Profile(); p != nil {
		for _, role := range p.Order() {
			keys = append(keys, "role."+role)
		}
	}
	slices.Sort(keys)
	return keys
}
