package tab

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/project"
	"github.com/tool-mapping-protocol/tmp/internal/recent"
	"github.com/tool-mapping-protocol/tmp/internal/risk/facts"
	"github.com/tool-mapping-protocol/tmp/internal/wanted"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/shells"
)

// NewEngine returns an engine over the map that holds in dir.
func NewEngine(getenv func(string) string, dir string) *completion.Engine {
	p := place.Find(getenv)
	return &completion.Engine{
		Map:       mapset.OpenView(p, dir),
		Resolvers: all.Table(),
		Again:     again,
		CacheDir:  p.Resolvers(),
		Recent:    recent.Ranker(p.Recent(), time.Now),
		Trusted:   facts.Place{Paths: p, Dir: dir, Getenv: getenv}.Trusted,
		Phrases:   func(dir string) []resolvers.Value { return Phrases(dir, p.Home) },
	}
}

// Phrases are what the project of a directory can be asked to do, with the line that
// each stands for. How bad a line is takes a judge, which no Tab waits for.
func Phrases(dir, home string) []resolvers.Value {
	p, ok := project.Open(project.Disk{}, dir, project.Who{UID: uint32(os.Getuid()), Home: home}, project.CoreRoles(), nil)
	if !ok {
		return nil
	}
	var out []resolvers.Value
	for _, ph := range p.Phrases() {
		out = append(out, resolvers.Value{Value: ph.Words, Description: resolvers.OneLine(ph.Line, 80), Kind: "phrase"})
	}
	return out
}

// engine answers one Tab from the map of the request's directory.
func engine(ctx context.Context, r completion.Request) completion.Answer {
	return NewEngine(r.Getenv, r.Dir).Complete(ctx, r)
}

// writeFish makes a directory hold the lines that tell fish which commands have
// a map: the hook asks for it where there is none yet.
func writeFish(dir string, stderr io.Writer, getenv func(string) string) int {
	tools := shells.FishTools(NewEngine(getenv, "").Map)
	if err := shells.WriteFish(dir, tools, wanted.Programs(place.Find(getenv), getenv("PATH"))...); err != nil {
		fmt.Fprintf(stderr, "tmp-tab: %v\n", err)
		return statusFailed
	}
	return statusOK
}

// again starts this program for the answer of a resolver that the next Tab may
// want.
func again(r resolvers.Request) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return resolvers.AgainBy([]string{self, againFlag}, os.Environ())(r)
}

// againFlag is followed by the name of a resolver, a directory and words.
const againFlag = "--again"

// lookAgain is what a program does that again has started.
func lookAgain(args []string, getenv func(string) string) {
	all.Table().LookAgain(resolvers.Request{
		Name: args[0], Dir: args[1], Words: args[2:], Getenv: getenv, CacheDir: place.Find(getenv).Resolvers(),
	})
}
