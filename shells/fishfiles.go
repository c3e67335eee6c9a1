package shells

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// fishMark begins the files that WriteFish writes, and only those.
const fishMark = "# tmp: completed from its map\n"

// FishTools returns the commands whose arguments fish is to ask tmp-tab for:
// all that have a whole map, of themselves or of a sub-command. Those that run another command are among them: of
// the completions of fish only some go on with that command's.
func FishTools(v *tcpdb.View) []string {
	var tools []string
	for _, tool := range v.Tools() {
		root := v.Root(tool)
		if root == nil || !whole(root) && !slices.ContainsFunc(root.AllSubs(), whole) || fishDecoration(tool) || !fishName(tool) {
			continue
		}
		tools = append(tools, tool)
	}
	return tools
}

// whole reports whether a node is a map to complete from.
func whole(n *tcpdb.Node) bool { return n.Bits&tcpdb.Partial == 0 }

// fishDecoration reports whether fish reads a word before a command as part of
// its grammar and completes what follows as a command of its own.
func fishDecoration(tool string) bool {
	switch tool {
	case "builtin", "command", "exec", "time":
		return true
	}
	return false
}

// fishName reports whether a tool's name can be a file's and a word of fish as
// it stands.
func fishName(tool string) bool {
	if tool == "" || tool[0] == '.' || tool[0] == '-' {
		return false
	}
	for _, c := range tool {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._+-", c)) {
			return false
		}
	}
	return true
}

// WriteFish makes dir hold one line of fish for each of the tools, which fish
// reads when it completes the tool for the first time, and takes away those of
// other tools. Files that are not ours stay. Others are programs without a map, of
// which a Tab may want one: those that have completions of the user's keep these.
func WriteFish(dir string, tools []string, others ...string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	keep := make(map[string]bool, len(tools))
	for _, tool := range tools {
		if !fishName(tool) {
			continue
		}
		keep[tool+".fish"] = true
		if err := writeFish(filepath.Join(dir, tool+".fish"), fishMark+fishLine(tool)); err != nil {
			return err
		}
	}
	for _, tool := range others {
		if keep[tool+".fish"] || !fishName(tool) || fishDecoration(tool) {
			continue
		}
		keep[tool+".fish"] = true
		text := fishMark + "builtin complete -c " + tool + " | builtin string length -q; or " + fishLine(tool)
		if err := writeFish(filepath.Join(dir, tool+".fish"), text); err != nil {
			return err
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		if keep[e.Name()] || !strings.HasSuffix(e.Name(), ".fish") || !oursFish(file) {
			continue
		}
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// fishLine asks tmp-tab for a tool's completions.
func fishLine(tool string) string {
	return "builtin complete -c " + tool + " -f -k -a '(__tmp_tab " + tool + ")'\n"
}

// writeFish replaces a file of ours, whole or not at all; another's stays.
func writeFish(file, text string) error {
	old, err := os.ReadFile(file)
	if err == nil && (string(old) == text || !strings.HasPrefix(string(old), fishMark)) {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".fish-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

func oursFish(file string) bool {
	text, err := os.ReadFile(file)
	return err == nil && strings.HasPrefix(string(text), fishMark)
}
