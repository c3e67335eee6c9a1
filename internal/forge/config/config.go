// Package config reads the configuration of the forge: what a tool may see, write,
// import and reach (seed 003, 2.2 and 7.2). Both of the seed's forms are read; a key
// that is not known, of the wrong type, or given in both forms with two values is an
// error that names its place.
package config

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Config is what holds, with paths that are absolute.
type Config struct {
	RootDir        string   `json:"rootDir"`
	App            App      `json:"app"`
	Mode           string   `json:"mode"` // "god", "gatekeeper"
	DB             DB       `json:"db"`
	FS             FS       `json:"fs"`
	AllowedImports []string `json:"allowedImports"`
	Env            []string `json:"env"`
	Limits         Limits   `json:"limits"`
	Gatekeeper     Keys     `json:"gatekeeper"`
	Upstream       Upstream `json:"upstream"`
	Janitor        Janitor  `json:"janitor"`
	Harvest        Harvest  `json:"harvest"`
}

// App is the project.
type App struct {
	Root string `json:"root"`
	Env  string `json:"env"`
}

// DB is how a tool reaches the database.
type DB struct {
	Dialect    string   `json:"dialect"`
	SchemaPath string   `json:"schemaPath"`
	EnvVar     string   `json:"envVar"`
	Queries    string   `json:"queries"`
	Write      []string `json:"write"`
}

// FS is what a tool may do with files.
type FS struct {
	AllowedDirs          []string `json:"allowedDirs"`
	BlockUpwardTraversal bool     `json:"blockUpwardTraversal"`
	MaxWriteSizeMB       float64  `json:"maxWriteSizeMB"`
	MaxFiles             int      `json:"maxFiles"`
	DenyRead             []string `json:"denyRead"`
}

// Limits bound a run.
type Limits struct {
	WallSeconds float64 `json:"wallSeconds"`
	MemoryMB    int     `json:"memoryMB"`
	OutputMB    float64 `json:"outputMB"`
}

// Keys are those whose signature counts.
type Keys struct {
	Keys      []string `json:"keys"`
	Threshold int      `json:"threshold"`
}

// Upstream is the hub.
type Upstream struct {
	Remote              string `json:"remote"`
	Auth                Auth   `json:"auth"`
	PushStrategy        string `json:"pushStrategy"`
	PullIntervalSeconds int    `json:"pullIntervalSeconds"`
	API                 string `json:"api"`
}

// Auth is who writes there.
type Auth struct {
	Token    string `json:"token"`
	Username string `json:"username"`
}

// Janitor and Harvest say what may leave.
type Janitor struct {
	CustomPrefixes []string `json:"customPrefixes"`
}

// Harvest says from how many successes on.
type Harvest struct {
	MinRuns int `json:"minRuns"`
}

// Default is the configuration without a file.
func Default() *Config {
	return &Config{
		App: App{Env: "development"}, Mode: "gatekeeper",
		DB:             DB{EnvVar: "DATABASE_URL", Queries: ".tmp/schemas", Write: []string{}},
		FS:             FS{AllowedDirs: []string{}, BlockUpwardTraversal: true, MaxWriteSizeMB: 50, MaxFiles: 1000, DenyRead: []string{".env*", ".git", "*.pem", "*.key", ".npmrc"}},
		AllowedImports: []string{}, Env: []string{},
		Limits:     Limits{WallSeconds: 30, MemoryMB: 512, OutputMB: 10},
		Gatekeeper: Keys{Keys: []string{}, Threshold: 1},
		Upstream:   Upstream{Auth: Auth{Username: "tgp-bot"}, PushStrategy: "pull-request", PullIntervalSeconds: 300},
		Janitor:    Janitor{CustomPrefixes: []string{"custom_", "cf_"}}, Harvest: Harvest{MinRuns: 10},
	}
}

// Invalid is a fault of a configuration.
type Invalid struct {
	File      string
	Line, Col int // 0 where they are not known
	Msg       string
}

func (e *Invalid) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// aliases are the seed's other names of keys.
var aliases = map[string]string{"filesystem": "fs", "libs.whitelist": "allowedImports", "db.connectionVar": "db.envVar"}

// ignored are keys that documents of the seed's kind carry and that mean nothing here.
var ignored = []string{"$schema"}

// Read reads a configuration. file is named in faults; dir is where relative paths
// begin if the file does not say; home is the home directory.
func Read(source, file, dir, home string) (*Config, error) {
	v, err := parse(source)
	if err != nil {
		e := err.(*syntaxError) //nolint:errorlint // parse says so
		return nil, at(source, file, e.pos, e.msg)
	}
	return build(v, source, file, dir, home, nil)
}

// Evaluated reads what a configuration in TypeScript came to; faults are placed
// where its key first stands in the source.
func Evaluated(result, source, file, dir, home string) (*Config, error) {
	v, err := parse(result)
	if err != nil {
		return nil, &Invalid{File: file, Msg: err.Error()}
	}
	return build(v, source, file, dir, home, func(key string) int {
		last := key[strings.LastIndexByte(key, '.')+1:]
		m := regexp.MustCompile(`(?m)(?:^|[\s{,"'])(` + regexp.QuoteMeta(last) + `)["']?\s*:`).FindStringSubmatchIndex(source)
		if m == nil {
			return -1
		}
		return m[2]
	})
}

func at(source, file string, pos int, msg string) *Invalid {
	if pos < 0 || pos > len(source) {
		return &Invalid{File: file, Msg: msg}
	}
	before := source[:pos]
	line := strings.Count(before, "\n") + 1
	col := pos - strings.LastIndexByte(before, '\n')
	return &Invalid{File: file, Line: line, Col: col, Msg: msg}
}

type entry struct {
	key string // as written
	v   *value
}

func build(v *value, source, file, dir, home string, where func(key string) int) (*Config, error) {
	fail := func(e entry, format string, args ...any) error {
		pos := e.v.pos
		if where != nil {
			pos = where(e.key)
		}
		return at(source, file, pos, fmt.Sprintf(format, args...))
	}
	if v.of == nil {
		return nil, at(source, file, 0, "the configuration is not an object")
	}
	c := Default()
	fields := fieldsOf(reflect.ValueOf(c).Elem(), "")
	seen := map[string]entry{}
	for _, e := range flatten(v, "", fields) {
		if slices.Contains(ignored, e.key) {
			continue
		}
		key := canonical(e.key)
		f, ok := fields[key]
		if !ok {
			return nil, fail(e, "unknown key %q; the nearest is %q", e.key, nearest(e.key, fields))
		}
		if e.v.any == nil && e.v.of == nil {
			continue // null is as if it were not there
		}
		if why := set(f, e.v); why != "" {
			return nil, fail(e, "%s must be %s", e.key, why)
		}
		if other, twice := seen[key]; twice && other.key != e.key && !same(other.v, e.v) {
			return nil, fail(e, "%s and %s are the same key with two values", other.key, e.key)
		}
		seen[key] = e
	}
	if why, key := c.settle(dir, home, seen); why != "" {
		return nil, fail(seen[key], "%s", why)
	}
	return c, nil
}

// same reports whether two values are equal.
func same(a, b *value) bool {
	x, _ := json.Marshal(simple(a))
	y, _ := json.Marshal(simple(b))
	return string(x) == string(y)
}

func simple(v *value) any {
	if list, ok := v.any.([]*value); ok {
		out := []any{}
		for _, x := range list {
			out = append(out, simple(x))
		}
		return out
	}
	return v.any
}

func canonical(key string) string {
	if to := aliases[key]; to != "" {
		return to
	}
	if first, rest, ok := strings.Cut(key, "."); ok && aliases[first] != "" {
		return aliases[first] + "." + rest
	}
	return key
}

// fieldsOf are the keys of a configuration with their fields.
func fieldsOf(v reflect.Value, prefix string) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	for i := range v.NumField() {
		name := prefix + v.Type().Field(i).Tag.Get("json")
		if v.Field(i).Kind() == reflect.Struct {
			for k, f := range fieldsOf(v.Field(i), name+".") {
				out[k] = f
			}
			continue
		}
		out[name] = v.Field(i)
	}
	return out
}

// flatten lists the keys of an object as paths; an object in the place of a value is
// one too.
func flatten(v *value, prefix string, fields map[string]reflect.Value) (out []entry) {
	for _, k := range v.keys {
		x, key := v.of[k], prefix+k
		_, known := fields[canonical(key)]
		if x.of != nil && !known {
			if len(x.keys) == 0 || !isGroup(canonical(key), fields) {
				if !isGroup(canonical(key), fields) {
					out = append(out, entry{key, x})
				}
				continue
			}
			out = append(out, flatten(x, key+".", fields)...)
			continue
		}
		out = append(out, entry{key, x})
	}
	return out
}

func isGroup(key string, fields map[string]reflect.Value) bool {
	for k := range fields {
		if strings.HasPrefix(k, key+".") {
			return true
		}
	}
	return key == "libs"
}

// set puts a value into a field, or says what it must be.
func set(f reflect.Value, v *value) string {
	switch f.Kind() {
	case reflect.String:
		s, ok := v.any.(string)
		if !ok {
			return "a string"
		}
		f.SetString(s)
	case reflect.Bool:
		b, ok := v.any.(bool)
		if !ok {
			return "true or false"
		}
		f.SetBool(b)
	case reflect.Int:
		n, ok := v.any.(float64)
		if !ok || n != math.Trunc(n) || n < 0 || n > 1e9 {
			return "a whole number"
		}
		f.SetInt(int64(n))
	case reflect.Float64:
		n, ok := v.any.(float64)
		if !ok || n < 0 || n > 1e9 {
			return "a number"
		}
		f.SetFloat(n)
	default:
		list, ok := v.any.([]*value)
		if !ok {
			return "a list of strings"
		}
		out := []string{}
		for _, x := range list {
			s, ok := x.any.(string)
			if !ok {
				return "a list of strings"
			}
			out = append(out, s)
		}
		f.Set(reflect.ValueOf(out))
	}
	return ""
}

// settle makes paths absolute and holds values against each other; it returns what
// is wrong, and the key.
func (c *Config) settle(dir, home string, given map[string]entry) (why, key string) {
	for key, words := range map[string][]string{
		"mode": {"god", "gatekeeper"}, "app.env": {"development", "production", "test", "staging"}, "db.dialect": {"sqlite", "postgres", ""},
		"upstream.pushStrategy": {"direct", "pull-request"},
	} {
		got := map[string]string{"mode": c.Mode, "app.env": c.App.Env, "db.dialect": c.DB.Dialect, "upstream.pushStrategy": c.Upstream.PushStrategy}[key]
		if key == "db.dialect" && got == "postgresql" {
			c.DB.Dialect = "postgres"
			continue
		}
		if !slices.Contains(words, got) && key != "app.env" {
			return fmt.Sprintf("%s is %q; it is one of %s", key, got, strings.TrimRight(strings.Join(words, ", "), ", ")), key
		}
	}
	if c.App.Env == "production" {
		c.Mode = "gatekeeper"
	}
	c.App.Root = absolute(c.App.Root, dir)
	if c.RootDir != "" {
		if rest, ok := strings.CutPrefix(c.RootDir, "~/"); ok && home != "" {
			c.RootDir = filepath.Join(home, rest)
		}
		c.RootDir = absolute(c.RootDir, c.App.Root)
	}
	if c.DB.SchemaPath != "" {
		c.DB.SchemaPath = absolute(c.DB.SchemaPath, c.App.Root)
	}
	c.DB.Queries = absolute(c.DB.Queries, c.App.Root)
	for i, d := range c.FS.AllowedDirs {
		c.FS.AllowedDirs[i] = absolute(d, c.App.Root)
	}
	if c.Limits.WallSeconds <= 0 || c.Limits.WallSeconds > 86400 {
		return "limits.wallSeconds must be more than 0 and at most 86400", "limits.wallSeconds"
	}
	if c.Limits.MemoryMB < 16 || c.Limits.MemoryMB > 4000 {
		return "limits.memoryMB must be from 16 to 4000", "limits.memoryMB"
	}
	if c.Limits.OutputMB <= 0 || c.Limits.OutputMB > 100 {
		return "limits.outputMB must be more than 0 and at most 100", "limits.outputMB"
	}
	if c.Gatekeeper.Threshold < 1 {
		return "gatekeeper.threshold must be at least 1", "gatekeeper.threshold"
	}
	return "", ""
}

// CheckDirs says which directory must not be written to by a tool; root is that of
// the tools.
func (c *Config) CheckDirs(file, root, home string) error {
	real := func(p string) string {
		if r, err := filepath.EvalSymlinks(p); err == nil {
			return r
		}
		return filepath.Clean(p)
	}
	bad := func(format string, args ...any) error {
		return &Invalid{File: file, Msg: fmt.Sprintf("fs.allowedDirs: "+format, args...)}
	}
	for _, dir := range c.FS.AllowedDirs {
		d := real(dir)
		switch {
		case d == "/":
			return bad("the whole file system cannot be given away")
		case home != "" && d == real(home):
			return bad("the home directory cannot be given away")
		case d == real(c.App.Root):
			return bad("the project itself cannot be given away: name a directory in it")
		case root != "" && (inside(real(root), d) || inside(d, real(root))):
			return bad("%s holds the tools or lies among them", dir)
		}
	}
	return nil
}

// inside reports whether a path is dir or below it.
func inside(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

func absolute(path, dir string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// nearest is the key that looks most like one that is not known.
func nearest(key string, fields map[string]reflect.Value) string {
	best, least := "", math.MaxInt
	names := []string{}
	for k := range fields {
		names = append(names, k)
	}
	slices.Sort(names)
	for _, k := range names {
		if d := distance(strings.ToLower(key), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := prev
			if a[i] != b[j] {
				cost++
			}
			prev = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Masked is a copy without secrets, for showing.
func (c *Config) Masked() *Config {
	m := *c
	if m.Upstream.Auth.Token != "" {
		m.Upstream.Auth.Token = "***"
	}
	if i := strings.Index(m.Upstream.Remote, "://"); i >= 0 {
		if at := strings.LastIndexByte(m.Upstream.Remote, '@'); at > i {
			m.Upstream.Remote = m.Upstream.Remote[:i+3] + "***" + m.Upstream.Remote[at:]
		}
	}
	return &m
}

// Names are the words that a tool may write whatever their length: of queries and
// variables.
func (c *Config) Names(queries []string) []string {
	return slices.Concat(c.Env, c.DB.Write, queries)
}

// Up finds the nearest file of the names, from dir upwards to home or the root.
func Up(dir, home string, names ...string) string {
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		for _, name := range names {
			if st, err := os.Lstat(filepath.Join(dir, name)); err == nil && (st.Mode().IsRegular() || st.IsDir() || st.Mode()&os.ModeSymlink != 0) {
				return filepath.Join(dir, name)
			}
		}
		if dir == home || dir == filepath.Dir(dir) {
			return ""
		}
	}
}
