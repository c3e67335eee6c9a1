package ask

import (
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
)

// plainFind reports whether the targets of a find that deletes are where it begins,
// and it does nothing else.
func plainFind(g *line.Finding) bool {
	if g.Form == "" {
		return false
	}
	for i := range g.Targets {
		if strings.ContainsAny(g.Targets[i].Path, "!(),") {
			return false
		}
	}
	for _, o := range strings.Fields(g.Form) {
		if o == "-L" || strings.HasPrefix(o, "--exec") || strings.HasPrefix(o, "--ok") || strings.HasPrefix(o, "--f") {
			return false // follows links, runs or writes something too
		}
	}
	return true
}

// mostTargets bounds how many files are looked at for one question.
const mostTargets = 1000

func known(targets []line.Target) bool {
	for i := range targets {
		if !targets[i].Known {
			return false
		}
	}
	return true
}

// elsewhere reports whether a git works in another place than this.
func elsewhere(form string) bool {
	return strings.Contains(form, " -C=") || strings.Contains(form, " --git-dir=") || strings.Contains(form, " --work-tree=")
}

// restored are the files that a git checkout, restore, reset or switch gives another
// content: none for all that are tracked. ok is false where that cannot be told.
func restored(g *line.Finding) (files []line.Target, ok bool) {
	for i := range g.Targets {
		if g.Targets[i].Dash {
			return g.Targets[i:], true
		}
	}
	options := " " + g.Form + " "
	switch {
	case strings.Contains(options, " --hard "), strings.Contains(options, " --force "), strings.Contains(options, " --discard-changes "):
		return nil, len(g.Targets) < 2
	case strings.HasPrefix(g.Rule, "git.reset"):
		return nil, false
	}
	return g.Targets, len(g.Targets) > 0
}

// jobs reports whether all are jobs of the shell: %1, %%, %+, %make, and the last
// one that went to the background.
func jobs(targets []line.Target) bool {
	for i := range targets {
		switch p := targets[i].Path; {
		case p == "$!" || p == "${!}" || p == "$last_pid" || p == "$(jobs -p)" || p == "(jobs -p)":
		case !strings.HasPrefix(p, "%"):
			return false
		}
	}
	return len(targets) > 0
}

// matches reports whether a name fits a pattern in which "*" stands for any text.
func matches(pattern, name string) bool {
	ok, err := path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00"))
	return ok && err == nil
}

// BuildMakes reports whether a name is that of a directory or file which builds
// make; whether git ignores it is for others to say.
func (s *Settings) BuildMakes(name string, dir bool) bool {
	if dir {
		switch name {
		case "target", "node_modules", "dist", "build", "out", "__pycache__", ".next", ".nuxt", ".svelte-kit", ".parcel-cache", ".turbo",
			".vite", ".angular", "bower_components", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox", ".eggs", "htmlcov",
			"coverage", ".nyc_output", ".gradle", ".dart_tool", ".build", "DerivedData", "cmake-build-debug", "cmake-build-release",
			"CMakeFiles", "_build", "zig-cache", ".zig-cache", "zig-out", "bin", "obj", "venv", ".venv", ".terraform", ".cache", "dist-newstyle", ".stack-work",
			"elm-stuff", "vendor", "Pods", "tmp", ".tmp", "temp", "cache", "logs", "log", ".ipynb_checkpoints", ".hypothesis", ".eslintcache", ".sass-cache", ".pio", ".ccls-cache", ".clangd",
			"storybook-static", ".serverless", ".aws-sam", "wandb", "lightning_logs", ".dvc", "mlruns":
			return true
		}
		for _, ext := range [...]string{".egg-info", ".dSYM"} {
			if strings.HasSuffix(name, ext) {
				return true
			}
		}
	} else {
		switch path.Ext(name) {
		case ".o", ".obj", ".lo", ".la", ".pyc", ".pyo", ".class", ".gch", ".pch", ".tsbuildinfo", ".gcno", ".gcda", ".elc", ".beam", ".hi", ".log", ".map", ".elf", ".hex", ".lst", ".d", ".aux", ".toc", ".out", ".bbl", ".blg", ".fls", ".fdb_latexmk", ".synctex.gz", ".so", ".a", ".dylib",
			".whl", ".swp":
			return true
		}
	}
	for _, p := range s.BuildNames {
		p, onlyDir := strings.CutSuffix(p, "/")
		if matches(p, name) && (dir || !onlyDir) {
			return true
		}
	}
	return false
}
