package risk

import (
	_ "embed"
	"encoding/binary"
	"path"
	"strings"
	"unicode/utf16"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
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

// languagesTable says where interpreters hold programs. The file says what its
// columns mean.
//
//go:embed languages.tsv
var languagesTable string

// codeFlags lists for an interpreter of a language the options whose value is a
// program, and the options that take another value.
func codeFlags(lang, name string) (code, values string) {
	for _, key := range [...]string{name, lang} {
		for row := range wordlist.Rows(languagesTable, key) {
			code, values, _ = strings.Cut(row, "\t")
			return code, values
		}
	}
	return "", ""
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
	data, ok := unbase64(value)
	if !ok || len(data)%2 != 0 || len(data) == 0 {
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

// unbase64 decodes the standard base64 of RFC 4648, section 4, and leaves out line
// breaks. Package encoding/base64 makes its tables whenever a program starts.
func unbase64(s string) (data []byte, ok bool) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	s = strings.NewReplacer("\r", "", "\n", "").Replace(s)
	digits := strings.TrimRight(s, "=")
	if pad := len(s) - len(digits); len(s)%4 != 0 || pad > 2 {
		return nil, false
	}
	var bits uint32
	for i := range len(digits) {
		v := strings.IndexByte(alphabet, digits[i])
		if v < 0 {
			return nil, false
		}
		if bits = bits<<6 | uint32(v); i%4 > 0 {
			data = append(data, byte(bits>>(6-2*(i%4))))
		}
	}
	return data, true
}
