package spec

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// Detect tells the format of a file by its content.
func Detect(file string, data []byte) (Format, error) {
	fail := func(reason string) (Format, error) {
		return "", &opmap.Problem{File: file, Reason: reason, Severity: opmap.Error}
	}
	head := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	switch {
	case len(head) == 0:
		return fail("is empty")
	case bytes.HasPrefix(data, []byte("\x7fELF")), bytes.HasPrefix(data, []byte("\xcf\xfa\xed\xfe")), bytes.HasPrefix(data, []byte("\xca\xfe\xba\xbe")):
		return fail("is a program: give its name as PATH has it, and it is asked in a jail")
	case !utf8.Valid(data):
		return fail("is not UTF-8 text")
	case head[0] == '{':
		return ofJSON(data), nil
	case usageScript(data):
		return Usage, nil
	}
	for line := range bytes.Lines(head) {
		if f := ofLine(strings.TrimRight(string(line), "\r\n")); f != "" {
			return f, nil
		}
	}
	return fail("is of no format that is known by its content: --format says which (map, carapace, fig, usage)")
}

// ofJSON tells a map of ours from a spec of carapace that is written as JSON.
func ofJSON(data []byte) Format {
	var top map[string]json.RawMessage
	if json.Unmarshal(data, &top) != nil {
		return Map // which says what is wrong with it
	}
	has := func(name string) bool { _, ok := top[name]; return ok }
	if !has("tool") && !has("node") && has("name") && (has("flags") || has("commands") || has("completion") || has("persistentflags") || has("description")) {
		return Carapace
	}
	return Map
}

// ofLine tells the format by a line that only one of them can have.
func ofLine(line string) Format {
	trimmed := strings.TrimSpace(line)
	word, rest, _ := strings.Cut(trimmed, " ")
	switch {
	case strings.HasPrefix(trimmed, "export default"), strings.HasPrefix(trimmed, "module.exports"), strings.HasPrefix(trimmed, "export {"), strings.HasPrefix(trimmed, "export{"),
		strings.Contains(line, "Fig.Spec"), strings.Contains(line, "Fig.Subcommand"), strings.Contains(line, "completionSpec"):
		return Fig
	case (word == "const" || word == "var" || word == "let" || word == "function" || word == "import") && rest != "":
		return Fig
	case strings.HasPrefix(trimmed, "var ") || strings.Contains(line, "export{") || strings.Contains(line, "export default"):
		return Fig
	case line == trimmed && (strings.HasPrefix(line, "name:") || strings.HasPrefix(line, "# yaml-language-server:")):
		return Carapace
	}
	switch word {
	case "name", "bin", "cmd", "flag", "arg", "about", "version", "usage", "complete", "min_usage_version", "long_about", "author", "license":
		bare := (word == "name" || word == "bin") && len(strings.Fields(rest)) == 1 || word == "flag" && strings.HasPrefix(rest, "-")
		if line == trimmed && (bare || strings.HasPrefix(strings.TrimLeft(rest, " #r"), `"`)) {
			return Usage
		}
	}
	return ""
}

// usageScript reports whether a script declares its options in comments that
// begin with USAGE.
func usageScript(data []byte) bool {
	return bytes.HasPrefix(data, []byte("#!")) && (bytes.Contains(data, []byte("\n#USAGE ")) || bytes.Contains(data, []byte("\n# [USAGE] ")) || bytes.Contains(data, []byte("\n//USAGE ")))
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// licenceIn finds the licence that a file names for itself, as SPDX says:
// "SPDX-License-Identifier: MIT" in one of its first lines.
func licenceIn(data []byte) string {
	_, rest, ok := bytes.Cut(data[:min(len(data), 4096)], []byte("SPDX-License-Identifier:"))
	if !ok {
		return ""
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	text := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(string(line)), "*/"))
	if len(text) > 100 || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return ""
	}
	return text
}

// badTool says why a text can be no tool's name, "" if it can.
func badTool(name string) string {
	switch {
	case name == "":
		return "is missing"
	case name == "." || name == ".." || strings.HasPrefix(name, "."), strings.HasPrefix(name, "-"), filepath.Base(name) != name, strings.ContainsRune(name, '\\'):
		return "is not that of a program in PATH"
	case opmap.ShellSign(name) != "":
		return fmt.Sprintf("holds %q, which a shell reads otherwise", opmap.ShellSign(name))
	case len(name) > 128 || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == utf8.RuneError }):
		return "is not one word"
	}
	return ""
}
