package hook

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
)

// shells are the names of the tools that run a line, without case and signs.
var shells = []string{
	"bash", "shell", "powershell", "runinterminal", "runshellcommand", "execute", "executebash", "executecommand", "executepwsh",
	"shellcommand", "execcommand", "localshell", "runcommand", "runterminalcmd", "runterminalcommand", "terminal", "unifiedexec", "exec",
	"sh", "zsh", "cmd", "runbash", "containerexec", "localshellcall", "runcommands", "shelltool", "bashtool", "executebashcommand", "terminalexec",
}

// typers are the tools that type into a shell that runs already, by the member
// that holds what they type.
var typers = map[string]string{
	"writestdin": "chars", "sendtoterminal": "command", "writebash": "input", "writepowershell": "input", "sendterminalinput": "input",
}

func isShell(tool string) bool { return slices.Contains(shells, plainName(tool)) }

// isPath reports whether a member of an input names files.
func isPath(key string) bool {
	switch key {
	case "file_path", "path", "filePath", "file", "filename", "fileName", "notebook_path", "notebookPath", "target_file", "targetFile", "absolute_path",
		"absolutePath", "paths", "file_paths", "filePaths", "files", "edits", "operations", "uri", "source", "destination", "old_path", "new_path", "oldPath", "newPath", "relative_path":
		return true
	}
	return false
}

// fields are the members of an input that count.
type fields struct {
	line, chars  []byte
	lineAt       int    // offset of the line's raw text
	lines        []byte // several of them
	paths        []string
	patch        []string
	puts         []string
	writes       bool // a member says that something is written
	apart        bool
	dir          string // where the tool runs, as its input says
	server, tool string // Windsurf's names of a foreign tool
}

// call reads the input of a call; name is the event's.
func (e *Event) call(raw []byte, name string) error {
	if len(raw) > 0 && raw[0] == '"' { // Copilot's, as a text of JSON
		raw = []byte(text(raw))
	}
	raw = bytes.TrimSpace(raw)
	var f fields
	shell := isShell(e.Tool) || name == "preruncommand" || name == "beforeshellexecution"
	if len(raw) == 0 || raw[0] != '{' || jsonscan.Read(raw, func(j *jsonscan.Reader) error { return f.read(j, e.Tool) }) != nil {
		if shell || typers[plainName(e.Tool)] != "" {
			e.Kind = Shell
			return broken("has an input that is no object")
		}
		return nil
	}
	e.Input, e.Apart = raw, f.apart
	if f.dir != "" && !strings.HasPrefix(f.dir, "/") && e.Dir != "" {
		f.dir = e.Dir + "/" + f.dir
	}
	if f.dir != "" {
		e.Dir = f.dir
	}
	if f.tool != "" {
		e.Tool = "mcp__" + f.server + "__" + f.tool
	}
	if isForeign(e.Tool) || name == "beforemcpexecution" || name == "premcptooluse" {
		e.Kind = Foreign
	}
	if isOwn(e.Tool) {
		return nil
	}
	if key := typers[plainName(e.Tool)]; key != "" {
		e.Kind = Typed
		if f.chars == nil {
			f.chars = f.line
		}
		if f.chars == nil {
			return nil // only waits, or ends
		}
		return e.take(f.chars)
	}
	e.files(&f, name)
	switch {
	case f.line != nil && f.line[0] == '"' && isPatch(text(f.line)):
		patched, _ := patchPaths(text(f.line))
		e.Writes = append(e.Writes, patched...)
	case f.line != nil && (f.line[0] == '"' || shell):
		if e.Kind != Foreign {
			e.Kind = Shell
		}
		if f.line[0] == '"' {
			e.start, e.end = f.lineAt, f.lineAt+len(f.line)
		}
		return e.take(f.line)
	case f.lines != nil && f.line == nil && (shell || listed(f.lines)):
		return e.takeAll(f.lines)
	case f.line != nil && f.line[0] == '[':
		e.Kind = Shell
		return broken("has a command that is no text")
	case shell:
		e.Kind = Shell
		return broken("has no command")
	}
	return nil
}

// listed reports whether a raw value is a list of texts, or a text of one.
func listed(raw []byte) bool { return len(linesOf(raw)) > 0 }

// linesOf are the lines of a raw list, which Cline hands over as a text of JSON.
func linesOf(raw []byte) []string {
	if len(raw) > 0 && raw[0] == '"' {
		raw = bytes.TrimSpace([]byte(text(raw)))
	}
	if len(raw) == 0 || raw[0] != '[' {
		return nil
	}
	var lines []string
	err := jsonscan.Read(raw, func(j *jsonscan.Reader) error {
		return j.Array(func() error {
			s, err := j.Text()
			lines = append(lines, s)
			return err
		})
	})
	if err != nil {
		return nil
	}
	return lines
}

// takeAll makes several lines the event's, one after the other.
func (e *Event) takeAll(raw []byte) error {
	e.Kind = Shell
	lines := linesOf(raw)
	if lines == nil {
		return broken("has commands that are no texts")
	}
	e.Line = clean(strings.Join(lines, "\n"))
	return nil
}

// read reads the members of an input.
func (f *fields) read(j *jsonscan.Reader, tool string) error {
	return j.Object(func(key string) error {
		raw, err := j.Raw()
		if err != nil {
			return err
		}
		at := j.Pos() - len(raw)
		switch key {
		case "command", "command_line", "commandLine", "CommandLine":
			f.line, f.lineAt = raw, at
		case "cmd":
			if f.line == nil {
				f.line, f.lineAt = raw, at
			}
		case "commands":
			f.lines = raw
		case typers[plainName(tool)]:
			f.chars = raw
		case "run_in_background", "is_background", "isBackground", "background", "interactive", "tty":
			f.apart = f.apart || string(raw) == "true"
		case "cwd", "workdir", "working_directory", "workingDirectory", "dir_path":
			f.dir = text(raw)
		case "mcp_server_name":
			f.server = text(raw)
		case "mcp_tool_name":
			f.tool = text(raw)
		case "patch", "input", "diff", "patchText", "patch_text":
			if s := text(raw); isPatch(s) {
				f.patch = append(f.patch, s)
			}
		case "content", "new_string", "newString", "file_text", "new_str", "newText", "contents", "new_source", "text", "code_edit", "old_string", "oldString", "old_str":
			f.writes = true
			if s := text(raw); s != "" && !strings.HasPrefix(key, "old") {
				f.puts = append(f.puts, s)
			}
		}
		if isPath(key) {
			f.paths = append(f.paths, texts(raw)...)
			f.writes = f.writes || key == "edits"
			if key == "edits" {
				f.puts = append(f.puts, string(raw))
			}
		}
		return nil
	})
}

// files sorts the paths of a call into those that are written and those that
// are read.
func (e *Event) files(f *fields, name string) {
	paths := f.paths
	for i, p := range paths {
		paths[i] = strings.TrimPrefix(clean(p), "file://")
	}
	if f.writes || writesFiles(e.Tool) || name == "prewritecode" {
		e.Writes = append(e.Writes, paths...)
		e.Puts = f.puts
	} else {
		e.Reads = append(e.Reads, paths...)
	}
	for _, text := range f.patch {
		patched, _ := patchPaths(text)
		e.Writes = append(e.Writes, patched...)
		e.Puts = append(e.Puts, text)
	}
}

// writesFiles reports whether a tool's name says that it changes files.
func writesFiles(tool string) bool {
	for _, w := range words(tool) {
		switch w {
		case "write", "edit", "create", "patch", "replace", "insert", "delete", "remove", "move", "rename", "save", "append", "update", "modify", "apply", "multiedit", "strreplace", "fswrite", "multireplace", "copy", "overwrite", "diff":
			return true
		}
	}
	return false
}

// isPatch reports whether a text is a patch that names its files.
func isPatch(s string) bool {
	s = strings.TrimLeft(s, " \t\r\n")
	return strings.HasPrefix(s, "*** Begin Patch") || strings.HasPrefix(s, "--- ") && strings.Contains(s, "\n+++ ") || strings.HasPrefix(s, "diff --git ")
}

// patchPaths are the files that the headers of a patch name.
func patchPaths(s string) (paths []string, ok bool) {
	for l := range strings.Lines(s) {
		l = strings.TrimRight(l, "\r\n")
		for _, head := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ", "+++ ", "--- ", "rename to "} {
			p, found := strings.CutPrefix(l, head)
			if !found {
				continue
			}
			p, _, _ = strings.Cut(p, "\t")
			p = strings.TrimSpace(p)
			if p != "" && p != "/dev/null" {
				if head == "+++ " || head == "--- " {
					if rest, ok := cutSide(p); ok {
						p = rest
					}
				}
				paths = append(paths, clean(p))
			}
		}
	}
	return paths, len(paths) > 0
}

// cutSide takes the a/ or b/ of a diff of git away.
func cutSide(p string) (string, bool) {
	if strings.HasPrefix(p, "a/") || strings.HasPrefix(p, "b/") {
		return p[2:], true
	}
	return p, false
}

// isForeign reports whether a tool's name is that of a tool of an MCP server.
func isForeign(tool string) bool {
	lower := strings.ToLower(tool)
	return strings.HasPrefix(lower, "mcp_") || strings.HasPrefix(lower, "mcp:") || strings.HasPrefix(lower, "mcp-") || strings.HasPrefix(lower, "mcp.") || strings.Contains(tool, "__")
}

// isOwn reports whether a tool is one of tmp's own server, which judges by itself.
func isOwn(tool string) bool {
	lower := strings.ToLower(tool)
	return strings.HasPrefix(lower, "mcp__tmp__") || strings.HasPrefix(lower, "mcp:tmp:") || strings.HasPrefix(lower, "mcp_tmp_")
}

// words are the words of a name, in lower case: of snake_case, kebab-case and
// camelCase.
func words(name string) []string {
	var out []string
	start := 0
	cut := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(name[start:end]))
		}
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		switch {
		case !letter:
			cut(i)
			start = i + 1
		case i > start && c >= 'A' && c <= 'Z' && (name[i-1] >= 'a' && name[i-1] <= 'z' || i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z'):
			cut(i)
			start = i
		}
	}
	cut(len(name))
	return out
}

// fatal reports whether the name of a foreign tool says that it destroys,
// delivers or pays.
func fatal(tool string) bool {
	for _, w := range words(tool) {
		switch strings.TrimRight(w, "0123456789") {
		case "delete", "drop", "purge", "destroy", "wipe", "deploy", "pay", "deletes", "drops", "purges", "destroys", "wipes", "deploys", "pays", "redeploy", "payment", "del":
			return true
		}
		for _, verb := range []string{"delete", "destroy", "purge", "wipe"} {
			if w != verb+"d" && (strings.HasPrefix(w, verb) && w != "deleter" || strings.HasSuffix(w, verb) && w != "undelete") {
				return true
			}
		}
	}
	return false
}
