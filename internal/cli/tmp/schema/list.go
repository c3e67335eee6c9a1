package schema

import (
	"fmt"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

type listOptions struct {
	layer string
	json  bool
}

// NewList is tmp schema list.
func NewList(env *term.Env, f *command.Flags) command.Run {
	var o listOptions
	f.String("layer", &o.layer)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

// mapRow is a map in the list.
type mapRow struct {
	Tool         string `json:"tool"`
	Layer        string `json:"layer"`
	Version      string `json:"version"` // that it was made from, "" if it does not say
	VersionRange string `json:"version_range"`
	Source       string `json:"source"` // its provenance, and what it was imported from
	Licence      string `json:"licence"`
	Verified     bool   `json:"verified"`
	Standing     string `json:"standing"`
	Date         string `json:"date"` // of the file, RFC 3339; "" in the core
	File         string `json:"file"`
	Commands     int    `json:"commands"`
	Options      int    `json:"options"`
	Operations   int    `json:"operations"`
	// OperationList is how each operation stands; one may be verified where the map
	// as a whole is not.
	OperationList []operationRow `json:"operation_list"`
	Gaps          int            `json:"gaps"`
}

// operationRow is an operation in the list.
type operationRow struct {
	ID       string `json:"id"`
	Verified bool   `json:"verified"`
	Standing string `json:"standing"`
}

func (f *foundMap) row() mapRow {
	s := f.source
	r := mapRow{
		Tool: s.Tool, Layer: f.layer, Version: s.Version, VersionRange: s.VersionRange, Source: sourceText(s),
		Verified: f.verified(), Standing: f.standing, File: f.file, Operations: len(s.Operations), OperationList: f.ops, Gaps: len(s.Gaps),
	}
	if !f.date.IsZero() {
		r.Date = f.date.UTC().Format(time.RFC3339)
	}
	if s.Origin != nil {
		r.Licence = s.Origin.Licence
	}
	if s.Node != nil {
		r.Commands, r.Options = opmap.Count(s.Node)
	}
	return r
}

// verifiedText says whether a map is verified, and of one that is not as a whole
// how much of it is.
func (r *mapRow) verifiedText() string {
	n := 0
	for _, op := range r.OperationList {
		if op.Verified {
			n++
		}
	}
	switch {
	case r.Verified:
		return "yes"
	case n > 0 && r.Standing != "untrusted":
		return fmt.Sprintf("%d of %s", n, screen.Count(len(r.OperationList), "operation"))
	}
	return "no (" + r.Standing + ")"
}

// sourceText is where a map comes from: "help", "import carapace frob.yaml",
// "help + import carapace frob.yaml".
func sourceText(s *opmap.Source) string {
	if s.Origin == nil {
		return s.Provenance
	}
	text := strings.TrimSpace("import " + s.Origin.Format + " " + s.Origin.From)
	if s.Provenance != "import" && s.Provenance != "" {
		text = s.Provenance + " + " + text
	}
	return text
}

func (o *listOptions) run(env *term.Env, tools []string) error {
	m := newMaps(env)
	rows := []mapRow{}
	for _, layer := range layerNames() {
		if o.layer != "" && o.layer != layer {
			continue
		}
		for _, f := range m.of(layer, tools) {
			rows = append(rows, f.row())
		}
	}
	for _, p := range m.problems {
		env.Notice("left out: %v", p)
	}
	if o.json {
		return env.PrintJSON(struct {
			V    int      `json:"v"`
			Maps []mapRow `json:"maps"`
		}{1, rows})
	}
	if len(rows) == 0 {
		env.Notice("there is no such map; tmp generate TOOL drafts one of an installed tool")
		return nil
	}
	table := [][]string{{"TOOL", "LAYER", "VERSIONS", "SOURCE", "VERIFIED", "DATE"}}
	for _, r := range rows {
		versions := r.VersionRange
		if versions == "" {
			versions = r.Version
		}
		verified := r.verifiedText()
		date, _, _ := strings.Cut(r.Date, "T")
		table = append(table, []string{r.Tool, r.Layer, versions, r.Source, verified, date})
	}
	env.PrintTable(table)
	return nil
}
