package schema

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/discover/drafts"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// A document of OpenAPI or Swagger becomes operations among the user's own maps:
// drafts, which a person reviews before they run.

// isOpenAPI reports whether a word names a document of OpenAPI or Swagger; data is
// what came on standard input.
func (o *importOptions) isOpenAPI(env *term.Env, word string) (is bool, data []byte) {
	switch o.format {
	case "openapi":
		if word == "-" {
			data, _ = io.ReadAll(io.LimitReader(env.Stdin, maxDocument))
		}
		return true, data
	case "":
	default:
		return false, nil
	}
	if word == "-" || !isFile(word) && !isPlain(env, word) {
		return false, nil
	}
	path, err := env.Path(word)
	if err != nil {
		return false, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return false, nil
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return false, nil
	}
	head, err := io.ReadAll(io.LimitReader(f, spec.SniffSize))
	return err == nil && spec.IsOpenAPI(head), nil
}

// maxDocument bounds a document on standard input, maxDraft what is made of it, both
// in bytes; importTime how long that may take.
const (
	maxDocument = 64 << 20
	maxDraft    = 128 << 20
	importTime  = 90 * time.Second
)

// runAPI drafts the operations of a document.
func (o *importOptions) runAPI(env *term.Env, m *mapFinder, word string, data []byte) error {
	dir := m.paths.Schemas()
	if dir == "" {
		return term.Failf("there is no place for maps of your own").Hint("set HOME, XDG_CONFIG_HOME or TMP_CONFIG_DIR")
	}
	source, err := o.draftAPI(env, m, word, data)
	if err != nil {
		return err
	}
	done := importedMap{
		V: 1, Tool: source.Tool, Format: source.Origin.Format, From: source.Origin.From, Digest: source.Origin.Digest, Licence: source.Origin.Licence,
		File: filepath.Join(dir, source.Tool+".json"), Operations: len(source.Operations), Gaps: gapsJSON(source.Gaps), Conflicts: []drafts.Conflict{},
	}
	if !o.dryRun {
		if err := keepAPI(env, done.File, source); err != nil {
			return err
		}
		done.Written = true
	}
	if o.json {
		return env.PrintJSON(done)
	}
	done.print(env)
	if done.Written {
		are, them := "are drafts", "them"
		if done.Operations == 1 {
			are, them = "is a draft", "it"
		}
		env.Notice("%s %s: read %s in %s, then tmp verify --reviewed-by NAME %s", screen.Count(done.Operations, "operation"), are, them, done.File, source.Tool)
	}
	return nil
}

// draftAPI asks tmp-surface for the draft and holds it to what is held of every map.
func (o *importOptions) draftAPI(env *term.Env, m *mapFinder, word string, data []byte) (*opmap.Source, error) {
	program := term.BesideOrPath(env, surface.Program)
	if program == "" {
		return nil, term.Failf("%s, which reads documents of OpenAPI, is not beside tmp", surface.Program).Hint("install it too: bash scripts/install.sh")
	}
	if word != "-" {
		path, err := env.Path(word)
		if err != nil {
			return nil, err
		}
		word = path
	}
	ctx, cancel := context.WithTimeout(env.Context, importTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, surface.ImportWord, "--name", o.name, "--", word)
	var out, complaint bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(data), &out, &complaint
	cmd.Env = []string{"PATH=" + env.Getenv("PATH"), "TMPDIR=" + env.Getenv("TMPDIR")}
	if err := cmd.Run(); err != nil {
		why := strings.TrimSpace(complaint.String())
		if why == "" {
			why = err.Error()
		}
		return nil, term.Failf("%s: %s", term.OneLine(word), term.OneLine(why))
	}
	if out.Len() > maxDraft {
		return nil, term.Failf("%s: its draft is larger than %d MiB", term.OneLine(word), maxDraft>>20)
	}
	s, problems := opmap.Parse(filepath.Base(word), out.Bytes(), opmap.KnownResolvers())
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if o.server != "" {
		if err := o.setServer(s); err != nil {
			return nil, err
		}
	}
	if n := s.Distinct(otherMaps(m, s.Tool)); n > 0 {
		s.Gaps = append(s.Gaps, opmap.Gap{Node: s.Tool, Text: fmt.Sprintf("%d intents that mean operations of other maps too are left out", n), Note: true})
	}
	s.Verified, s.Origin.Date, s.Origin.Content = false, env.Now().UTC().Format(time.RFC3339), s.ContentDigest()
	if o.licence != "" {
		s.Origin.Licence = o.licence
	}
	if s.Origin.Licence == "" {
		s.Gaps = append(s.Gaps, opmap.Gap{Node: s.Tool, Text: "no licence is noted: --licence notes one", Note: true})
	}
	return s, nil
}

// otherMaps are the user's maps but the one that is imported.
func otherMaps(m *mapFinder, tool string) []*opmap.Source {
	u, _, err := opmap.ReadUser(m.paths, opmap.KnownResolvers())
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(u.Sources, func(s *opmap.Source) bool { return s.Tool == tool })
}

// setServer puts the server of --server into the requests.
func (o *importOptions) setServer(s *opmap.Source) error {
	server, err := json.Marshal(strings.TrimSuffix(o.server, "/"))
	if err != nil {
		return err
	}
	for _, op := range s.Operations {
		for i := range op.Extra {
			if op.Extra[i].Name != surface.API {
				continue
			}
			var record map[string]json.RawMessage
			if err := json.Unmarshal(op.Extra[i].Value, &record); err != nil {
				return err
			}
			record["server"] = server
			if op.Extra[i].Value, err = json.Marshal(record); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepAPI writes the draft among the user's maps, in the place of an earlier import
// that nobody has edited, and compiles them.
func keepAPI(env *term.Env, file string, source *opmap.Source) error {
	switch old, err := os.ReadFile(file); {
	case errors.Is(err, fs.ErrNotExist):
		if other := strings.TrimSuffix(file, ".json"); isThere(other) {
			return term.Failf("%s maps %s already", other, source.Tool).Hint("--name gives the API another name")
		}
	case err != nil:
		return err
	default:
		before, _ := opmap.Parse(file, old, opmap.KnownResolvers())
		if before == nil || before.Origin == nil || before.Origin.Content == "" || before.Origin.Content != before.ContentDigest() {
			return term.Failf("%s was not imported, or was edited since", file).Hint("--name gives the API another name; or move the file away first")
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := writeWhole(file, source.Encode()); err != nil {
		return err
	}
	c := layers.NewCompiler(env, false)
	c.UserLayer()
	for _, r := range c.Results {
		if r.State != layers.Written && r.State != layers.Unchanged {
			return term.Failf("%s is written, and your maps cannot be compiled: %s", file, r.Message).Hint("tmp compile says more")
		}
	}
	return nil
}

// writeWhole puts a file in the place of another one at once.
func writeWhole(file string, data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(file), ".import-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	if err == nil {
		err = temp.Chmod(0o644)
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.Rename(temp.Name(), file)
}
