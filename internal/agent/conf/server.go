package conf

import (
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
)

func (r *reader) server(name string, table map[string]any) Server {
	s := Server{
		Name: name, StartTimeout: 10 * time.Second, CallTimeout: 60 * time.Second, MaxResult: 8 << 20, Concurrency: 8,
		Env: map[string]Secret{}, Headers: map[string]Secret{}, Level: map[string]string{},
	}
	if !toolid.ServerName(name) {
		r.fault([]string{"server", name}, "want a name of a-z, 0-9 and -, at most 32, beginning with a letter, and not memory")
	}
	for key, value := range table {
		r.serverKey(&s, []string{"server", name, key}, value)
	}
	_, command := table["command"]
	_, address := table["url"]
	switch {
	case !command && !address:
		r.fault([]string{"server", name}, "want command or url")
	case command && address:
		r.fault([]string{"server", name, "url"}, "there is a command too: want one of them")
	case !address && len(s.Headers) > 0:
		r.fault([]string{"server", name, "headers"}, "are for a url")
	}
	return s
}

func (r *reader) serverKey(s *Server, path []string, value any) {
	switch path[2] {
	case "command":
		s.Command = r.command(path, value)
	case "url":
		s.URL = r.url(path, value)
	case "env":
		s.Env = r.secrets(path, value)
	case "headers":
		s.Headers = r.secrets(path, value)
	case "cwd":
		if s.Dir = r.text1(path, value); s.Dir != "" && !filepath.IsAbs(s.Dir) {
			r.fault(path, "want an absolute path")
		}
	case "start_timeout":
		s.StartTimeout = r.duration(path, value)
	case "call_timeout":
		s.CallTimeout = r.duration(path, value)
	case "max_result":
		s.MaxResult = r.size(path, value)
	case "concurrency":
		s.Concurrency = int(r.number(path, value, 1, 256))
	case "read_only":
		s.ReadOnly = r.strings(path, value)
	case "level":
		table, ok := value.(map[string]any)
		if !ok {
			r.fault(path, `want {TOOL = "high"}`)
			return
		}
		for tool, level := range table {
			s.Level[tool] = r.word(append(path[:3:3], tool), level, "medium", "high", "critical")
		}
	default:
		r.fault(path, "unknown: known are command, url, env, headers, cwd, start_timeout, call_timeout, max_result, concurrency, read_only and level")
	}
}

// command reads the words of a program. One that holds a secret is refused,
// unprinted: the words stand in every list of processes.
func (r *reader) command(path []string, value any) []string {
	words := r.strings(path, value)
	if len(words) == 0 || words[0] == "" {
		r.fault(path, `want ["PROGRAM", "ARGUMENT", …]`)
		return nil
	}
	if line := strings.Join(words, " "); audit.Mask(line, nil) != line {
		r.fault(path, "holds a secret: hand it on by env = {NAME = \"env:NAME\"} or \"file:PATH\"")
		return nil
	}
	return words
}

func (r *reader) url(path []string, value any) string {
	text := r.text1(path, value)
	u, err := url.Parse(text)
	switch {
	case text == "":
		return ""
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		r.fault(path, "want an address such as https://host/mcp")
		return ""
	case u.User != nil || audit.Mask(text, nil) != text:
		r.fault(path, "holds a secret: hand it on by headers = {Authorization = \"env:NAME\"} or \"file:PATH\"")
		return ""
	case u.Scheme == "http" && !loopback(u.Hostname()):
		r.fault(path, "http is for this machine alone: want https")
		return ""
	}
	return text
}

func loopback(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// secrets reads {NAME = "env:NAME"} or "file:PATH". What is written out is
// refused and not printed: it may be the secret itself.
func (r *reader) secrets(path []string, value any) map[string]Secret {
	out := map[string]Secret{}
	table, ok := value.(map[string]any)
	if !ok {
		r.fault(path, `want {NAME = "env:VARIABLE"} or "file:PATH"`)
		return out
	}
	for name, v := range table {
		text, _ := v.(string)
		variable, isEnv := strings.CutPrefix(text, "env:")
		file, isFile := strings.CutPrefix(text, "file:")
		switch {
		case isEnv && variable != "":
			out[name] = Secret{Env: variable}
		case isFile && filepath.IsAbs(file):
			out[name] = Secret{File: file}
		default:
			r.fault(append(path[:len(path):len(path)], name), `the value stands here itself: write "env:VARIABLE" or "file:/PATH"`)
		}
	}
	return out
}
