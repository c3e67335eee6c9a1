package machine

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Version managers put a shim of each name into PATH, which finds out at every
// call which of the installed versions is meant and runs its program. Asking the
// shim for help costs all of that, in some of them seconds. What it would run
// here is found from files instead.

// maxShim bounds a script that is looked at as a shim, in bytes.
const maxShim = 4 << 10

// behind returns the program that a shim leads to: of the version that is set
// for the user, else of the newest that has the name. A program that is no shim,
// or one of whose installed versions none has the name, is returned as it is.
func (m *Machine) behind(p Program) Program {
	for _, file := range m.shimTargets(p) {
		if to, ok := look(filepath.Dir(file), filepath.Base(file)); ok {
			to.Name = p.Name
			return to
		}
	}
	return p
}

// managers say which files a shim may mean that is a link to the manager itself.
var managers = map[string]func(*Machine, Program) []string{
	"rustup":     func(m *Machine, p Program) []string { return m.toolchainFiles(p.Name) },
	"mise":       miseFiles,
	"volta-shim": voltaFiles,
}

func miseFiles(_ *Machine, p Program) []string {
	return newest(filepath.Join(filepath.Dir(filepath.Dir(p.Path)), "installs", "*", "*", "bin", p.Name), -3)
}

func voltaFiles(_ *Machine, p Program) []string {
	image := filepath.Join(filepath.Dir(filepath.Dir(p.Path)), "tools", "image")
	return append(newest(filepath.Join(image, "packages", "*", "bin", p.Name), -3), newest(filepath.Join(image, "*", "*", "bin", p.Name), -3)...)
}

// shimTargets lists the files that a shim may mean, the likeliest first; none
// for what is no shim.
func (m *Machine) shimTargets(p Program) []string {
	if manager := filepath.Base(p.Real); manager != p.Name {
		if files := managers[manager]; files != nil {
			return files(m, p)
		}
	}
	head := p.head(maxShim)
	if len(head) == maxShim || !strings.HasPrefix(string(head), "#!") {
		return nil
	}
	script := string(head)
	if root, ok := envRoot(script); ok {
		return m.versionFiles(root, p.Name)
	}
	if strings.Contains(script, "asdf exec ") {
		return asdfFiles(script, p)
	}
	return nil
}

// envRoot is the directory of the manager that a shim of pyenv and its like
// (rbenv, nodenv, goenv …) belongs to.
func envRoot(script string) (string, bool) {
	if !strings.Contains(script, `env" exec "$program"`) {
		return "", false
	}
	_, rest, _ := strings.Cut(script, "ENV_ROOT=")
	root, _, _ := strings.Cut(rest, "\n")
	root = strings.Trim(root, `"' `)
	return root, filepath.IsAbs(root)
}

// versionFiles are the files of a name in the versions below a manager's
// directory: those set by a variable, those set for the user, then all others.
func (m *Machine) versionFiles(root, name string) []string {
	var files []string
	variable := strings.ToUpper(strings.TrimPrefix(filepath.Base(root), ".")) + "_VERSION" // PYENV_VERSION
	set, _ := os.ReadFile(filepath.Join(root, "version"))
	for _, version := range strings.Fields(strings.ReplaceAll(m.opts.Getenv(variable), ":", " ") + " " + string(set)) {
		if filepath.IsLocal(version) {
			files = append(files, filepath.Join(root, "versions", version, "bin", name))
		}
	}
	return append(files, newest(filepath.Join(root, "versions", "*", "bin", name), -3)...)
}

// asdfFiles are the files of the versions that a shim of asdf names.
func asdfFiles(script string, p Program) []string {
	var files []string
	for line := range strings.Lines(script) {
		if rest, ok := strings.CutPrefix(line, "# asdf-plugin:"); ok {
			if plugin := strings.Fields(rest); len(plugin) == 2 && filepath.IsLocal(filepath.Join(plugin...)) {
				files = append(files, filepath.Join(filepath.Dir(filepath.Dir(p.Path)), "installs", plugin[0], plugin[1], "bin", p.Name))
			}
		}
	}
	return files
}

// toolchainFiles are the files of a name in the toolchains of rustup, that of
// the default one first.
func (m *Machine) toolchainFiles(name string) []string {
	home := m.opts.Getenv("RUSTUP_HOME")
	if home == "" {
		home = filepath.Join(m.opts.Getenv("HOME"), ".rustup")
	}
	if !filepath.IsAbs(home) {
		return nil
	}
	var files []string
	settings, _ := os.ReadFile(filepath.Join(home, "settings.toml"))
	for line := range strings.Lines(string(settings)) {
		key, value, _ := strings.Cut(line, "=")
		if value = strings.Trim(strings.TrimSpace(value), `"`); strings.TrimSpace(key) == "default_toolchain" && filepath.IsLocal(value) {
			files = append(files, filepath.Join(home, "toolchains", value, "bin", name))
		}
	}
	return append(files, newest(filepath.Join(home, "toolchains", "*", "bin", name), -3)...)
}

// newest lists the files of a pattern, the highest version first; at says which
// part of their paths is the version, counted from the end.
func newest(pattern string, at int) []string {
	files, _ := filepath.Glob(pattern)
	version := func(file string) string {
		parts := strings.Split(file, string(filepath.Separator))
		return parts[len(parts)+at]
	}
	slices.SortStableFunc(files, func(a, b string) int { return -compareVersions(version(a), version(b)) })
	return files
}

// compareVersions orders versions by their numbers: 3.9 before 3.10.
func compareVersions(a, b string) int {
	as, bs := strings.FieldsFunc(a, notDigit), strings.FieldsFunc(b, notDigit)
	for i := range min(len(as), len(bs)) {
		x, _ := strconv.Atoi(as[i])
		y, _ := strconv.Atoi(bs[i])
		if x != y {
			return x - y
		}
	}
	if len(as) != len(bs) {
		return len(as) - len(bs)
	}
	return strings.Compare(a, b)
}

func notDigit(r rune) bool { return r < '0' || r > '9' }
