package systemmap

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"

	"github.com/tool-mapping-protocol/tmp/internal/discover/assess"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// ratings remembers how programs without a draft were rated, by the identity of
// program and manual.
type ratings struct {
	file    string
	mu      sync.Mutex
	rows    map[string]ratingRow
	changed bool
}

type ratingRow struct {
	Identity string        `json:"id"`
	Rating   assess.Rating `json:"rating"`
}

// ratingsVersion is raised when the same texts are rated differently.
const ratingsVersion = 2

type ratingsContent struct {
	V    int                  `json:"v"`
	Rows map[string]ratingRow `json:"rows"`
}

func ratingsFile(p place.Paths) string {
	if p.Cache == "" {
		return ""
	}
	return filepath.Join(p.Cache, "system", "ratings.json")
}

func readRatings(file string) *ratings {
	r := &ratings{file: file, rows: map[string]ratingRow{}}
	data, err := os.ReadFile(file)
	if err != nil {
		return r
	}
	var c ratingsContent
	if json.Unmarshal(data, &c) == nil && c.V == ratingsVersion && c.Rows != nil {
		r.rows = c.Rows
	}
	return r
}

func (r *ratings) get(name, identity string) (assess.Rating, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	row, ok := r.rows[name]
	return row.Rating, ok && row.Identity == identity
}

func (r *ratings) put(name, identity string, rating assess.Rating) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows[name] = ratingRow{identity, rating}
	r.changed = true
}

// write keeps the ratings; that it fails costs time and nothing else.
func (r *ratings) write() {
	if !r.changed || r.file == "" || os.MkdirAll(filepath.Dir(r.file), 0o755) != nil {
		return
	}
	if data, err := json.Marshal(ratingsContent{ratingsVersion, r.rows}); err == nil {
		_ = tcpdb.WriteFile(r.file, data)
	}
}
