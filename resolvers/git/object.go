package git

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/inflate"
)

// maxObject bounds an object that is read, in bytes: trees and commits, never
// blobs.
const maxObject = 32 << 20

// objectStore reads the objects of a repository: loose files and packs, its
// own and those of its alternates (gitrepository-layout(5)).
type objectStore struct {
	repo  *gitRepo
	dirs  []string
	packs []*gitPack // opened at the first object that is not loose
	ready bool
}

type objectKind uint8

const (
	commitObject objectKind = 1 + iota
	treeObject
	blobObject
	tagObject
)

// objectError is an object that is missing or does not read.
type objectError struct {
	ID  string
	Err error
}

func (e *objectError) Error() string { return "object " + e.ID + ": " + e.Err.Error() }
func (e *objectError) Unwrap() error { return e.Err }

var (
	errNoObject  = errors.New("not found")
	errBadObject = errors.New("corrupt")
)

func openObjects(repo *gitRepo) *objectStore {
	dir := repo.getenv("GIT_OBJECT_DIRECTORY")
	if dir == "" {
		dir = repo.commonDir + "/objects"
	}
	s := &objectStore{repo: repo}
	s.addDir(absolute(repo.dir, dir), 0)
	return s
}

// addDir adds an object directory and its alternates.
func (s *objectStore) addDir(dir string, depth int) {
	s.dirs = append(s.dirs, dir)
	data, err := disk.ReadRegular(dir+"/info/alternates", 1<<20)
	if err != nil || depth >= 5 || len(s.dirs) > 32 {
		return
	}
	for _, line := range strings.Split(string(data), "\n") {
		if line != "" && line[0] != '#' {
			s.addDir(absolute(dir, line), depth+1)
		}
	}
}

func (s *objectStore) close() {
	for _, p := range s.packs {
		p.close()
	}
}

// read gives kind and content of an object by its hexadecimal name.
func (s *objectStore) read(id string) (objectKind, []byte, error) {
	if len(id) != s.repo.hexLen || !isHex([]byte(id)) {
		return 0, nil, &objectError{id, errBadObject}
	}
	for _, dir := range s.dirs {
		if data, err := disk.ReadRegular(dir+"/"+id[:2]+"/"+id[2:], maxObject); err == nil {
			kind, content, err := parseLoose(data)
			if err != nil {
				return 0, nil, &objectError{id, err}
			}
			return kind, content, nil
		}
	}
	if !s.ready {
		s.ready = true
		s.openPacks()
	}
	raw, _ := hex.DecodeString(id)
	for _, p := range s.packs {
		offset, ok := p.find(raw)
		if !ok {
			continue
		}
		kind, content, err := p.object(s, offset)
		if err != nil {
			return 0, nil, &objectError{id, err}
		}
		return kind, content, nil
	}
	return 0, nil, &objectError{id, errNoObject}
}

func (s *objectStore) openPacks() {
	for _, dir := range s.dirs {
		_ = disk.ReadDir(dir+"/pack", func(name []byte, typ disk.Type) bool {
			if base, ok := bytes.CutSuffix(name, []byte(".idx")); ok && typ != disk.Directory && len(s.packs) < 1000 {
				s.packs = append(s.packs, &gitPack{path: filepath.Join(dir, "pack", string(base)), idLen: s.repo.hexLen / 2, fd: -1, index: -1})
			}
			return true
		})
	}
}

// parseLoose reads "<kind> <size>\0<content>", compressed.
func parseLoose(data []byte) (objectKind, []byte, error) {
	out, err := inflate.Zlib(data, 4*len(data), maxObject)
	if err != nil {
		return 0, nil, err
	}
	head, content, ok := bytes.Cut(out, []byte{0})
	name, size, _ := bytes.Cut(head, []byte(" "))
	n, err := strconv.Atoi(string(size))
	if !ok || err != nil || n != len(content) {
		return 0, nil, errBadObject
	}
	switch string(name) {
	case "commit":
		return commitObject, content, nil
	case "tree":
		return treeObject, content, nil
	case "blob":
		return blobObject, content, nil
	case "tag":
		return tagObject, content, nil
	}
	return 0, nil, errBadObject
}

// gitCommit is what a resolver wants of a commit.
type gitCommit struct {
	Tree, Subject string
	Parents       []string
	When          int64  // committer's time, seconds since 1970
	Author        string // "Name <mail>"
}

// commit reads a commit.
func (s *objectStore) commit(id string) (gitCommit, error) {
	kind, data, err := s.read(id)
	if err != nil {
		return gitCommit{}, err
	}
	if kind != commitObject {
		return gitCommit{}, &objectError{id, fmt.Errorf("%w: not a commit", errBadObject)}
	}
	var c gitCommit
	head, message, _ := bytes.Cut(data, []byte("\n\n"))
	for line := range bytes.Lines(head) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		key, value, _ := bytes.Cut(line, []byte(" "))
		switch string(key) {
		case "tree":
			c.Tree = string(value)
		case "parent":
			c.Parents = append(c.Parents, string(value))
		case "author":
			if i := bytes.LastIndexByte(value, '>'); i >= 0 {
				c.Author = string(value[:i+1])
			}
		case "committer":
			if i := bytes.LastIndexByte(value, '>'); i >= 0 {
				seconds, _, _ := bytes.Cut(bytes.TrimSpace(value[i+1:]), []byte(" "))
				c.When, _ = strconv.ParseInt(string(seconds), 10, 64)
			}
		}
	}
	subject, _, _ := bytes.Cut(bytes.TrimLeft(message, "\n"), []byte("\n"))
	c.Subject = string(subject)
	return c, nil
}

// treeEntry is one line of a tree. ID is raw.
type treeEntry struct {
	Mode uint32
	Name string
	ID   []byte
}

func (e treeEntry) isTree() bool { return e.Mode == 0o40000 }

// resolvertest.Tree reads a tree by its hexadecimal name.
func (s *objectStore) tree(id string) ([]treeEntry, error) {
	kind, data, err := s.read(id)
	if err != nil {
		return nil, err
	}
	if kind != treeObject {
		return nil, &objectError{id, fmt.Errorf("%w: not a tree", errBadObject)}
	}
	return parseTree(data, s.repo.hexLen/2)
}

func parseTree(data []byte, idLen int) ([]treeEntry, error) {
	var entries []treeEntry
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, blank := bytes.Cut(head, []byte(" "))
		m, err := strconv.ParseUint(string(mode), 8, 32)
		if !ok || !blank || err != nil || len(name) == 0 || len(rest) < idLen {
			return nil, errBadObject
		}
		entries = append(entries, treeEntry{Mode: uint32(m), Name: string(name), ID: rest[:idLen]})
		data = rest[idLen:]
	}
	return entries, nil
}
