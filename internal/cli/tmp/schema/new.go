package schema

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/mapcases"
)

// NewNew is tmp schema new.
func NewNew(env *term.Env, f *command.Flags) command.Run {
	var dir string
	f.String("dir", &dir)
	return func(in command.Input) error { return writeSkeleton(env, dir, in.Args[0]) }
}

// toolName is what a map can be of: one word that is no option and no path.
var toolName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.+@-]*$`) })

// The files of a tool's directory.
const (
	mapFile  = "map.json"
	riskFile = "risk.toml"
)

// writeSkeleton makes the directory of a tool with its three files, each of which
// says what is to be put in. What is there is never written over.
func writeSkeleton(env *term.Env, dir, tool string) error {
	if !toolName().MatchString(tool) {
		return term.Usagef("%q is no name of a tool: want letters, digits and . _ + @ -", tool)
	}
	own, provenance := dir == "", "curated"
	if own {
		if dir = env.Places().Schemas(); dir == "" {
			return term.Failf("there is no place for maps of your own").Hint("set HOME, XDG_CONFIG_HOME or TMP_CONFIG_DIR, or say --dir")
		}
		provenance = "user"
		if flat := filepath.Join(dir, tool+".json"); isThere(flat) {
			return term.Failf("%s maps %s already", flat, tool).Hint("move it to %s and add what is missing beside it", filepath.Join(dir, tool, mapFile))
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	} else {
		path, err := env.Path(dir)
		if err != nil {
			return err
		}
		dir = path
	}
	home := filepath.Join(dir, tool)
	if err := os.Mkdir(home, 0o755); errors.Is(err, fs.ErrExist) {
		return term.Failf("%s is there already", home).Hint("edit what is in it; tmp schema check runs its cases")
	} else if err != nil {
		return err
	}
	fill := strings.NewReplacer("NAME", tool, "PROVENANCE", provenance, "HEADER", mapcases.Header)
	for _, x := range [...]struct{ name, text string }{{mapFile, newMap}, {riskFile, newRisk}, {mapcases.FileName, newCases}} {
		name := filepath.Join(home, x.name)
		if err := writeNew(name, fill.Replace(x.text)); err != nil {
			return err
		}
		fmt.Fprintln(env.Stdout, term.OneLine(name))
	}
	env.Notice("describe its commands in %s, rate them in %s, write down in %s what is right", mapFile, riskFile, mapcases.FileName)
	if own {
		env.Notice("then: tmp schema check %s && tmp compile", tool)
	} else {
		env.Notice("then: tmp schema check %s", term.OneLine(home))
	}
	return nil
}

func isThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// writeNew writes a file that must not be there yet.
func writeNew(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = cmp.Or(err, f.Close()); err != nil {
		_ = os.Remove(name) // half a file would be taken for one that is there
	}
	return err
}

const newMap = `{
  "schema": 1,
  "tool": "NAME",
  "provenance": "PROVENANCE",
  "verified": true,
  "node": {
    "name": "NAME",
    "description": "Say what NAME does",
    "flags": [
      {"names": ["-h", "--help"], "description": "Show help"}
    ],
    "args": [
      {"name": "file", "repeatable": true, "value_spec": {"file": true}, "description": "What it works on"}
    ]
  }
}
`

const newRisk = `# How risky NAME is. The level is safe, low, medium, high or critical; flags are
# REQUIRES_ROOT, DESTRUCTIVE, NETWORK_ACCESS, FILE_MODIFICATION,
# SYSTEM_MODIFICATION, PRIVILEGE_ESCALATION; scope is how far it reaches: files,
# tree, device, remote, history, system. A sub-command has an entry of its own,
# key = "NAME sub". Of a command that would be asked about, say a safer one.

[[command]]
key = "NAME"
level = "medium"
flags = []
reason = "say in one clause what it does"

  [[command.variant]]
  any = ["help"]
  level = "safe"
  reason = "prints help"
`

const newCases = `HEADER
# risk: levels that are right, joined by |, then the capabilities that must be
# there; tab: words that must be offered, and !word for those that must not.
risk	bash	NAME --help	SAFE	-	prints help
risk	bash	NAME x	MEDIUM	-	what it does
tab	bash	NAME --he	--help	-	its options
`
