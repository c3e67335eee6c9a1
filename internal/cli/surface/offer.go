package surface

import (
	"fmt"
	"os"
	"strings"
	"time"

	sections "github.com/tool-mapping-protocol/tmp/internal/config"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// offerTime is how long the values of a resolver may take.
const offerTime = 12 * time.Second

// offer prints the values that a resolver names, one a line, for completion: of a
// column of a database, or of the answer of a request whose parameters are words of
// the form NAME=VALUE.
func offer(config, dir, resolver string, words []string) int {
	call, err := columnCall(resolver)
	if id, ok := strings.CutPrefix(resolver, "api:"); ok {
		id, _, _ = strings.Cut(id, "#")
		call, err = requestCall(dir, id, words)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return surface.StatusRefused
	}
	call.V, call.Dir, call.Config = 1, dir, config
	if text, err := os.ReadFile(config); err == nil {
		all, _ := sections.Sections(config, string(text))
		if call.Surface == surface.API {
			if call.Section, err = surface.Section(call.Surface, call.Record, all); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return surface.StatusRefused
			}
		}
		call.Definition = surface.Digest(call.Surface, call.Section, all)
	}
	out := answer(&surface.Request{Mode: surface.Values, Resolver: resolver, Timeout: offerTime.Milliseconds(), Call: call})
	if out.Message != "" {
		fmt.Fprintf(os.Stderr, "%s\n", out.Message)
	}
	return out.Status
}

// columnCall asks for the values of a column.
func columnCall(resolver string) (surface.Call, error) {
	name, _, _ := strings.Cut(strings.TrimPrefix(resolver, "sql:"), ".")
	return surface.Call{Operation: resolver, Surface: surface.SQL, Effect: "read-only", Record: []byte("{}"), Section: name}, nil
}

// requestCall asks for the answer of an operation of the map: one that was verified,
// and that only reads.
func requestCall(dir, id string, words []string) (surface.Call, error) {
	view := mapset.OpenView(place.Find(os.Getenv), dir)
	op, ok := view.Operation(id)
	switch {
	case !ok || op.Surface != surface.API:
		return surface.Call{}, fmt.Errorf("no request %q is mapped", id)
	case !op.Standing.Verified():
		return surface.Call{}, fmt.Errorf("%s is a draft: nothing of it is sent", id)
	case !reads(op.Effect):
		return surface.Call{}, fmt.Errorf("%s does more than read", id)
	}
	d, err := workflow.Parse(view.Detail(id))
	if err != nil {
		return surface.Call{}, err
	}
	call := surface.Call{Operation: id, Surface: surface.API, Effect: op.Effect, Record: d.Record, Values: map[string]string{}}
	for i := range op.Params {
		p := &op.Params[i]
		t := tcpdb.TypeOf(p.Type)
		call.Params = append(call.Params, surface.Param{
			Name: p.Name, Type: t.Name, Enum: t.Enum, Format: t.Format, Minimum: t.Minimum, Maximum: t.Maximum, Required: p.Required,
		})
		if p.Default != "" && !strings.HasPrefix(p.Default, "<") {
			call.Values[p.Name] = p.Default
		}
		for _, word := range words {
			if name, value, _ := strings.Cut(word, "="); name == p.Name && value != "" {
				call.Values[name] = value
			}
		}
	}
	return call, nil
}

// reads reports whether an effect is one of reading alone.
func reads(effect string) bool {
	for part := range strings.SplitSeq(effect, "+") {
		if part = strings.TrimSpace(part); part != "network" && part != "read-only" {
			return false
		}
	}
	return true
}
