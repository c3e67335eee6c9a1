package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/config"
	"github.com/tool-mapping-protocol/tmp/internal/forge/isolate"
	"github.com/tool-mapping-protocol/tmp/internal/forge/worker"
)

// Settings say where the configuration comes from.
type Settings struct {
	File    string // "" without one, or if it is the text of TGP_CONFIG
	Host    bool   // it is the host's word
	Trusted bool
	Digest  string // of the file
}

// Shown names the configuration.
func (s *Settings) Shown() string {
	switch {
	case s.File != "":
		return s.File
	case s.Host:
		return "TGP_CONFIG"
	}
	return "the defaults"
}

// settings reads the configuration: --config, TGP_CONFIG, or a file here or above.
func (f *Runner) settings() error {
	text, err := f.findSettings()
	if err != nil {
		return err
	}
	dir := f.Dir
	if f.Settings.File != "" {
		dir = filepath.Dir(f.Settings.File)
	}
	if text == "" && f.Settings.File == "" && !f.Settings.Host {
		f.Config = config.Default()
		f.Config.App.Root, f.Config.DB.Queries = f.project(), filepath.Join(f.project(), f.Config.DB.Queries)
		return f.mode()
	}
	if !f.Settings.Trusted {
		if !f.Lenient {
			return Fail(ConfigUntrusted, "%s was not written by tgp init, or has changed since it was trusted", f.Settings.File).
				Hint("read it, then: tgp trust")
		}
		f.Say("%s is not trusted: going on with the defaults (tgp trust)", f.Settings.File)
		f.Config = config.Default()
		f.Config.App.Root, f.Config.DB.Queries = dir, filepath.Join(dir, f.Config.DB.Queries)
		return f.mode()
	}
	if f.Config, err = f.read(text, dir); err != nil {
		return err
	}
	return f.mode()
}

// project is the directory that a forge without a configuration works for.
func (f *Runner) project() string {
	if up := config.Up(f.Dir, f.Paths.Home, ".tgp"); up != "" && filepath.Dir(up) != f.Paths.Home {
		return filepath.Dir(up)
	}
	return f.Dir
}

func (f *Runner) findSettings() (text string, err error) {
	file := f.Caller.Config
	s := &f.Settings
	env := strings.TrimSpace(f.Getenv("TGP_CONFIG"))
	switch {
	case file != "":
		if !filepath.IsAbs(file) {
			file = filepath.Join(f.Dir, file)
		}
		s.Host = true
	case strings.HasPrefix(env, "{") || strings.HasPrefix(env, "//") || strings.HasPrefix(env, "/*"):
		s.Host, s.Trusted = true, true
		return env, nil
	case env != "":
		if !filepath.IsAbs(env) {
			return "", Fail(ConfigInvalid, "TGP_CONFIG is neither JSON nor an absolute path")
		}
		file, s.Host = env, true
	default:
		if file = config.Up(f.Dir, f.Paths.Home, "tgp.config.ts", "tgp.config.json"); file == "" {
			return "", nil
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", Fail(ConfigInvalid, "the configuration cannot be read: %s", err)
	}
	s.File = filepath.Clean(file)
	sum := sha256.Sum256(data)
	s.Digest = hex.EncodeToString(sum[:])
	s.Trusted = s.Host || f.trusts(s.File, s.Digest)
	return string(data), nil
}

// trustFile is the record that a configuration was seen.
func (f *Runner) trustFile(file string) string {
	if f.Paths.State == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	return filepath.Join(f.Paths.State, "forge", "trust", Name(file))
}

func (f *Runner) trusts(file, digest string) bool {
	record := f.trustFile(file)
	if record == "" {
		return false
	}
	data, err := os.ReadFile(record)
	return err == nil && string(data) == digest+"\n"
}

// Trust records that a person has read the configuration.
func (f *Runner) Trust(file, digest string) error {
	record := f.trustFile(file)
	if record == "" {
		return Fail(Failed, "there is no state directory").Hint("set HOME or TMP_STATE_DIR")
	}
	if err := os.MkdirAll(filepath.Dir(record), 0o700); err != nil {
		return Fail(Failed, "%s", err)
	}
	if err := WriteFile(record, []byte(digest+"\n"), 0o600); err != nil {
		return Fail(Failed, "%s", err)
	}
	return nil
}

// read reads a configuration in either language.
func (f *Runner) read(text, dir string) (*config.Config, error) {
	file := f.Settings.Shown()
	if !strings.HasSuffix(file, ".ts") {
		c, err := config.Read(text, file, dir, f.Paths.Home)
		if err != nil {
			return nil, invalid(err)
		}
		return c, nil
	}
	result, err := f.evaluate(text, file)
	if err != nil {
		return nil, err
	}
	c, err := config.Evaluated(result, text, file, dir, f.Paths.Home)
	if err != nil {
		return nil, invalid(err)
	}
	return c, nil
}

func invalid(err error) error {
	var e *config.Invalid
	if errors.As(err, &e) {
		return &Error{Code: ConfigInvalid, Message: e.Error(), File: e.File, Line: e.Line, Col: e.Col}
	}
	return Fail(ConfigInvalid, "%s", err)
}

// visible are the variables that a configuration may read.
func (f *Runner) visible() map[string]string {
	env := map[string]string{}
	for _, kv := range os.Environ() {
		k, _, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(k, "TGP_") && k != "TGP_CONFIG" || k == "NODE_ENV" || k == "CI" {
			env[k] = f.Getenv(k)
		}
	}
	return env
}

// evaluate runs a configuration in the isolate. What it came to is kept, by the
// source and the variables that it could see.
func (f *Runner) evaluate(text, file string) (string, error) {
	env := f.visible()
	seen, _ := json.Marshal(env)
	sum := sha256.Sum256(append(append([]byte(text), 0), seen...))
	kept := ""
	if c := f.Cache(); c != "" {
		kept = filepath.Join(c, "config", hex.EncodeToString(sum[:16]))
		if data, err := os.ReadFile(kept); err == nil {
			return string(data), nil
		}
	}
	if f.Workshop == nil {
		return "", ErrWorkshop
	}
	code, err := f.Workshop.ConfigModule(text, file)
	if err != nil {
		return "", err
	}
	w, err := isolate.Start(f.Ctx(), isolate.Options{Cache: f.Cache(), Memory: 64 << 20})
	if err != nil {
		return "", Fail(Internal, "%s", err)
	}
	defer w.Close()
	out := w.Run(f.Ctx(), &worker.Job{Code: code, Name: filepath.Base(file), Env: env, WallMS: 1000, Memory: 64 << 20, Output: 1 << 20}, nil, Nothing{}, func(bool, []byte) {})
	if out.Kind != worker.Returned || out.Result == "" {
		why := out.Message
		if why == "" {
			why = "it has no default export, or did not end within a second"
		}
		return "", Fail(ConfigInvalid, "%s: %s", file, why)
	}
	if kept != "" && os.MkdirAll(filepath.Dir(kept), 0o700) == nil {
		_ = WriteFile(kept, []byte(out.Result), 0o600) // holds what the configuration holds
	}
	return out.Result, nil
}

// Nothing answers nothing: a configuration has no bridge.
type Nothing struct{}

func (Nothing) Call(_ context.Context, op string, _ []byte) ([]byte, error) {
	return []byte(`{"error":{"code":"EPERM","message":"a configuration cannot do that"}}`), nil
}

// mode is the stricter one of TGP_MODE and the configuration.
func (f *Runner) mode() error {
	f.Mode = f.Config.Mode
	switch m := f.Getenv("TGP_MODE"); m {
	case "", "god":
	case "gatekeeper":
		f.Mode = m
	default:
		return Fail(ConfigInvalid, "TGP_MODE is %q; it is god or gatekeeper", m)
	}
	return nil
}

// Strict reports whether tools need an approval.
func (f *Runner) Strict() bool { return f.Mode != "god" }

// secret are variables that also need a signed @env.
var secretWords = []string{"TOKEN", "SECRET", "KEY", "PASSWORD", "PASSWD", "CREDENTIAL"}

// sensitive reports whether a variable needs a signature.
func sensitive(name string) bool {
	up := strings.ToUpper(name)
	return strings.HasPrefix(up, "AWS_") || strings.HasPrefix(up, "SSH_") ||
		slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(up, w) })
}

func DigestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
