package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"github.com/pb33f/go-yaml"
)

// How many files a document may consist of.
const maxFiles = 1000

// family is a document of several files, by their paths below its directory.
type family struct {
	root    string
	content map[string][]byte
}

// elsewhere finds references to other files or places.
var elsewhere = regexp.MustCompile(`\$ref["']?\s*:\s*["']?[^#"'\s]`)

// closure reads the files that a document refers to; nil if it stands alone.
// References that lead out of the document's directory, or to the network, are taken
// out and told.
func closure(file string, data []byte) (*family, []string, error) {
	if !elsewhere.Match(data) {
		return nil, nil, nil
	}
	dir, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	f := &family{root: filepath.Base(file), content: map[string][]byte{}}
	w := &walk{dir: dir, family: f, gaps: map[string]bool{}}
	if err := w.add(f.root, data); err != nil {
		return nil, nil, err
	}
	var gaps []string
	for g := range w.gaps {
		gaps = append(gaps, g)
	}
	sort.Strings(gaps)
	return f, gaps, nil
}

type walk struct {
	dir    *os.Root
	family *family
	gaps   map[string]bool
	size   int
}

// add takes a file and all that it refers to.
func (w *walk) add(name string, data []byte) error {
	if w.size += len(data); w.size > MaxSize {
		return fmt.Errorf("its files are larger than %d MiB together", MaxSize>>20)
	}
	if len(w.family.content) >= maxFiles {
		return fmt.Errorf("it consists of more than %d files", maxFiles)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return fmt.Errorf("%s: %w", name, tidy(err))
	}
	w.family.content[name] = data
	refs, changed := w.refs(&doc, name, 0)
	if changed {
		out, err := yaml.Marshal(&doc)
		if err != nil {
			return err
		}
		w.family.content[name] = out
	}
	for _, ref := range refs {
		if _, there := w.family.content[ref]; there {
			continue
		}
		data, err := w.read(ref)
		if err != nil {
			return fmt.Errorf("%s refers to %s: %w", name, ref, err)
		}
		if err := w.add(ref, data); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) read(name string) ([]byte, error) {
	f, err := w.dir.Open(name)
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			return nil, p.Err
		}
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() || st.Size() > MaxSize {
		return nil, errors.New("is no file that is read")
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxSize))
	if err != nil {
		return nil, err
	}
	return data, check(data)
}

// refs are the files that a tree refers to; what may not be followed is taken out.
func (w *walk) refs(n *yaml.Node, in string, depth int) (files []string, changed bool) {
	if depth > 1000 {
		return nil, false
	}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && n.Content[i-1].Value == "$ref" && c.Kind == yaml.ScalarNode {
			file, why := target(in, c.Value)
			if st, err := w.dir.Stat(filepath.FromSlash(cmp.Or(file, "."))); file != "" && (err != nil || !st.Mode().IsRegular()) {
				why = "it is not there"
			}
			switch {
			case why != "":
				w.gaps["a reference to "+line(c.Value, 100)+" is not followed: "+why] = true
				n.Content[i-1].Value = "x-not-followed"
				changed = true
			case file != "":
				files = append(files, file)
			}
			continue
		}
		if c.Kind == yaml.AliasNode {
			continue // its anchor is walked where it stands
		}
		more, also := w.refs(c, in, depth+1)
		files, changed = append(files, more...), changed || also
	}
	return files, changed
}

// target is the file that a reference in another one leads to, "" for the same, or
// why it is not followed.
func target(in, ref string) (file, why string) {
	name, _, _ := strings.Cut(ref, "#")
	switch {
	case name == "":
		return "", ""
	case strings.Contains(name, "://") || strings.HasPrefix(name, "//"):
		return "", "nothing is fetched"
	case strings.HasPrefix(name, "/") || strings.ContainsAny(name, "\\:\x00"):
		return "", "it leads out of the document's directory"
	}
	file = path.Join(path.Dir(filepath.ToSlash(in)), name)
	if !fs.ValidPath(file) || file == "." {
		return "", "it leads out of the document's directory"
	}
	return file, ""
}

// write writes the files into a directory of their own, where the library finds
// these and no others.
func (f *family) write() (string, error) {
	dir, err := os.MkdirTemp("", "tmp-openapi-")
	if err != nil {
		return "", err
	}
	for name, data := range f.content {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return "", errors.Join(err, os.RemoveAll(dir))
		}
		if err := os.WriteFile(to, data, 0o600); err != nil {
			return "", errors.Join(err, os.RemoveAll(dir))
		}
	}
	return dir, nil
}
