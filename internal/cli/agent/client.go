package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/agent/conf"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/splice"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
)

const clientHelp = `usage: tmp-agent install CLIENT [--scope user|project] [--agent KEY] [--dry-run] [--replace] [--remove] [--json]

Writes one entry, tmp, into the configuration of an MCP client, and leaves every
other byte as it is. The file before is kept as FILE.bak. A second time changes
nothing. CLIENT: %s

  tmp-agent install claude
  tmp-agent install cursor --scope project
  tmp-agent install codex --agent ci --dry-run
  tmp-agent install claude --remove

  --scope user|project   whose file (user)
  --agent KEY            the agent of agent.toml (the client's name); it is declared
                         there if it is not
  --replace              take the place of another entry that is called tmp
  --dry-run              print what the file would be
  --json                 {"v":1,"path":…,"changed":…}

For the hook of a harness see tmp-agent install --hook --help.
`

// client is an MCP client: where its configuration is, and where in it the
// servers are.
type client struct {
	key           string
	user, project string   // from the home directory, from the project's top; "" if it has none
	path          []string // of the object of servers; in TOML the prefix of the table's name
	typed         bool     // an entry says that it is stdio
}

// clients are those that are known, as their manuals say in late 2026.
func clients() []client {
	desktop := ".config/Claude/claude_desktop_config.json"
	code := ".config/Code/User/mcp.json"
	if runtime.GOOS == "darwin" {
		desktop = "Library/Application Support/Claude/claude_desktop_config.json"
		code = "Library/Application Support/Code/User/mcp.json"
	}
	servers := []string{"mcpServers"}
	return []client{
		{"claude", ".claude.json", ".mcp.json", servers, false},
		{"claude-desktop", desktop, "", servers, false},
		{"codex", ".codex/config.toml", ".codex/config.toml", []string{"mcp_servers"}, false},
		{"cursor", ".cursor/mcp.json", ".cursor/mcp.json", servers, false},
		{"vscode", code, ".vscode/mcp.json", []string{"servers"}, true},
		{"gemini", ".gemini/settings.json", ".gemini/settings.json", servers, false},
	}
}

func clientKeys() string {
	var keys []string
	for _, c := range clients() {
		keys = append(keys, c.key)
	}
	return strings.Join(keys, " ")
}

// entering is a call of install for a client.
type entering struct {
	common
	client *client
	reword bool
}

func parseEntering(args []string) (in entering, err error) {
	in.validKey, in.keyWants = conf.ValidKey, "want letters, digits, - and _, at most 64"
	for i := 0; i < len(args); i++ {
		if known, err := in.read(args, &i); err != nil {
			return in, err
		} else if known {
			continue
		}
		if args[i] == "--replace" {
			in.reword = true
			continue
		}
		if strings.HasPrefix(args[i], "-") {
			return in, usagef("%s is unknown; see tmp-agent install --help", args[i])
		}
		list := clients()
		n := slices.IndexFunc(list, func(c client) bool { return c.key == args[i] })
		switch {
		case n < 0:
			return in, usagef("%q is no client: known are %s (with --hook there are more)", args[i], clientKeys())
		case in.client != nil:
			return in, usagef("name one client, not %s and %s", in.client.key, args[i])
		}
		in.client = &list[n]
	}
	if in.client == nil {
		return in, usagef("name the client: %s", clientKeys())
	}
	if in.agent == "" {
		in.agent = in.client.key
	}
	return in, nil
}

// isTOML reports whether the client's file is TOML.
func (c *client) isTOML() bool { return strings.HasSuffix(c.user, ".toml") }

// enter writes the entry of a client, or takes it out.
func (env *Env) enter(args []string) error {
	if isHelp(args) {
		fmt.Fprintf(env.Stdout, clientHelp, clientKeys())
		return nil
	}
	in, err := parseEntering(args)
	if err != nil {
		return err
	}
	name, err := env.clientFile(&in)
	if err != nil {
		return err
	}
	f, err := open(name)
	if err != nil {
		return err
	}
	res := result{V: 1, Path: name, DryRun: in.dry}
	text, err := env.entered(&in, f)
	if err != nil {
		return fmt.Errorf("%s is left as it is: %w", name, err)
	}
	res.Changed = !bytes.Equal(text, f.data) || (text == nil) != (f.data == nil)
	if !in.dry && !in.remove {
		// Before the entry: an entry whose agent nobody declared does not start.
		note, err := env.declare(in.agent)
		if err != nil {
			return err
		}
		if note != "" {
			res.Notes = append(res.Notes, note)
		}
	}
	if res.Changed && !in.dry {
		if res.Backup, err = f.write(text, in.remove, 0o600); err != nil {
			return err
		}
	}
	return env.tellClient(&in, &res, text)
}

func (env *Env) clientFile(in *entering) (string, error) {
	base, place := env.paths().Home, in.client.user
	if in.project {
		if place = in.client.project; place == "" {
			return "", usagef("%s has no file of a project", in.client.key)
		}
		if base = mapset.WorkTree(env.paths(), env.Dir); base == "" {
			base = env.Dir
		}
	}
	if base == "" {
		return "", errors.New("HOME is not set: it is not known where the client keeps its file")
	}
	return filepath.Join(base, place), nil
}

// errOther says that the name is taken.
var errOther = errors.New("it has another server that is called tmp; --replace takes its place")

// entered is the file with the entry, or without it.
func (env *Env) entered(in *entering, f *file) ([]byte, error) {
	if in.client.isTOML() {
		return env.enteredTOML(in, f)
	}
	root, err := splice.Parse(f.data)
	if err != nil {
		return nil, err
	}
	var old *splice.Node
	if root != nil {
		if root.Kind != splice.Object {
			return nil, errors.New("it holds no object")
		}
		if holder := root.At(in.client.path...); holder != nil && holder.Kind == splice.Object {
			old = holder.Get("tmp")
		}
	}
	ours := old != nil && isOurs(textOf(old, "command"))
	if in.remove {
		if old == nil || !ours && !in.reword {
			return f.data, nil
		}
		if before := f.restored(func(data []byte) ([]byte, error) { return env.put(in, data) }); before != nil {
			return before, nil
		}
		text, err := splice.RemoveMember(f.data, in.client.path, "tmp", func(path []string) bool { return f.had(path) })
		if err == nil && f.madeForUs(func() ([]byte, error) { return env.put(in, nil) }) {
			return nil, nil
		}
		return text, err
	}
	if old != nil && !ours && !in.reword {
		return nil, errOther
	}
	if old != nil && env.same(in, old) {
		return f.data, nil
	}
	return env.put(in, f.data)
}

// put is a text with the entry in it.
func (env *Env) put(in *entering, data []byte) ([]byte, error) {
	if in.client.isTOML() {
		return splice.PutSection(data, in.client.path[0]+".tmp", []string{
			"command = " + quoted(env.Self), "args = [\"serve\", \"--agent\", " + quoted(in.agent) + "]",
		}), nil
	}
	value := "{\n"
	if in.client.typed {
		value += `  "type": "stdio",` + "\n"
	}
	value += `  "command": ` + quoted(env.Self) + ",\n" + `  "args": ["serve", "--agent", ` + quoted(in.agent) + "]\n}"
	return splice.PutMember(data, in.client.path, "tmp", value)
}

func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a text is always written
	return strings.TrimSpace(b.String())
}

// same reports whether an entry says already what would be written.
func (env *Env) same(in *entering, old *splice.Node) bool {
	text, err := env.put(in, nil)
	if err != nil {
		return false
	}
	root, err := splice.Parse(text)
	if err != nil {
		return false
	}
	return splice.Equal(root.At(append(slices.Clone(in.client.path), "tmp")...), old)
}

func textOf(n *splice.Node, name string) string {
	if n.Kind != splice.Object {
		return ""
	}
	if v := n.Get(name); v != nil && v.Kind == splice.Text {
		return v.Text
	}
	return ""
}

// isOurs reports whether a command is this program, wherever it lies.
func isOurs(command string) bool { return filepath.Base(command) == "tmp-agent" }

func (env *Env) enteredTOML(in *entering, f *file) ([]byte, error) {
	if _, err := toml.Parse(strings.TrimPrefix(string(f.data), "\ufeff")); err != nil {
		return nil, err
	}
	name := in.client.path[0] + ".tmp"
	s, found := splice.FindSection(f.data, name)
	var command string
	if found {
		command, _, _ = strings.Cut(strings.Trim(s.Pairs["command"], `"'`), `"`)
	} else if tables, _ := toml.Parse(strings.TrimPrefix(string(f.data), "\ufeff")); tables != nil {
		if servers, ok := tables[in.client.path[0]].(map[string]any); ok && servers["tmp"] != nil {
			return nil, errOther // written in another way than as a table of its own
		}
	}
	ours := found && isOurs(command)
	if in.remove {
		if !found || !ours && !in.reword {
			return f.data, nil
		}
		if before := f.restored(func(data []byte) ([]byte, error) { return env.put(in, data) }); before != nil {
			return before, nil
		}
		if f.madeForUs(func() ([]byte, error) { return env.put(in, nil) }) {
			return nil, nil
		}
		return splice.CutSection(f.data, s), nil
	}
	if found && !ours && !in.reword {
		return nil, errOther
	}
	text, err := env.put(in, f.data)
	if err == nil {
		_, err = toml.Parse(strings.TrimPrefix(string(text), "\ufeff"))
	}
	return text, err
}

// restored is the copy that the file was made of by entering; nil if there is none.
func (f *file) restored(enter func([]byte) ([]byte, error)) []byte {
	for n := maxBackups; n >= 0; n-- {
		data, err := os.ReadFile(backup(f.name, n))
		if err != nil {
			continue
		}
		if text, err := enter(data); err == nil && bytes.Equal(text, f.data) && !bytes.Equal(data, f.data) {
			if data == nil {
				data = []byte{}
			}
			return data
		}
	}
	return nil
}

// madeForUs reports whether the file holds the entry alone, as we made it: what
// has a copy was there before.
func (f *file) madeForUs(enter func() ([]byte, error)) bool {
	if _, err := os.Lstat(f.name + ".bak"); err == nil {
		return false
	}
	text, err := enter()
	return err == nil && bytes.Equal(text, f.data)
}

// had reports whether the copy before held a member.
func (f *file) had(path []string) bool {
	data, err := os.ReadFile(f.name + ".bak")
	if err != nil {
		return false
	}
	root, err := splice.Parse(data)
	return err == nil && root != nil && root.At(path...) != nil
}

// declare adds an agent to agent.toml that is not there: without it the door does
// not open for it. It says what it did.
func (env *Env) declare(key string) (string, error) {
	c, err := env.config()
	if err != nil {
		return "", err
	}
	if _, ok := c.Agent(key); ok {
		return "", nil
	}
	dir := env.paths().Config
	if dir == "" {
		return "", errors.New("there is no directory of settings: set HOME")
	}
	file := filepath.Join(dir, "agent.toml")
	data, err := os.ReadFile(file)
	mode := fs.FileMode(0o600)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		data = []byte("schema = 2\n")
	case err != nil:
		return "", err
	default:
		if st, err := os.Stat(file); err == nil {
			mode = st.Mode().Perm()
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	real := file
	if link, err := filepath.EvalSymlinks(file); err == nil {
		real = link
	}
	if err := replaceFile(real, splice.PutSection(data, "agent."+key, nil), mode); err != nil {
		return "", err
	}
	return "declared the agent " + key + " in " + file, nil
}

func (env *Env) tellClient(in *entering, res *result, text []byte) error {
	if in.json {
		enc := json.NewEncoder(env.Stdout)
		enc.SetEscapeHTML(false)
		return enc.Encode(res)
	}
	switch {
	case in.dry && res.Changed:
		fmt.Fprintf(env.Stdout, "%s would be:\n%s", res.Path, text)
	case !res.Changed && in.remove:
		fmt.Fprintf(env.Stdout, "%s: there is no entry of tmp's\n", res.Path)
	case !res.Changed:
		fmt.Fprintf(env.Stdout, "%s: the entry is there already\n", res.Path)
	case in.remove:
		fmt.Fprintf(env.Stdout, "%s: the entry is taken out\n", res.Path)
	default:
		fmt.Fprintf(env.Stdout, "%s: the entry is written; start %s again\n", res.Path, in.client.key)
	}
	if res.Backup != "" {
		fmt.Fprintf(env.Stdout, "  before: %s\n", res.Backup)
	}
	for _, n := range res.Notes {
		fmt.Fprintf(env.Stdout, "  %s\n", n)
	}
	return nil
}
