// Package facts gathers what package risk may know of a place: whether a word
// stands for the program that the map means, which programs are there, what the
// aliases of git and cargo stand for, what a project's files make a command run. Whoever judges a command takes its
// risk.Facts from here, so that every door means the same by "trusted".
package facts

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/tasks"
	"github.com/tool-mapping-protocol/tmp/resolvers/alias"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Place is where a command would run.
type Place struct {
	Paths  place.Paths
	Dir    string // absolute
	Getenv func(string) string
	// Look finds the program that is started for a word, by the rule of whoever
	// starts it; nil stands for a shell, which finds it as tcpdb.FindProgram does.
	Look func(word string) (path string, err error)
}

// Of returns the facts of a place. What the project's files say is read once for
// each, and only for a command that would read it too.
func Of(p Place) risk.Facts {
	project := Project{Dir: p.Dir, Getenv: p.Getenv}
	return risk.Facts{
		Trusted: p.Trusted, Installed: p.Installed, Alias: p.Alias,
		Settings: project.Settings, TakesForFile: project.TakesForFile, Text: project.Text, Tasks: tasks.Reader(p.Dir, p.Getenv),
	}
}

// Trusted reports whether a command word stands for the program that the map
// means. The program that counts is the one that would be started: to judge
// another one could rate it too low.
func (p Place) Trusted(word string) bool {
	if p.Look != nil {
		path, err := p.Look(word)
		if err != nil {
			return !strings.Contains(word, "/") // nothing runs; a name is judged as what it says
		}
		word = path
	}
	return tcpdb.Trusted(word, p.Getenv("PATH"), mapset.WorkTree(p.Paths, p.Dir))
}

// Installed reports whether there is a program of that name.
func (p Place) Installed(name string) bool {
	if p.Look != nil {
		_, err := p.Look(name)
		return err == nil
	}
	return tcpdb.FindProgram(name, p.Getenv("PATH"), "").Path != ""
}

// Alias returns what a name stands for that the configuration of git or cargo
// defines.
func (p Place) Alias(tool, name string) (text string, ok bool) {
	return alias.Of(p.Dir, p.Getenv, tool, name)
}
