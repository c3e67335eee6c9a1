// Package db holds the commands about compiled maps: tmp db build, lookup,
// explain, verify, stat, export and import.
package db

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
	"github.com/tool-mapping-protocol/tmp/tcpdb/exchange"
)

type lookupOptions struct{ json bool }

// NewLookup is tmp db lookup.
func NewLookup(env *term.Env, f *command.Flags) command.Run {
	var o lookupOptions
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, strings.Join(in.Args, " ")) }
}

// layerRow is what one layer says of a command.
type layerRow struct {
	Layer string `json:"layer"`
	exchange.Row
}

func (o *lookupOptions) run(env *term.Env, key string) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	d, known := w.View.Lookup(key)
	level := max(d.Level(), tcpdb.Unknown)
	if level == tcpdb.Unknown {
		level = tcpdb.Medium // what is not known is never safe
	}
	rows := []layerRow{}
	for _, e := range w.View.Entries(key) {
		rows = append(rows, layerRow{e.Layer.String(), exchange.RowOf(e)})
	}
	record := ""
	if known {
		b := d.Encode()
		record = hex.EncodeToString(b[:])
	}
	variants := len(w.View.Variants(key))
	if o.json {
		err = env.PrintJSON(struct {
			V        int        `json:"v"`
			Key      string     `json:"key"`
			Known    bool       `json:"known"`
			Level    string     `json:"level"`
			Action   string     `json:"action"`
			Flags    []string   `json:"flags"`
			Record   string     `json:"record,omitempty"`
			Variants int        `json:"variants"`
			Layers   []layerRow `json:"layers"`
		}{1, key, known, level.String(), level.Action(), d.Flags.Names(), record, variants, rows})
	} else {
		o.print(env, key, level, d, known, record, variants, rows)
	}
	if err == nil && !known {
		return term.ExitStatus(1)
	}
	return err
}

func (o *lookupOptions) print(env *term.Env, key string, level tcpdb.Level, d tcpdb.Descriptor, known bool, record string, variants int, rows []layerRow) {
	s := env.StyleOf(1)
	if !known {
		fmt.Fprintf(env.Stdout, "%s: no descriptor; what is not known counts as %s\n", term.OneLine(key), s.Level(level))
		return
	}
	fmt.Fprintln(env.Stdout, strings.TrimRight(s.Bold(term.OneLine(key))+"  "+s.Level(level)+"  "+strings.Join(d.Flags.Names(), " "), " "))
	fmt.Fprintf(env.Stdout, "  %s  %d ms, %d MB, %d KB\n", record, d.ExecMS, d.MemoryMB, d.OutputKB)
	for _, r := range rows {
		line := fmt.Sprintf("%s: %s", r.Layer, r.Level)
		if r.Reason != "" {
			line += ", " + r.Reason
		}
		if r.Safer != "" {
			line += "; safer: " + r.Safer
		}
		if r.Provenance != "" {
			line += " (" + r.Provenance + ")"
		}
		fmt.Fprintf(env.Stdout, "  %s\n", term.OneLine(line))
	}
	if variants > 0 {
		fmt.Fprintf(env.Stdout, "  %s for options and arguments\n", screen.Count(variants, "variant"))
	}
}

type verifyOptions struct{ json bool }

// NewVerify is tmp db verify.
func NewVerify(env *term.Env, f *command.Flags) command.Run {
	var o verifyOptions
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

// verdict is what verify finds about one map.
type verdict struct {
	Layer  string   `json:"layer,omitempty"`
	File   string   `json:"file,omitempty"`
	Digest string   `json:"digest,omitempty"`
	Errors []string `json:"errors"`
}

func (o *verifyOptions) run(env *term.Env, files []string) error {
	var found []verdict
	if len(files) > 0 {
		for _, file := range files {
			found = append(found, verifyFile(env, file))
		}
	} else {
		var err error
		if found, err = verifyLayers(env); err != nil {
			return err
		}
	}
	bad := false
	for _, x := range found {
		bad = bad || len(x.Errors) > 0
	}
	if o.json {
		if err := env.PrintJSON(struct {
			V    int       `json:"v"`
			OK   bool      `json:"ok"`
			Maps []verdict `json:"maps"`
		}{1, !bad, found}); err != nil {
			return err
		}
	} else {
		for _, x := range found {
			printVerdict(env, x)
		}
	}
	if bad {
		return term.ExitStatus(1)
	}
	return nil
}

func verifyFile(env *term.Env, file string) verdict {
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(env.Dir, path)
	}
	im, err := tcpdb.Map(path)
	if err != nil {
		return verdict{File: file, Errors: []string{err.Error()}}
	}
	defer im.Close()
	return verify(im, verdict{File: file})
}

func verifyLayers(env *term.Env) ([]verdict, error) {
	w, err := env.Session()
	if err != nil {
		return nil, err
	}
	var found []verdict
	for _, l := range tcpdb.Layers() {
		if im, file := w.View.Image(l); im != nil {
			found = append(found, verify(im, verdict{Layer: l.String(), File: file}))
		}
	}
	// What could not be opened is as much a finding; that there is no user's
	// map or no trusted project is none.
	for _, p := range w.View.Problems() {
		if errors.Is(p.Err, tcpdb.ErrCorrupt) || errors.Is(p.Err, tcpdb.ErrNotMap) || errors.Is(p.Err, tcpdb.ErrNewer) {
			found = append(found, verdict{Layer: p.Layer.String(), File: p.File, Errors: []string{p.Err.Error()}})
		}
	}
	return found, nil
}

func verify(im *tcpdb.Image, x verdict) verdict {
	digest := im.Digest()
	x.Digest, x.Errors = hex.EncodeToString(digest[:]), []string{}
	for _, err := range tcpdb.Verify(im) {
		x.Errors = append(x.Errors, err.Error())
	}
	return x
}

func printVerdict(env *term.Env, x verdict) {
	name := strings.TrimSpace(x.Layer + " " + x.File)
	if len(x.Errors) == 0 {
		fmt.Fprintf(env.Stdout, "%s: whole, %.16s\n", term.OneLine(name), x.Digest)
		return
	}
	for _, e := range x.Errors {
		fmt.Fprintf(env.Stdout, "%s: %s\n", term.OneLine(name), term.OneLine(e))
	}
}

type exportOptions struct{ format, layer string }

// NewExport is tmp db export.
func NewExport(env *term.Env, f *command.Flags) command.Run {
	var o exportOptions
	f.String("format", &o.format)
	f.String("layer", &o.layer)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *exportOptions) run(env *term.Env, tools []string) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	entries, err := o.entries(w.View)
	if err != nil {
		return err
	}
	if len(tools) > 0 {
		kept := entries[:0]
		for _, e := range entries {
			tool, _, _ := strings.Cut(e.Key, " ")
			for _, t := range tools {
				if t == tool {
					kept = append(kept, e)
					break
				}
			}
		}
		entries = kept
	}
	if o.format == "bytes" {
		return exchange.WriteBytes(env.Stdout, entries)
	}
	return exchange.WriteJSON(env.Stdout, entries)
}

// entries returns those of one layer, or of all: each with the words of the
// layer that rates it highest and the descriptor of all together.
func (o *exportOptions) entries(v *tcpdb.View) ([]tcpdb.Entry, error) {
	if o.layer != "" {
		for _, l := range tcpdb.Layers() {
			if im, _ := v.Image(l); im != nil && l.String() == o.layer {
				return im.Entries()
			}
		}
		return nil, term.Failf("there is no %s layer here", o.layer)
	}
	var all []tcpdb.Entry
	for _, key := range v.Keys() {
		d, ok := v.Lookup(key)
		if !ok {
			continue // variants alone
		}
		var words tcpdb.Entry
		for i, e := range v.Entries(key) {
			if i == 0 || e.Descriptor.Level() > words.Descriptor.Level() {
				words = e
			}
		}
		words.Descriptor = d
		all = append(all, words)
	}
	return all, nil
}

type importOptions struct{ dryRun, json bool }

// NewImport is tmp db import.
func NewImport(env *term.Env, f *command.Flags) command.Run {
	var o importOptions
	f.Bool("dry-run", &o.dryRun)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *importOptions) run(env *term.Env, files []string) error {
	name, in := "standard input", env.Stdin
	if len(files) > 0 {
		name = files[0]
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(env.Dir, path)
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	entries, err := exchange.Read(in)
	var refused *exchange.Error
	if errors.As(err, &refused) {
		return term.Failf("%s: %s", name, refused).Hint("nothing was imported")
	}
	if err != nil {
		return err
	}
	file := ""
	if !o.dryRun {
		paths := env.Places()
		file = paths.SystemMap()
		if err := importEntries(paths, entries); err != nil {
			return err
		}
	}
	if o.json {
		return env.PrintJSON(struct {
			V        int    `json:"v"`
			Imported int    `json:"imported"`
			File     string `json:"file,omitempty"`
			DryRun   bool   `json:"dry_run"`
		}{1, len(entries), file, o.dryRun})
	}
	return printImported(env.Stdout, len(entries), file)
}

func printImported(w io.Writer, n int, file string) error {
	if file == "" {
		_, err := fmt.Fprintf(w, "%s, all sound; nothing was written\n", screen.Count(n, "descriptor"))
		return err
	}
	_, err := fmt.Fprintf(w, "%s imported into %s\n", screen.Count(n, "descriptor"), term.OneLine(file))
	return err
}

// importEntries adds entries to the system map. They join what it holds and
// what lies below: a risk is raised by them, never lowered.
func importEntries(paths place.Paths, entries []tcpdb.Entry) error {
	lock, err := layers.LockSystem(paths)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	b := tcpdb.NewBuilder()
	im, err := tcpdb.Map(paths.SystemMap())
	switch {
	case err == nil:
		defer im.Close()
		if err := b.Image(im); err != nil {
			return term.Failf("%s: %s", paths.SystemMap(), err).Hint("tmp db build makes it anew")
		}
	case !errors.Is(err, os.ErrNotExist):
		return term.Failf("%s", err).Hint("tmp db build makes it anew")
	}
	for _, e := range entries {
		e.Provenance = layers.Imported
		if e.Rule == "" {
			e.Rule = strings.ReplaceAll(e.Key, " ", ".")
		}
		if e.Reason == "" {
			e.Reason = "rated so by what was imported" // an answer says why
		}
		b.Raise(e)
	}
	image, err := b.Build()
	if err != nil {
		return err
	}
	return lock.Write(image, 0o644)
}
