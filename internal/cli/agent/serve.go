package agent

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tool-mapping-protocol/tmp/internal/account"
	"github.com/tool-mapping-protocol/tmp/internal/agent/conf"
	"github.com/tool-mapping-protocol/tmp/internal/agent/door"
	"github.com/tool-mapping-protocol/tmp/internal/agent/keeper"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

const serveHelp = `usage: tmp-agent [serve] [--agent KEY] [--project DIR] [--http 127.0.0.1:PORT]

Serves agents over MCP: on standard input and output, or with --http over
streamable HTTP on this machine, whose address and file with the token it prints
as one line of JSON. A client starts it; tmp-agent install writes the entry.

  --agent KEY      an agent of agent.toml (TMP_AGENT_ID, else default)
  --project DIR    the project (the working directory)
  --http ADDRESS   such as 127.0.0.1:0

  tmp-agent serve --agent claude
  tmp-agent serve --http 127.0.0.1:0
`

const refreshHelp = `usage: tmp-agent refresh [SERVER…] [--json]

Starts the MCP servers of agent.toml, lists their tools, records them, stops
them. Then tmp tools list shows them, and tmp tools trust lets agents have them.

  tmp-agent refresh            all of them
  tmp-agent refresh github     this one
  tmp-agent refresh --json     {"v":1,"servers":[{"server":…,"tools":…}]}
`

// keeperWord is the command by which this program keeps a server it started.
const keeperWord = "keep"

// keep runs a server's program until the door is gone.
func (env *Env) keep(args []string) int {
	if len(args) == 0 || args[0] != "--" {
		return env.report(usagef("keep is started by tmp-agent itself"))
	}
	return keeper.Main(args[1:])
}

type serving struct {
	agent, project, http string
	servers              []string
	json                 bool
}

// parseServing reads the arguments of serve, or with names those of refresh, which
// asks servers and nobody's agent.
func parseServing(args []string, names bool) (s serving, err error) {
	type flag struct {
		name string
		p    *string
	}
	flags := []flag{{"--agent", &s.agent}, {"--project", &s.project}, {"--http", &s.http}}
	command := "serve"
	if names {
		flags, command = nil, "refresh"
	}
	for i := 0; i < len(args); i++ {
		known := false
		for _, o := range flags {
			v, is, err := option(args, &i, o.name)
			if err != nil {
				return s, err
			}
			if is {
				*o.p, known = v, true
				break
			}
		}
		switch {
		case known:
		case args[i] == "--json" && names:
			s.json = true
		case strings.HasPrefix(args[i], "-") || !names:
			return s, usagef("%s is unknown; see tmp-agent %s --help", args[i], command)
		default:
			s.servers = append(s.servers, args[i])
		}
	}
	return s, nil
}

// config reads the user's agent.toml.
func (env *Env) config() (conf.Config, error) {
	dir := env.paths().Config
	if dir == "" {
		return conf.Default(), nil
	}
	file := filepath.Join(dir, "agent.toml")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return conf.Default(), nil
	}
	if err != nil {
		return conf.Config{}, usagef("%v", err)
	}
	c, warnings, problems := conf.Read(file, string(data))
	for _, p := range warnings {
		fmt.Fprintf(env.Stderr, "tmp-agent: %v\n", p)
	}
	if len(problems) > 0 {
		for _, p := range problems[:len(problems)-1] {
			fmt.Fprintf(env.Stderr, "tmp-agent: %v\n", p)
		}
		return c, usagef("%v", problems[len(problems)-1])
	}
	return c, nil
}

// open makes the door of an agent in a project.
func (env *Env) open(s *serving, quiet bool) (*door.Door, error) {
	c, err := env.config()
	if err != nil {
		return nil, err
	}
	key := s.agent
	if key == "" {
		if key = env.Getenv("TMP_AGENT_ID"); key == "" {
			key = "default"
		}
	}
	agent, ok := c.Agent(key)
	if !ok {
		return nil, usagef("no agent %q is declared in agent.toml: declare it as [agent.%s]", key, key)
	}
	dir := env.Dir
	if s.project != "" {
		if dir = s.project; !filepath.IsAbs(dir) {
			dir = filepath.Join(env.Dir, dir)
		}
	}
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return nil, usagef("--project %s: no such directory", dir)
	}
	environ := slices.DeleteFunc(slices.Clone(env.Environ), func(v string) bool { return strings.HasPrefix(v, "TMP_AGENT_ID=") })
	environ = append(environ, "TMP_AGENT_ID="+key)
	return door.New(door.Options{
		Config: c, Agent: agent, Version: env.Version, Te: env.beside("te"), Self: env.Self, Keeper: []string{keeperWord},
		Caller: session.Caller{
			Dir: dir, Account: env.accountState(), Environ: environ, Now: time.Now, Who: gate.Agent, Agent: key,
			Getenv: func(name string) string {
				if name == "TMP_AGENT_ID" {
					return key
				}
				return env.Getenv(name)
			},
			Notice: func(text string) {
				if !quiet {
					fmt.Fprintf(env.Stderr, "tmp-agent: %s\n", text)
				}
			},
		},
	}), nil
}

// accountState is the state directory of the account, whatever the environment says.
func (env *Env) accountState() string {
	if env.Account == nil {
		return ""
	}
	return account.State(env.Account())
}

// beside is a program in the directory of this one, else on PATH; "" if there is none.
func (env *Env) beside(name string) string {
	dirs := append([]string{filepath.Dir(env.Self)}, filepath.SplitList(env.Getenv("PATH"))...)
	for _, dir := range dirs {
		file := filepath.Join(dir, name)
		if st, err := os.Stat(file); filepath.IsAbs(file) && err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}

// serve is the server; it ends with its input, or by a signal.
func (env *Env) serve(args []string) error {
	if isHelp(args) {
		fmt.Fprint(env.Stdout, serveHelp)
		return nil
	}
	s, err := parseServing(args, false)
	if err != nil {
		return err
	}
	d, err := env.open(&s, false)
	if err != nil {
		return err
	}
	defer d.Close()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if s.http != "" {
		return env.listen(ctx, d, s.http)
	}
	err = d.Server().Run(ctx, &mcp.StdioTransport{})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// listen serves HTTP on the loopback until the context ends.
func (env *Env) listen(ctx context.Context, d *door.Door, address string) error {
	host, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil || host != "127.0.0.1" && host != "localhost" && host != "::1" {
		return usagef("--http %s: want an address of this machine, such as 127.0.0.1:0", address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	defer l.Close()
	token := rand.Text()
	file, err := env.writeToken(token)
	if err != nil {
		return err
	}
	defer os.Remove(file)
	line, err := json.Marshal(struct {
		V     int    `json:"v"`
		URL   string `json:"url"`
		Token string `json:"token_file"`
	}{1, "http://" + l.Addr().String() + "/mcp", file})
	if err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "%s\n", line)
	server := &http.Server{Handler: d.Handler(l.Addr().String(), token), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// writeToken writes the token where the user alone reads it.
func (env *Env) writeToken(token string) (string, error) {
	state := env.accountState()
	if state == "" {
		return "", fmt.Errorf("there is no place for the token: the account has no entry in the passwd database")
	}
	dir := filepath.Join(state, "agent")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "token-*") // made 0600
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(token + "\n")
	if closed := f.Close(); err == nil {
		err = closed
	}
	return f.Name(), err
}

// refreshed is a server in the answer of refresh.
type refreshed struct {
	Server string `json:"server"`
	Tools  int    `json:"tools"`
	Error  string `json:"error,omitempty"`
}

// refresh records what servers list; it fails if one could not be asked.
func (env *Env) refresh(args []string) error {
	if isHelp(args) {
		fmt.Fprint(env.Stdout, refreshHelp)
		return nil
	}
	s, err := parseServing(args, true)
	if err != nil {
		return err
	}
	s.agent = "default"
	d, err := env.open(&s, false)
	if err != nil {
		return err
	}
	defer d.Close()
	c, _ := env.config()
	names := s.servers
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(c.Servers))
	}
	answers := []refreshed{}
	bad := 0
	for _, name := range names {
		if _, ok := c.Servers[name]; !ok {
			return usagef("no server %q is declared in agent.toml", name)
		}
	}
	for _, name := range names {
		n, err := d.Refresh(context.Background(), name)
		r := refreshed{Server: name, Tools: n}
		if err != nil {
			r.Error = err.Error()
			bad++
		}
		answers = append(answers, r)
		if !s.json {
			env.printRefreshed(&r)
		}
	}
	if s.json {
		if err := env.printJSON(struct {
			V       int         `json:"v"`
			Servers []refreshed `json:"servers"`
		}{1, answers}); err != nil {
			return err
		}
	}
	if bad > 0 {
		return errQuiet
	}
	return nil
}

func (env *Env) printRefreshed(r *refreshed) {
	if r.Error != "" {
		fmt.Fprintf(env.Stderr, "tmp-agent: %s: %s\n", r.Server, term.OneLine(r.Error))
		return
	}
	fmt.Fprintf(env.Stdout, "%s: %d tools; a person lets agents have them: tmp tools trust 'mcp.%s.*'\n", r.Server, r.Tools, r.Server)
}

// printJSON prints what may hold texts of strangers as a terminal can show it.
func (env *Env) printJSON(v any) error {
	own := term.Env{Stdout: env.Stdout}
	return own.PrintJSON(v)
}
