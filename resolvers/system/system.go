// Package system has the values of the machine: programs, users, processes,
// signals, hosts, mounts, services, disks.
package system

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/files"
)

// Executables answers executables: the programs in PATH, each with its
// directory; the first of a name counts. A text with "/" is a path: then it is
// the executable files and the directories there.
func Executables(ctx context.Context, r resolvers.Request) resolvers.Answer {
	if strings.Contains(r.Filter.Text, "/") {
		return executablePaths(ctx, r)
	}
	c := resolvers.NewCollector(ctx, r)
	if c.Limit > 0 {
		c.Limit += 64 // some of the names will not be executable
	}
	dirs := searchPath(r)
	for _, dir := range dirs {
		_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
			text := disk.View(name)
			if typ == disk.Directory || typ == disk.Other || text[0] == '.' && !strings.HasPrefix(r.Filter.Text, ".") || !c.Filter.Keep(text) {
				return !c.Late()
			}
			if c.Room(resolvers.Value{Value: text}) {
				c.Keep(resolvers.Value{Value: string(name), Kind: "program", Description: dir})
			}
			return !c.Late()
		})
	}
	return onlyExecutable(c.Answer(), dirs, r.Limit)
}

// searchPath lists the directories of PATH, each once by whatever name (/bin is
// often /usr/bin); an empty entry is the working directory.
func searchPath(r resolvers.Request) []string {
	type id struct{ dev, ino uint64 }
	var dirs []string
	var seen []id
	for dir := range strings.SplitSeq(r.Env("PATH"), ":") {
		dir = disk.Within(r.Dir, dir)
		st, ok := disk.Stat(dir)
		at := id{uint64(st.Dev), uint64(st.Ino)}
		if ok && filepath.IsAbs(dir) && !slices.Contains(seen, at) {
			seen = append(seen, at)
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// onlyExecutable keeps the names that are executable in the directory where
// they were found first, or in a later one. To ask only for those that are
// shown saves most of the time.
func onlyExecutable(a resolvers.Answer, dirs []string, limit int) resolvers.Answer {
	kept := a.Values[:0]
	for i, v := range a.Values {
		if limit > 0 && len(kept) == limit {
			a.Omitted += len(a.Values) - i
			break
		}
		for _, dir := range dirs[slices.Index(dirs, v.Description):] {
			if disk.IsExecutable(dir + "/" + v.Value) {
				v.Description = dir
				kept = append(kept, v)
				break
			}
		}
	}
	a.Values = kept
	return a
}

func executablePaths(ctx context.Context, r resolvers.Request) resolvers.Answer {
	limit := r.Limit
	r.Limit = 0
	a := files.ListDir(ctx, r, "", false)
	kept := a.Values[:0]
	for _, v := range a.Values {
		path := v.Value
		if !filepath.IsAbs(path) {
			path = r.Dir + "/" + path
		}
		if v.Partial || disk.IsExecutable(path) {
			kept = append(kept, v)
		}
	}
	if limit > 0 && len(kept) > limit {
		a.Omitted, kept = len(kept)-limit, kept[:limit]
	}
	a.Values = kept
	return a
}

// EnvNames answers env: the names of the environment's variables, each with the
// beginning of its value, which is not shown where it may be a secret.
func EnvNames(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	for _, pair := range os.Environ() {
		name, value, ok := strings.Cut(pair, "=")
		// GOMAXPROCS=1 is what the hooks give this very program.
		if !ok || name == "" || pair == "GOMAXPROCS=1" {
			continue
		}
		v := resolvers.Value{Value: name, Kind: "variable", Description: "not shown"}
		if !isSecret(name, value) {
			v.Description = resolvers.OneLine(value, 60)
		}
		c.Add(v)
	}
	return c.Answer()
}

// isSecret reports whether a variable's name, or a URL with a password in its
// value, asks for silence.
func isSecret(name, value string) bool {
	upper := strings.ToUpper(name)
	for _, word := range [...]string{"TOKEN", "SECRET", "PASSW", "PASSPHRASE", "KEY", "CREDENTIAL", "AUTH", "COOKIE", "PRIVATE", "_PAT", "_PASS", "_PWD", "DSN"} {
		if strings.Contains(upper, word) && (word != "_PAT" || strings.HasSuffix(upper, word)) {
			return true
		}
	}
	_, rest, ok := strings.Cut(value, "://")
	return ok && strings.Contains(rest, "@")
}

// Users answers users: the names in /etc/passwd, people first, each with the full name.
func Users(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	err := disk.EachLine("/etc/passwd", func(line string) {
		f := strings.Split(line, ":")
		if len(f) < 7 || f[0] == "" || f[0][0] == '#' {
			return
		}
		full, _, _ := strings.Cut(f[4], ",")
		v := resolvers.Value{Value: f[0], Kind: "user", Description: resolvers.OneLine(full, 60)}
		if uid, err := strconv.Atoi(f[2]); err == nil && (uid == 0 || uid >= firstUser && uid < 65534) {
			v.Weight = 1
		}
		c.Add(v)
	})
	if err != nil {
		return resolvers.Failure(err)
	}
	moreUsers(c)
	return c.Answer()
}

// Groups answers groups: the names in /etc/group, each with its number and members.
func Groups(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	err := disk.EachLine("/etc/group", func(line string) {
		f := strings.Split(line, ":")
		if len(f) < 4 || f[0] == "" || f[0][0] == '#' {
			return
		}
		v := resolvers.Value{Value: f[0], Kind: "group", Description: resolvers.OneLine(f[2]+" "+strings.ReplaceAll(f[3], ",", ", "), 60)}
		c.Add(v)
	})
	if err != nil {
		return resolvers.Failure(err)
	}
	return c.Answer()
}

// Shells answers shells: the login shells of /etc/shells that are there.
func Shells(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	err := disk.EachLine("/etc/shells", func(line string) {
		line = strings.TrimSpace(line)
		if filepath.IsAbs(line) && disk.IsExecutable(line) {
			c.Add(resolvers.Value{Value: line, Kind: "shell"})
		}
	})
	if err != nil {
		return resolvers.Failure(err)
	}
	return c.Answer()
}

type namedSignal struct {
	name   string
	number syscall.Signal
	text   string
}

// signalTable holds the signals that both systems have, in the order of their
// use in kill; moreSignals those that this system alone has.
var signalTable = [...]namedSignal{
	{"TERM", syscall.SIGTERM, "end, the default of kill"},
	{"KILL", syscall.SIGKILL, "end at once, cannot be caught"},
	{"INT", syscall.SIGINT, "interrupt, as Ctrl-C"},
	{"HUP", syscall.SIGHUP, "hang-up; many daemons read their settings again"},
	{"STOP", syscall.SIGSTOP, "stop, cannot be caught"},
	{"CONT", syscall.SIGCONT, "go on after a stop"},
	{"QUIT", syscall.SIGQUIT, "quit with a core dump"},
	{"USR1", syscall.SIGUSR1, "for the program's own use"},
	{"USR2", syscall.SIGUSR2, "for the program's own use"},
	{"TSTP", syscall.SIGTSTP, "stop, as Ctrl-Z"},
	{"ABRT", syscall.SIGABRT, "abort"},
	{"ALRM", syscall.SIGALRM, "alarm clock"},
	{"BUS", syscall.SIGBUS, "bus error"},
	{"CHLD", syscall.SIGCHLD, "a child stopped or ended"},
	{"FPE", syscall.SIGFPE, "arithmetic error"},
	{"ILL", syscall.SIGILL, "illegal instruction"},
	{"IO", syscall.SIGIO, "input or output is possible"},
	{"PIPE", syscall.SIGPIPE, "nobody reads the pipe"},
	{"PROF", syscall.SIGPROF, "profiling timer"},
	{"SEGV", syscall.SIGSEGV, "invalid memory reference"},
	{"SYS", syscall.SIGSYS, "bad system call"},
	{"TRAP", syscall.SIGTRAP, "breakpoint"},
	{"TTIN", syscall.SIGTTIN, "a background job reads the terminal"},
	{"TTOU", syscall.SIGTTOU, "a background job writes to the terminal"},
	{"URG", syscall.SIGURG, "urgent data on a socket"},
	{"VTALRM", syscall.SIGVTALRM, "virtual timer"},
	{"WINCH", syscall.SIGWINCH, "the window changed its size"},
	{"XCPU", syscall.SIGXCPU, "too much processor time"},
	{"XFSZ", syscall.SIGXFSZ, "too large a file"},
}

// Signals answers signals: names without SIG (with it where the text has it),
// each with number and meaning; a text of digits selects numbers.
func Signals(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	text := strings.ToUpper(r.Filter.Text)
	add := func(s *namedSignal, weight int) {
		number := strconv.Itoa(int(s.number))
		v := resolvers.Value{Value: s.name, Kind: "signal", Description: number + ", " + s.text, Weight: weight}
		switch {
		case strings.HasPrefix(text, "SI"): // no name begins so
			v.Value = "SIG" + s.name
		case text != "" && text[0] >= '0' && text[0] <= '9':
			v.Value, v.Description = number, s.name+", "+s.text
		}
		c.Add(v)
	}
	for i := range signalTable {
		add(&signalTable[i], len(signalTable)-i)
	}
	for i := range moreSignals {
		add(&moreSignals[i], -i)
	}
	return c.Answer()
}

// Processes answers processes: process numbers, our own first, the newest of
// them first, each with the command.
func Processes(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	self := os.Getpid()
	err := eachProcess(c, func(p process) {
		if p.pid == self {
			return
		}
		v := resolvers.Value{Value: strconv.Itoa(p.pid), Kind: "process"}
		if p.uid == os.Getuid() {
			v.Weight = p.pid
		}
		if c.Filter.Keep(v.Value) && c.Room(v) {
			v.Description = resolvers.OneLine(p.command(), 80)
			c.Keep(v)
		}
	})
	if err != nil {
		return resolvers.Failure(err)
	}
	return c.Answer()
}

// ProcessNames answers process-names: the names of commands that run, for
// pkill, pgrep and killall, each with its process number.
func ProcessNames(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	self := os.Getpid()
	err := eachProcess(c, func(p process) {
		if name := p.command(); p.pid != self && name != "" {
			v := resolvers.Value{Value: name, Kind: "process", Description: strconv.Itoa(p.pid)}
			if p.uid == os.Getuid() {
				v.Weight = 1
			}
			c.Add(v)
		}
	})
	if err != nil {
		return resolvers.Failure(err)
	}
	return c.Answer()
}

// process is one process that runs.
type process struct {
	pid, uid int
	// command reads the name of the command.
	command func() string
}

// readProc reads a file of /proc, whose size is said to be 0.
func readProc(path string) (string, error) {
	fd, err := disk.Open(path)
	if err != nil {
		return "", err
	}
	defer disk.Close(fd)
	buf := make([]byte, 64<<10)
	for {
		n, err := disk.ReadAt(fd, buf, 0)
		if err != nil || n < len(buf) || len(buf) >= disk.MaxTable {
			return string(buf[:n]), err
		}
		buf = make([]byte, 4*len(buf))
	}
}
