package line

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"path"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// maxDecoded bounds a text that commands make of literals, in bytes.
const maxDecoded = maxBytes

// output returns what commands of a list or a pipeline write, where that follows
// from their words alone: echo and printf of literals, here-documents and
// here-strings, and filters that only write the same in other letters
// (base64 -d, xxd -r -p, rev, tr); cat of files whose texts are known. ok is
// false for anything else.
func (r *run) output(list []command) (s string, ok bool) {
	if !r.spend(r.text, commandWork*len(list)) {
		return "", false
	}
	texts := make([]string, len(list)) // what each writes that none of the list reads
	var unread []int                   // of texts, in order
	for i := range list {
		c := &list[i]
		if len(c.words) == 0 || c.compound || live(c.words) {
			return "", false
		}
		first := len(unread)
		for c.from < c.to && first > 0 && list[unread[first-1]].index >= c.from {
			first--
		}
		in := ""
		for _, k := range unread[first:] {
			in += texts[k]
			texts[k] = ""
		}
		unread = append(unread[:first], i)
		if text, known := contents(c.words, r.written); known {
			if texts[i] = text; !r.spend(r.text, len(text)) {
				return "", false
			}
			continue
		}
		switch text, fed := literalInput(c); {
		case fed:
			in = text
		case (i == 0 || c.from >= c.to) && !names(c.words[0].Text, "echo", "printf", "print", "string"):
			return "", false
		}
		if texts[i], ok = filter(shline.Texts(c.words), in); !ok || len(texts[i]) > maxDecoded || !r.spend(r.text, len(texts[i])) {
			return "", false
		}
	}
	s = strings.Join(texts, "")
	return s, len(list) > 0 && len(s) <= maxDecoded
}

// contents returns what cat writes of files whose texts are known.
func contents(words []shline.Word, files map[string]string) (text string, ok bool) {
	if len(files) == 0 || len(words) < 2 || !names(words[0].Text, "cat") {
		return "", false
	}
	for _, w := range words[1:] {
		part, known := files[path.Clean(w.Text)]
		if !known {
			return "", false
		}
		text += part
	}
	return text, true
}

func live(words []shline.Word) bool {
	for _, w := range words {
		if w.Live || w.Glob {
			return true
		}
	}
	return false
}

// literalInput returns the text of a here-document or here-string.
func literalInput(c *command) (string, bool) {
	for i := range c.redirs {
		switch d := &c.redirs[i]; {
		case strings.HasPrefix(d.op, "<<<") && !d.target.Live:
			return d.target.Text + "\n", true
		case strings.HasPrefix(d.op, "<<") && !strings.HasPrefix(d.op, "<<<"):
			return d.body, true
		}
	}
	return "", false
}

// filter returns what a command makes of its input, if that is known here.
func filter(words []string, in string) (string, bool) {
	name := words[0][strings.LastIndexByte(words[0], '/')+1:]
	args := words[1:]
	has := func(options ...string) bool {
		for _, a := range args {
			for _, o := range options {
				if a == o {
					return true
				}
			}
		}
		return false
	}
	switch name {
	case "echo":
		return echo(args), true
	case "print": // of zsh
		for len(args) > 0 && strings.HasPrefix(args[0], "-") {
			args = args[1:]
		}
		return echo(args), true
	case "printf":
		return printf(args)
	case "cat":
		return in, len(args) == 0 || len(args) == 1 && args[0] == "-"
	case "tee", "psub":
		return in, true
	case "string":
		return fishString(args, in)
	case "base64", "gbase64":
		if len(args) == 0 {
			return base64.StdEncoding.EncodeToString([]byte(in)) + "\n", true
		}
		return decodeWith(in, has("-d", "-D", "--decode", "-di", "-id"), base64.StdEncoding.DecodeString)
	case "base32":
		return decodeWith(in, has("-d", "--decode"), base32.StdEncoding.DecodeString)
	case "openssl":
		return decodeWith(in, has("-d") && has("-base64", "base64", "-a"), base64.StdEncoding.DecodeString)
	case "xxd":
		return decodeWith(in, has("-r", "-rp", "-pr") && has("-p", "-ps", "-rp", "-pr", "-plain"), hex.DecodeString)
	case "rev":
		return rev(in), len(args) == 0
	case "tr":
		return tr(args, in)
	}
	return "", false
}

// fishString is what fish's string join and string collect write.
func fishString(args []string, in string) (string, bool) {
	if len(args) == 0 {
		return "", false
	}
	verb, args := args[0], args[1:]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	switch {
	case verb == "collect" && len(args) == 0:
		return in, true
	case verb == "join" && len(args) == 1:
		return strings.Join(strings.Split(strings.TrimRight(in, "\n"), "\n"), args[0]) + "\n", true
	case verb == "join" && len(args) > 1 && !strings.HasPrefix(args[0], "-"):
		return strings.Join(args[1:], args[0]) + "\n", true
	case verb == "unescape" && len(args) == 1:
		return args[0] + "\n", true
	}
	return "", false
}

// decodeWith decodes a text that may be broken into lines.
func decodeWith(in string, wanted bool, decode func(string) ([]byte, error)) (string, bool) {
	if !wanted {
		return "", false
	}
	in = strings.Map(func(r rune) rune {
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
			return -1
		}
		return r
	}, in)
	out, err := decode(in)
	return string(out), err == nil || len(out) > 0
}

// echo is what echo writes. Escapes count whether or not this shell's echo
// knows them: reading them makes no command less.
func echo(args []string) string {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		args = args[1:]
	}
	return unescape(strings.Join(args, " ")) + "\n"
}

// printf is what printf writes; ok is false for conversions of other than text
// and whole numbers.
func printf(args []string) (string, bool) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || args[0] == "-v" {
		return "", false
	}
	format, args := unescape(args[0]), args[1:]
	var b strings.Builder
	for {
		used := 0
		for i := 0; i < len(format); i++ {
			if format[i] != '%' || i+1 == len(format) {
				b.WriteByte(format[i])
				continue
			}
			i++
			arg := ""
			if format[i] != '%' && used < len(args) {
				arg = args[used]
			}
			switch format[i] {
			case '%':
				b.WriteByte('%')
				continue
			case 's', 'd', 'i', 'u':
				b.WriteString(arg)
			case 'b':
				b.WriteString(unescape(arg))
			default:
				return "", false
			}
			used++
		}
		if used == 0 || used >= len(args) || b.Len() > maxDecoded {
			return b.String(), true
		}
		args = args[used:]
	}
}

// unescape reads the backslash escapes of printf(1) and echo -e.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		base, from, most := 0, i, 0
		switch c := s[i]; c {
		case 'a', 'b', 'f', 'v', 'r':
			b.WriteByte(' ')
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case '\\':
			b.WriteByte('\\')
		case 'x':
			base, from, most = 16, i+1, 2
		case 'u':
			base, from, most = 16, i+1, 4
		case '0', '1', '2', '3', '4', '5', '6', '7':
			base, most = 8, 3
			if c == '0' {
				most = 4
			}
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
		if base == 0 {
			continue
		}
		end := from
		for end < len(s) && end < from+most && digit(s[end]) < base {
			end++
		}
		n, err := strconv.ParseUint(s[from:end], base, 32)
		switch {
		case err != nil:
			b.WriteString(s[i-1 : i+1])
			continue
		case s[i] == 'u':
			b.WriteRune(rune(n))
		default:
			b.WriteByte(byte(n))
		}
		i = end - 1
	}
	return b.String()
}

// digit is the value of a hexadecimal digit, 99 for another byte.
func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return 99
}

func rev(in string) string {
	lines := strings.Split(in, "\n")
	for i, l := range lines {
		runes := []rune(l)
		for a, z := 0, len(runes)-1; a < z; a, z = a+1, z-1 {
			runes[a], runes[z] = runes[z], runes[a]
		}
		lines[i] = string(runes)
	}
	return strings.Join(lines, "\n")
}

// tr translates or deletes the bytes of plain sets and ranges.
func tr(args []string, in string) (string, bool) {
	remove := len(args) == 2 && args[0] == "-d"
	if len(args) != 2 || !remove && strings.HasPrefix(args[0], "-") {
		return "", false
	}
	from, to := set(args[0]), ""
	if remove {
		from = set(args[1])
	} else if to = set(args[1]); to == "" {
		return "", false
	}
	var b strings.Builder
	for i := range len(in) {
		switch k := strings.LastIndexByte(from, in[i]); {
		case k < 0:
			b.WriteByte(in[i])
		case !remove:
			b.WriteByte(to[min(k, len(to)-1)])
		}
	}
	return b.String(), !strings.Contains(args[0]+args[1], "[:")
}

// set writes a set of tr(1) out: a-z is every letter.
func set(s string) string {
	s = unescape(s)
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if i+2 < len(s) && s[i+1] == '-' && s[i+2] >= s[i] {
			for c := int(s[i]); c <= int(s[i+2]); c++ {
				b.WriteByte(byte(c))
			}
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
