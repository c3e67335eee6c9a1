package risk

import (
	"encoding/base64"
	"encoding/binary"
	"path"
	"strings"
	"unicode/utf16"
)

// Language returns the language of the programs that an interpreter runs:
// "python", "perl", "ruby", "node", "php", "lua", "r", "julia", "osascript",
// "pwsh", "sql", "lisp" and "other" for those that are read by their words alone;
// "" if the word is none.
func Language(word string) string {
	name := word
	if strings.IndexByte(word, '/') >= 0 {
		name = path.Base(word)
	}
	for name != "" && (name[len(name)-1] >= '0' && name[len(name)-1] <= '9' || name[len(name)-1] == '.') {
		name = name[:len(name)-1] // python3.12
	}
	switch name {
	case "python", "pypy", "ipython", "bpython", "ptpython", "micropython", "circuitpython":
		return "python"
	case "perl", "ruby", "node", "php":
		return name
	case "raku":
		return "perl"
	case "jruby", "irb", "truffleruby":
		return "ruby"
	case "nodejs", "bun", "deno", "tsx", "ts-node", "ts-node-esm", "zx", "qjs":
		return "node"
	case "lua", "luajit", "texlua":
		return "lua"
	case "Rscript", "R":
		return "r"
	case "julia", "osascript":
		return name
	case "pwsh", "powershell", "pwsh.exe", "powershell.exe", "pwsh-preview":
		return "pwsh"
	case "tclsh", "wish", "expect":
		return "tcl"
	case "psql", "mysql", "mariadb", "sqlite":
		return "sql"
	case "mongosh", "mongo", "arangosh":
		return "mongo"
	case "guile", "racket", "bb", "clojure", "clj", "sbcl", "ecl", "clisp", "gosh", "chibi-scheme", "fennel", "janet":
		return "lisp"
	case "groovy", "elixir", "erl", "ghc", "runghc", "runhaskell", "octave", "octave-cli", "matlab", "crystal", "scala", "swift", "ocaml",
		"kotlin", "gnuplot", "iex", "scala-cli":
		return "other"
	}
	return commandLanguage(name)
}

// codeFlags lists for a language the options whose value is a program, and
// the options that take another value.
func codeFlags(lang, name string) (code, values string) {
	switch lang {
	case "python":
		return "-c", "-W -X -m"
	case "perl":
		return "-e -E", "-I -M -m"
	case "ruby":
		return "-e", "-I -r -C"
	case "node":
		return "-e --eval -p --print -pe", "-r --require --import -P --project --tsconfig"
	case "php":
		return "-r", "-c -d"
	case "lua":
		return "-e", "-l"
	case "r":
		return "-e", "-f"
	case "tcl":
		return "-c", "-encoding"
	case "mongo":
		return "--eval --javascript.execute-string", "--host --port -u --username -p --password --authenticationDatabase -f --file"
	case "julia":
		return "-e --eval -E --print", "-J -C -p -L --project"
	case "osascript":
		return "-e", "-l -s"
	case "pwsh":
		return "-c -command -com -comm /c /command", "-executionpolicy -ep -ex -exec -workingdirectory -wd -windowstyle -w -win -version -inputformat -outputformat -configurationname"
	case "lisp":
		return "-e --eval -eval -c -x", "-l -L --load -i --init"
	case "other":
		if name == "matlab" {
			return "-batch -r", "-logfile -sd"
		}
		return "-e --eval -eval --execute-string", "-cp -classpath --cp -pa -pz -sname -name -setcookie -s -i"
	case "ex", "gdb", "ftp":
		return "", "" // package risk judges these with the rest of the command
	}
	if strings.HasPrefix(name, "psql") {
		return "-c --command", "-h --host -p --port -U --username -d --dbname -f --file -v --set -o --output -L -F -R -P -T"
	}
	if strings.HasPrefix(name, "sqlite") {
		return "-cmd", "-init -separator -newline -nullvalue"
	}
	return "-e --execute", "-h --host -P --port -D --database -S --socket"
}

// encoded returns the program that PowerShell is given in base64: UTF-16 in
// little-endian order. The name of the option may be cut short. What cannot be
// decoded is code that is known only when it runs.
func encoded(option, value string) (code string, ok bool) {
	option = strings.ToLower(option)
	if len(option) < 2 || option[0] != '-' && option[0] != '/' || option[1] != 'e' ||
		!strings.HasPrefix("encodedcommand", option[1:]) && option[1:] != "ec" {
		return "", false
	}
	data, err := base64.StdEncoding.DecodeString(value)
	if err != nil || len(data)%2 != 0 || len(data) == 0 {
		return "Invoke-Expression $x", true
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(data[2*i:])
	}
	text := string(utf16.Decode(units))
	if strings.IndexFunc(text, func(r rune) bool { return r > 0x7f || r < ' ' && r != '\n' && r != '\t' && r != '\r' }) >= 0 {
		return "Invoke-Expression $x", true
	}
	return text, true
}
