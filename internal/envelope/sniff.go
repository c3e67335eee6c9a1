package envelope

import (
	"bytes"
	"strings"
)

// binaryHead is how much of a file is looked through for a zero byte.
const binaryHead = 8 << 10

var contentTypes = map[string]string{
	"py": "code/python", "pyi": "code/python", "js": "code/javascript", "mjs": "code/javascript", "cjs": "code/javascript", "jsx": "code/javascript",
	"ts": "code/typescript", "tsx": "code/typescript", "mts": "code/typescript", "cts": "code/typescript",
	"go": "code/go", "rs": "code/rust", "java": "code/java", "c": "code/c", "h": "code/c", "cc": "code/cpp", "cpp": "code/cpp", "cxx": "code/cpp",
	"hpp": "code/cpp", "hh": "code/cpp", "hxx": "code/cpp", "sh": "code/sh", "bash": "code/sh", "zsh": "code/sh", "fish": "code/sh", "rb": "code/ruby", "php": "code/php",
	"cs": "code/csharp", "kt": "code/kotlin", "kts": "code/kotlin", "swift": "code/swift", "sql": "code/sql",
	"json": "json", "yaml": "yaml", "yml": "yaml", "toml": "toml", "md": "markdown", "markdown": "markdown", "log": "log", "csv": "tabular", "tsv": "tabular",
	"html": "html", "htm": "html", "css": "css", "xml": "xml",
}

// Sniff tells the type of a file by its ending, else by how it begins and ends.
func Sniff(name string, head, tail []byte) string {
	if bytes.IndexByte(head[:min(len(head), binaryHead)], 0) >= 0 {
		return "binary"
	}
	if slash := strings.LastIndexByte(name, '/'); slash >= 0 {
		name = name[slash+1:]
	}
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		if t := contentTypes[strings.ToLower(name[dot+1:])]; t != "" {
			return t
		}
	}
	lines := bytes.SplitN(head, []byte{'\n'}, 6)
	dated := 0
	for _, l := range lines[:min(len(lines), 5)] {
		if logLine(l) {
			dated++
		}
	}
	if dated >= 2 {
		return "log"
	}
	head, tail = bytes.TrimSpace(head), bytes.TrimSpace(tail)
	if len(head) > 0 && len(tail) > 0 && (head[0] == '{' || head[0] == '[') && (tail[len(tail)-1] == '}' || tail[len(tail)-1] == ']') {
		return "json"
	}
	return "text"
}

// logLine reports whether a line begins with a date ("2026-01-31", "Jan 31 10:00") or a
// level ("[ERROR]", "INFO").
func logLine(l []byte) bool {
	if fits(l, "dddd-dd-dd") || fits(l, "dddd/dd/dd") || fits(l, "dddd-dd/dd") || fits(l, "dddd/dd-dd") {
		return true
	}
	level := bytes.TrimPrefix(l, []byte("["))
	for _, w := range [...]string{"ERROR", "WARN", "INFO", "DEBUG"} {
		if bytes.HasPrefix(level, []byte(w)) {
			return true
		}
	}
	if len(l) < 10 {
		return false
	}
	for _, c := range l[:3] {
		if !wordByte(c) {
			return false
		}
	}
	rest := bytes.TrimLeft(l[3:], " \t")
	if len(rest) == len(l)-3 {
		return false
	}
	_, day := leading(rest)
	if day < 1 || day > 2 {
		return false
	}
	clock := bytes.TrimLeft(rest[day:], " \t")
	return len(clock) < len(rest)-day && fits(clock, "dd:dd")
}

// fits compares with a form in which "d" is a digit.
func fits(l []byte, form string) bool {
	if len(l) < len(form) {
		return false
	}
	for i := range len(form) {
		if form[i] == 'd' && (l[i] < '0' || l[i] > '9') || form[i] != 'd' && l[i] != form[i] {
			return false
		}
	}
	return true
}
