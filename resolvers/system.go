package resolvers

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// maxTable bounds a system table that is read whole, in bytes.
const maxTable = 32 << 20

// executables answers executables: the programs in PATH, each with its
// directory; the first of a name counts. A text with "/" is a path: then it is
// the executable files and the directories there.
func executables(ctx context.Context, r Request) Answer {
	if strings.Contains(r.Filter.Text, "/") {
		return executablePaths(ctx, r)
	}
	c := newCollector(ctx, r)
	if c.limit > 0 {
		c.limit += 64 // some of the names will not be executable
	}
	dirs := searchPath(r)
	for _, dir := range dirs {
		_ = readDir(dir, func(name []byte, typ entryType) bool {
			text := view(name)
			if typ == entryDir || typ == entryOther || text[0] == '.' && !strings.HasPrefix(r.Filter.Text, ".") || !c.filter.Keep(text) {
				return !c.late()
			}
			if c.room(Value{Value: text}) {
				c.keep(Value{Value: string(name), Kind: "program", Description: dir})
			}
			return !c.late()
		})
	}
	return onlyExecutable(c.answer(), dirs, r.Limit)
}

// searchPath lists the directories of PATH, each once by whatever name (/bin is
// often /usr/bin); an empty entry is the working directory.
func searchPath(r Request) []string {
	type id struct{ dev, ino uint64 }
	var dirs []string
	var seen []id
	for dir := range strings.SplitSeq(r.getenv("PATH"), ":") {
		dir = within(r.Dir, dir)
		st, ok := statFile(dir)
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
func onlyExecutable(a Answer, dirs []string, limit int) Answer {
	kept := a.Values[:0]
	for i, v := range a.Values {
		if limit > 0 && len(kept) == limit {
			a.Omitted += len(a.Values) - i
			break
		}
		for _, dir := range dirs[slices.Index(dirs, v.Description):] {
			if isExecutable(dir + "/" + v.Value) {
				v.Description = dir
				kept = append(kept, v)
				break
			}
		}
	}
	a.Values = kept
	return a
}

func executablePaths(ctx context.Context, r Request) Answer {
	limit := r.Limit
	r.Limit = 0
	a := listDir(ctx, r, "", false)
	kept := a.Values[:0]
	for _, v := range a.Values {
		path := v.Value
		if !filepath.IsAbs(path) {
			path = r.Dir + "/" + path
		}
		if v.Partial || isExecutable(path) {
			kept = append(kept, v)
		}
	}
	if limit > 0 && len(kept) > limit {
		a.Omitted, kept = len(kept)-limit, kept[:limit]
	}
	a.Values = kept
	return a
}

// isExecutable reports whether path is a regular file with an execute bit.
func isExecutable(path string) bool {
	st, ok := statFile(path)
	return ok && st.Mode&syscall.S_IFMT == syscall.S_IFREG && st.Mode&0o111 != 0
}

// envNames answers env: the names of the environment's variables, each with the
// beginning of its value, which is not shown where it may be a secret.
func envNames(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	for _, pair := range os.Environ() {
		name, value, ok := strings.Cut(pair, "=")
		// GOMAXPROCS=1 is what the hooks give this very program.
		if !ok || name == "" || pair == "GOMAXPROCS=1" {
			continue
		}
		v := Value{Value: name, Kind: "variable", Description: "not shown"}
		if !isSecret(name, value) {
			v.Description = oneLine(value, 60)
		}
		c.add(v)
	}
	return c.answer()
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

// users answers users: the names in /etc/passwd, people first, each with the full name.
func users(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	err := eachLine("/etc/passwd", func(line string) {
		f := strings.Split(line, ":")
		if len(f) < 7 || f[0] == "" || f[0][0] == '#' {
			return
		}
		full, _, _ := strings.Cut(f[4], ",")
		v := Value{Value: f[0], Kind: "user", Description: oneLine(full, 60)}
		if uid, err := strconv.Atoi(f[2]); err == nil && (uid == 0 || uid >= firstUser && uid < 65534) {
			v.Weight = 1
		}
		c.add(v)
	})
	if err != nil {
		return failed(err)
	}
	moreUsers(c)
	return c.answer()
}

// Home returns the home directory of a user in /etc/passwd, or "".
func Home(user string) (dir string) {
	_ = eachLine("/etc/passwd", func(line string) {
		if f := strings.Split(line, ":"); len(f) >= 7 && f[0] == user && dir == "" && filepath.IsAbs(f[5]) {
			dir = f[5]
		}
	})
	return dir
}

// groups answers groups: the names in /etc/group, each with its number and members.
func groups(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	err := eachLine("/etc/group", func(line string) {
		f := strings.Split(line, ":")
		if len(f) < 4 || f[0] == "" || f[0][0] == '#' {
			return
		}
		v := Value{Value: f[0], Kind: "group", Description: oneLine(f[2]+" "+strings.ReplaceAll(f[3], ",", ", "), 60)}
		c.add(v)
	})
	if err != nil {
		return failed(err)
	}
	return c.answer()
}

// eachLine calls f for each line of a file, without its end.
func eachLine(path string, f func(line string)) error {
	data, err := readRegular(path, maxTable)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		f(strings.TrimRight(line, "\r\n"))
	}
	return nil
}

// shells answers shells: the login shells of /etc/shells that are there.
func shells(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	err := eachLine("/etc/shells", func(line string) {
		line = strings.TrimSpace(line)
		if filepath.IsAbs(line) && isExecutable(line) {
			c.add(Value{Value: line, Kind: "shell"})
		}
	})
	if err != nil {
		return failed(err)
	}
	return c.answer()
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

// signals answers signals: names without SIG (with it where the text has it),
// each with number and meaning; a text of digits selects numbers.
func signals(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	text := strings.ToUpper(r.Filter.Text)
	add := func(s *namedSignal, weight int) {
		number := strconv.Itoa(int(s.number))
		v := Value{Value: s.name, Kind: "signal", Description: number + ", " + s.text, Weight: weight}
		switch {
		case strings.HasPrefix(text, "SI"): // no name begins so
			v.Value = "SIG" + s.name
		case text != "" && text[0] >= '0' && text[0] <= '9':
			v.Value, v.Description = number, s.name+", "+s.text
		}
		c.add(v)
	}
	for i := range signalTable {
		add(&signalTable[i], len(signalTable)-i)
	}
	for i := range moreSignals {
		add(&moreSignals[i], -i)
	}
	return c.answer()
}

// processes answers processes: process numbers, our own first, the newest of
// them first, each with the command.
func processes(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	self := os.Getpid()
	err := eachProcess(c, func(p process) {
		if p.pid == self {
			return
		}
		v := Value{Value: strconv.Itoa(p.pid), Kind: "process"}
		if p.uid == os.Getuid() {
			v.Weight = p.pid
		}
		if c.filter.Keep(v.Value) && c.room(v) {
			v.Description = oneLine(p.command(), 80)
			c.keep(v)
		}
	})
	if err != nil {
		return failed(err)
	}
	return c.answer()
}

// processNames answers process-names: the names of commands that run, for
// pkill, pgrep and killall, each with its process number.
func processNames(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	self := os.Getpid()
	err := eachProcess(c, func(p process) {
		if name := p.command(); p.pid != self && name != "" {
			v := Value{Value: name, Kind: "process", Description: strconv.Itoa(p.pid)}
			if p.uid == os.Getuid() {
				v.Weight = 1
			}
			c.add(v)
		}
	})
	if err != nil {
		return failed(err)
	}
	return c.answer()
}

// process is one process that runs.
type process struct {
	pid, uid int
	// command reads the name of the command.
	command func() string
}

// readProc reads a file of /proc, whose size is said to be 0.
func readProc(path string) (string, error) {
	fd, err := openRead(path)
	if err != nil {
		return "", err
	}
	defer closeFile(fd)
	buf := make([]byte, 64<<10)
	for {
		n, err := readAt(fd, buf, 0)
		if err != nil || n < len(buf) || len(buf) >= maxTable {
			return string(buf[:n]), err
		}
		buf = make([]byte, 4*len(buf))
	}
}
