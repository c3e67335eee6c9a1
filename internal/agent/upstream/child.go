package upstream

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/agent/conf"
	"github.com/tool-mapping-protocol/tmp/internal/agent/keeper"
)

// secret is a value that must not be seen, and the name that stands for it.
type secret struct{ name, value string }

// read finds the value of a secret in the environment or a file.
func (w *World) read(s conf.Secret) (string, error) {
	if s.Env != "" {
		v := w.Getenv(s.Env)
		if v == "" {
			return "", &Error{Down, "the variable " + s.Env + " is not set"}
		}
		return v, nil
	}
	f, err := os.Open(s.File)
	if err != nil {
		return "", &Error{Down, "the file of a secret cannot be read: " + s.File}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return "", &Error{Down, "the file of a secret cannot be read: " + s.File}
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}

// values reads the secrets of a table, longest value first, so that one that
// holds another is masked whole.
func (w *World) values(table map[string]conf.Secret) ([]secret, error) {
	var out []secret
	for name, s := range table {
		v, err := w.read(s)
		if err != nil {
			return nil, err
		}
		out = append(out, secret{name, v})
	}
	slices.SortFunc(out, func(a, b secret) int { return len(b.value) - len(a.value) })
	return out, nil
}

// mask puts $NAME in the place of secrets. Very short values are words too.
func mask(text string, secrets []secret) string {
	for _, s := range secrets {
		if len(s.value) >= 4 {
			text = strings.ReplaceAll(text, s.value, "$"+s.name)
		}
		if word, ok := strings.CutPrefix(s.value, "Bearer "); ok && len(word) >= 4 {
			text = strings.ReplaceAll(text, word, "$"+s.name)
		}
	}
	return text
}

// inherited are the variables that a server gets beside its own.
var inherited = []string{"PATH", "HOME", "LANG", "TMPDIR"}

// spawn starts the program of a server under a keeper.
func (s *Server) spawn(secrets []secret) (*stdio, error) {
	cmd, alive, err := keeper.Command(s.world.Self, s.world.Keeper, s.conf.Command)
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*stdio, error) {
		_ = alive.Close()
		_ = cmd.ExtraFiles[0].Close()
		return nil, &Error{Crashed, "it cannot be started: " + mask(err.Error(), secrets)}
	}
	for _, name := range inherited {
		if v := s.world.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	for _, v := range secrets {
		cmd.Env = append(cmd.Env, v.name+"="+v.value)
	}
	if cmd.Dir = s.conf.Dir; cmd.Dir == "" {
		cmd.Dir = s.world.Dir
	}
	childIn, in, err := os.Pipe()
	if err != nil {
		return fail(err)
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return fail(err)
	}
	errs, childErr, err := os.Pipe()
	if err != nil {
		return fail(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = childIn, childOut, childErr
	if err := cmd.Start(); err != nil {
		for _, f := range []*os.File{childIn, childOut, childErr, in, out, errs} {
			_ = f.Close()
		}
		return fail(err)
	}
	for _, f := range []*os.File{childIn, childOut, childErr, cmd.ExtraFiles[0]} {
		_ = f.Close()
	}
	var once sync.Once
	c := &stdio{in: in, out: out, limit: s.conf.MaxResult, patience: s.conf.CallTimeout, stop: func() {
		once.Do(func() {
			go func() {
				// It has been told by the end of its input; then its keeper is.
				done := make(chan struct{})
				go func() { _ = cmd.Wait(); close(done) }()
				_ = in.Close()
				select {
				case <-done:
				case <-time.After(500 * time.Millisecond):
				}
				_ = alive.Close()
				<-done
				_ = out.Close()
			}()
		})
	}}
	go s.log(errs, secrets)
	return c, nil
}

// maxLog bounds the log of a server, in bytes; then it is put aside once.
const maxLog = 1 << 20

// log keeps what a server writes to standard error, with its secrets masked.
func (s *Server) log(r *os.File, secrets []secret) {
	defer r.Close()
	path := s.world.LogFile(s.conf.Name)
	var f *os.File
	var size int64
	defer func() {
		if f != nil {
			_ = f.Close()
		}
	}()
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := in.ReadSlice('\n')
		if len(line) > 0 {
			if f == nil || size > maxLog {
				if f != nil {
					_ = f.Close()
					_ = os.Rename(path, path+".1")
				}
				f, size = openLog(path)
			}
			if f != nil {
				n, _ := f.WriteString(mask(string(line), secrets))
				size += int64(n)
			}
		}
		if err != nil && err != bufio.ErrBufferFull {
			return
		}
	}
}

func openLog(path string) (*os.File, int64) {
	if path == "" || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return nil, 0
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, 0
	}
	info, err := f.Stat()
	if err != nil {
		return f, 0
	}
	return f, info.Size()
}
