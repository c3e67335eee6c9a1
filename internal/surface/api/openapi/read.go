// Package openapi makes drafts of operations from documents of OpenAPI 3 and Swagger
// 2. It reads the document and the files below its directory that it refers to, and
// fetches nothing. What a draft cannot say is a gap.
package openapi

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pb33f/libopenapi"
	"github.com/pb33f/libopenapi/datamodel"
)

// Options tell what a document does not.
type Options struct {
	Name string // of the API; "" is made from the title
}

// MaxSize bounds a document in bytes, MaxTime how long reading one may take.
const (
	MaxSize = 64 << 20
	MaxTime = 60 * time.Second
)

// Read reads a file and what it refers to.
func Read(file string, o Options) (*Map, error) {
	data, err := readFile(file)
	if err != nil {
		return nil, err
	}
	files, gaps, err := closure(file, data)
	if err != nil {
		return nil, err
	}
	config := settings()
	if files != nil {
		dir, err := files.write()
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		data = files.content[files.root]
		config.BasePath, config.AllowFileReferences = dir, true
		config.SpecFilePath = filepath.Join(dir, files.root)
	}
	m, err := within(func() (*Map, error) { return parse(data, config, o) })
	if err != nil {
		return nil, err
	}
	for _, g := range gaps {
		m.Gaps = append(m.Gaps, Gap{m.Tool, g})
	}
	m.Origin.From = filepath.Base(file)
	return m, nil
}

// Parse reads a document that stands alone.
func Parse(data []byte, from string, o Options) (*Map, error) {
	if err := check(data); err != nil {
		return nil, err
	}
	m, err := within(func() (*Map, error) { return parse(data, settings(), o) })
	if err != nil {
		return nil, err
	}
	m.Origin.From = from
	return m, nil
}

func readFile(file string) ([]byte, error) {
	st, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", file)
	case st.Size() > MaxSize:
		return nil, fmt.Errorf("%s is larger than %d MiB", file, MaxSize>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return data, check(data)
}

func check(data []byte) error {
	switch {
	case len(data) > MaxSize:
		return fmt.Errorf("it is larger than %d MiB", MaxSize>>20)
	case !utf8.Valid(data):
		return errors.New("it is not UTF-8 text")
	}
	return nil
}

// settings make the library fetch nothing, open nothing and say nothing.
func settings() *datamodel.DocumentConfiguration {
	c := datamodel.NewDocumentConfiguration()
	c.AllowFileReferences, c.AllowRemoteReferences = false, false
	c.IgnoreArrayCircularReferences, c.IgnorePolymorphicCircularReferences = true, true
	c.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	c.SkipJSONConversion, c.SkipMetadataCollection, c.ExcludeExtensionRefs = true, true, true
	return c
}

// within bounds the time of reading, and makes a fault of the library in a stranger's
// text an error like any other.
func within(read func() (*Map, error)) (*Map, error) {
	type result struct {
		m   *Map
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if x := recover(); x != nil {
				r = result{nil, fmt.Errorf("it cannot be read: %v", x)}
			}
			done <- r
		}()
		r.m, r.err = read()
	}()
	select {
	case r := <-done:
		return r.m, r.err
	case <-time.After(MaxTime):
		return nil, fmt.Errorf("reading it takes longer than %s", MaxTime)
	}
}

func parse(data []byte, config *datamodel.DocumentConfiguration, o Options) (*Map, error) {
	doc, err := libopenapi.NewDocumentWithConfiguration(data, config)
	if err != nil {
		return nil, tidy(err)
	}
	defer doc.Release()
	var d *document
	format := "openapi"
	switch v := doc.GetVersion(); {
	case strings.HasPrefix(v, "2"):
		format = "swagger"
		m, err := doc.BuildV2Model()
		if m == nil {
			return nil, tidy(err)
		}
		d = ofV2(&m.Model)
		d.faults(err)
	case strings.HasPrefix(v, "3"):
		m, err := doc.BuildV3Model()
		if m == nil {
			return nil, tidy(err)
		}
		d = ofV3(&m.Model)
		d.faults(err)
	default:
		return nil, fmt.Errorf("it is of version %q: want OpenAPI 3.0, 3.1 or Swagger 2", v)
	}
	m := d.draft(o.Name)
	sum := sha256.Sum256(data)
	m.Origin = Origin{Format: format, Digest: "sha256:" + hex.EncodeToString(sum[:]), Licence: line(d.licence, 100)}
	if len(m.Operations) == 0 {
		return nil, errors.New("it has no operation that could be taken over")
	}
	return &m, nil
}

// maxFaults bounds what is told of a document that is not whole.
const maxFaults = 20

// faults notes what the library found wrong in a document that it read all the same.
func (d *document) faults(err error) {
	if err == nil {
		return
	}
	lines := strings.Split(err.Error(), "\n")
	for i, text := range lines {
		if i == maxFaults {
			d.gaps = append(d.gaps, Gap{Text: fmt.Sprintf("%d more faults of the document", len(lines)-i)})
			return
		}
		d.gaps = append(d.gaps, Gap{Text: line(text, maxHelp)})
	}
}

func tidy(err error) error {
	if err == nil {
		return errors.New("it cannot be read")
	}
	return errors.New(line(err.Error(), 300))
}
