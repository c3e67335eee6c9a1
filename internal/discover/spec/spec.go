// Package spec reads what was written for other completion engines, and maps of
// our own from elsewhere, into drafts of source maps. It opens no file and runs
// nothing that a spec holds. What a map cannot say is a gap of the draft.
package spec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/carapace"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/fig"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/usage"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Format is the language of a spec.
type Format string

// The formats that are read from files, and those of programs that are asked.
const (
	Map      Format = "map"
	Carapace Format = "carapace"
	Fig      Format = "fig"
	Usage    Format = "usage"
	Cobra    Format = "cobra"
	Clap     Format = "clap"
)

// MaxSize bounds a spec in bytes.
const MaxSize = 8 << 20

// Options tell what a file does not.
type Options struct {
	Format        Format // "" finds it out
	Name          string // of the tool; "" takes the one that is written
	Licence       string // "" takes the one that is written
	Now           time.Time
	KnownResolver func(string) bool
	// Core is the map by which lines are judged, which an import must not
	// mislead; nil checks nothing.
	Core *tcpdb.View
	// Evaluator is the command that evaluates specs of Fig, see fig.Read; empty
	// where there is none.
	Evaluator []string
}

// Read reads a file into a map that is not verified. An error names the file
// and the line.
func Read(ctx context.Context, file string, data []byte, o Options) (*opmap.Source, error) {
	if len(data) > MaxSize {
		return nil, &opmap.Problem{File: file, Reason: fmt.Sprintf("is larger than %d MiB", MaxSize>>20), Severity: opmap.Error}
	}
	if o.Format == "" {
		var err error
		if o.Format, err = Detect(file, data); err != nil {
			return nil, err
		}
	}
	s, err := read(ctx, file, data, o)
	if err != nil {
		return nil, located(file, err)
	}
	s.Origin.From, s.Origin.Digest = filepath.Base(file), digest(data)
	return Finish(s, o)
}

// located makes an error one that names the file.
func located(file string, err error) error {
	var fault *draft.Fault
	if errors.As(err, &fault) {
		return &opmap.Problem{File: file, Line: fault.Line, Reason: fault.Reason, Severity: opmap.Error}
	}
	return err
}

// read reads a file of a known format. A fault of ours in reading a stranger's
// text is an error like any other.
func read(ctx context.Context, file string, data []byte, o Options) (s *opmap.Source, err error) {
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, draft.Faultf(0, "cannot be read: %v", r)
		}
	}()
	var root *draft.Node
	var about facts
	switch o.Format {
	case Map:
		return readMap(file, data, o)
	case Carapace:
		root, err = carapace.Read(data)
	case Fig:
		root, err = fig.Read(ctx, o.Evaluator, data)
	case Usage:
		var u *usage.Spec
		if u, err = usage.Read(data); err == nil {
			root, about = u.Root, facts{u.Version, u.Licence}
			if root.Name == "" && (bytes.HasPrefix(data, []byte("#!")) || strings.HasSuffix(file, ".usage.kdl")) {
				root.Name, _, _ = strings.Cut(filepath.Base(file), ".")
			}
		}
	default:
		return nil, draft.Faultf(0, "%q is no format of a file", o.Format)
	}
	if err != nil {
		return nil, err
	}
	if o.Name != "" {
		root.Name = o.Name
	}
	if reason := badTool(root.Name); reason != "" {
		return nil, draft.Faultf(0, "the tool's name %q %s: --name gives another", root.Name, reason)
	}
	s = Source(root)
	s.Version = about.version
	s.Origin = &opmap.Origin{Format: string(o.Format), Licence: first(about.licence, licenceIn(data))}
	return s, nil
}

// facts are what a spec says beside its tree.
type facts struct{ version, licence string }

// Source makes the map of a tree, with everything that it loses as a gap.
func Source(root *draft.Node) *opmap.Source {
	s := discover.Source(root, nil)
	s.Provenance = "import"
	s.Gaps = gapsOf(root, nil, nil)
	s.Gaps = append(s.Gaps, lost(root, s.Node, s.Node.Name)...)
	return s
}

// Finish settles what holds for every import: it is not verified, says where it
// comes from, runs nothing and misleads no judgement.
func Finish(s *opmap.Source, o Options) (*opmap.Source, error) {
	s.Schema, s.Verified = opmap.SchemaVersion, false
	s.Origin.Date = o.Now.UTC().Format(time.RFC3339)
	if o.Licence != "" {
		s.Origin.Licence = o.Licence
	}
	if s.Origin.Licence == "" && s.Origin.Format != string(Cobra) && s.Origin.Format != string(Clap) {
		s.Gaps = append(s.Gaps, opmap.Gap{Node: s.Tool, Text: "no licence is noted: --licence notes one", Note: true})
	}
	fence(s, o.Core)
	clean, problems := opmap.Parse(s.File, s.Encode(), opmap.ParseOptions{KnownResolver: o.KnownResolver})
	return clean, problems.Err()
}

// gapsOf collects the gaps of a tree, with their lines.
func gapsOf(n *draft.Node, above []string, out []opmap.Gap) []opmap.Gap {
	path := append(above[:len(above):len(above)], n.Name)
	for _, g := range n.Gaps {
		text := g.Text
		if g.At.Line > 0 {
			text = fmt.Sprintf("line %d: %s", g.At.Line, text)
		}
		out = append(out, gapAt(strings.Join(path, " "), text))
	}
	for _, s := range n.Subs {
		out = gapsOf(s, path, out)
	}
	return out
}

// maxGap bounds the text of a gap in bytes; what is longer is a command or a
// program that was not taken over.
const maxGap = 200

func gapAt(node, text string) opmap.Gap {
	return opmap.Gap{Node: oneLine(node), Text: oneLine(text)}
}

func oneLine(s string) string {
	if s = draft.OneLine(s, maxGap+1); len(s) > maxGap {
		s = draft.OneLine(s, maxGap) + "…"
	}
	return s
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
