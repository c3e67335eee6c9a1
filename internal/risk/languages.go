package risk

import (
	"encoding/base64"
	"encoding/binary"
	"path"
	"strings"
	"unicode/utf16"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Language returns the language that the map says an interpreter reads: "python",
// "sql", "sh" for any shell, "lisp" and "other" for those that are read by their
// words alone; "" if the word is none. A version may end its name: python3.12.
func Language(v *tcpdb.View, word string) string {
	name := path.Base(word)
	n := v.Root(name)
	if n == nil {
		if bare := strings.TrimRight(name, "0123456789.-"); bare != "" && bare != name {
			n = v.Root(bare)
		}
	}
	if n == nil {
		return ""
	}
	return n.Language()
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
	case "sql":
		return clientFlags(name)
	}
	return "", ""
}

// clientFlags is codeFlags for the clients of databases whose own forms are read.
func clientFlags(name string) (code, values string) {
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
