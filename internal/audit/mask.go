package audit

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// hidden stands for a secret.
const hidden = "***"

// Mask hides what looks like a secret in a command line: values of options and
// variables with telling names, passwords of mysql and curl, credentials in
// URLs, Authorization headers, keys and tokens by their forms, what is printed or
// handed to a command that reads a password, and what the map says is a secret;
// view may be nil. It rather hides too much. It reads the text and no grammar:
// quotes stay where they are.
func Mask(line string, view *tcpdb.View) string {
	line = maskKeys(line)
	fed := readsSecret(line, view)
	var b strings.Builder
	c := command{view: view} // the latest
	expect := true           // the next word is a command's
	value := false           // the next word is the value of an option
	hide := false            // the next word is a secret
	for i := 0; i < len(line); {
		n := blankLen(line[i:])
		b.WriteString(line[i : i+n])
		if i += n; i == len(line) {
			break
		}
		n = shline.WordLen(line[i:], " \t\n")
		word := line[i : i+n]
		i += n
		switch {
		case word == "|" || word == "||" || word == "&&" || word == ";" || word == "&" || word == "(" || word == "{" || word == "then" || word == "do":
			expect, hide = true, false
			b.WriteString(word)
			continue
		case word == "--" && !expect && c.trails():
			expect, hide = true, false
			b.WriteString(word)
			continue
		case word == "<<<":
			hide = hide || fed
			b.WriteString(word)
			continue
		case fed && len(word) > 3 && strings.HasPrefix(word, "<<<"):
			hide = false
			b.WriteString(word[:3] + masked(word[3:]))
			continue
		case hide && !isOption(word) || hide && strings.HasPrefix(word, "-"):
			hide = false
			b.WriteString(masked(word))
			continue
		}
		if value {
			value = false
			out, _ := maskWord(word, &command{})
			b.WriteString(out)
			continue
		}
		if expect && c.carries() && c.node().Sub(word) != nil { // a command of the wrapper's own
			expect = false
		}
		value = isOption(word) && c.takes(word)
		if !expect && !isOption(word) {
			// What is printed may be meant for the command that reads.
			if c.argument(strings.TrimSuffix(word, ";")) || fed && (c.name == "echo" || c.name == "printf") {
				b.WriteString(masked(word))
				expect = strings.HasSuffix(word, ";")
				continue
			}
		}
		if inner, ok := lineIn(word, view); ok {
			q := word[:1]
			b.WriteString(q + Mask(inner, view) + q)
			continue
		}
		out, next := maskWord(word, &c)
		hide = next || !expect && setting(word)
		b.WriteString(out)
		if name, _, set := strings.Cut(word, "="); expect && !(set && isName(name)) && !strings.HasPrefix(word, "-") {
			c.start(baseName(word))
			expect = c.carries()
		}
		expect = expect || strings.HasSuffix(word, ";")
	}
	return b.String()
}

// lineIn returns the text of a quoted word that begins with a command of the map:
// a line for another shell, sh -c 'curl -u …'.
func lineIn(word string, view *tcpdb.View) (string, bool) {
	if view == nil || len(word) < 3 || word[0] != '\'' && word[0] != '"' || word[len(word)-1] != word[0] {
		return "", false
	}
	inner := word[1 : len(word)-1]
	first, _, several := strings.Cut(strings.TrimLeft(inner, " \t"), " ")
	return inner, several && first != "" && view.Root(baseName(first)) != nil
}

func blankLen(s string) int {
	for i := range len(s) {
		if s[i] != ' ' && s[i] != '\t' && s[i] != '\n' {
			return i
		}
	}
	return len(s)
}

func isOption(word string) bool { return strings.HasPrefix(word, "-") }

// masked hides a word but its quotes and a ";" at its end.
func masked(word string) string {
	end := ""
	if strings.HasSuffix(word, ";") {
		word, end = word[:len(word)-1], ";"
	}
	for _, q := range [...]string{`"`, `'`} {
		if len(word) >= 2 && strings.HasPrefix(word, q) && strings.HasSuffix(word, q) {
			return q + hidden + q + end
		}
	}
	return hidden + end
}

// maskWord hides what is secret in one word; next says that the word after it is.
func maskWord(word string, c *command) (out string, next bool) {
	bare := strings.Trim(word, `"'`)
	if name, value, ok := strings.Cut(word, "="); ok && value != "" {
		plain := strings.TrimLeft(strings.Trim(name, `"'`), "-")
		if isName(strings.NewReplacer("-", "_", ".", "_").Replace(plain)) && secretName(plain) {
			return name + "=" + masked(value), false
		}
	}
	switch {
	case strings.HasPrefix(bare, "--") && !strings.Contains(bare, "=") && secretName(bare[2:]):
		return word, true
	case c.secretOption(word):
		return word, true
	case strings.HasPrefix(word, "/p:"): // the remote desktops
		return "/p:" + masked(word[3:]), false
	}
	if option, secret := c.joined(word); secret != "" {
		return option + masked(secret), false
	}
	return maskURL(maskPlaces(maskHeader(maskTokens(word)))), false
}

// secretName reports whether a variable or option of that name holds a secret.
func secretName(name string) bool {
	n := strings.ToLower(strings.ReplaceAll(name, "-", "_"))
	switch n {
	case "pwd", "oldpwd", "public_key", "keyboard", "monkey", "key_file", "keyfile", "token_file", "password_file", "secret_name", "no_password",
		"password_stdin", "passwordfd", "ssh_key", "sort_key", "keys":
		return false
	case "pass", "pw", "key", "pat", "auth", "bearer", "cookie", "pgpassword", "mysql_pwd", "sshpass", "passwd", "psw":
		return true
	}
	for _, part := range [...]string{"password", "passwd", "passphrase", "secret", "token", "api_key", "apikey", "access_key", "private_key", "credential", "auth_key", "authkey", "signing_key", "encryption_key", "session_key"} {
		if strings.Contains(n, part) {
			return true
		}
	}
	return strings.HasSuffix(n, "_key") || strings.HasSuffix(n, "_pass") || strings.HasSuffix(n, "_pw") || strings.HasSuffix(n, "_pwd") || strings.HasSuffix(n, "_pat")
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// maskHeader hides what follows the name of a header that authenticates, and
// fields of telling names in JSON and queries.
func maskHeader(word string) string {
	lower := lowered(word)
	for _, name := range [...]string{"authorization:", "x-api-key:", "x-auth-token:", "private-token:", "cookie:", "x-vault-token:", "proxy-authorization:"} {
		if k := strings.Index(lower, name); k >= 0 {
			at := k + len(name)
			end := ""
			if q := strings.IndexAny(word[at:], `"'`); q >= 0 {
				end = word[at+q:]
				if strings.Trim(end, `"'`) != "" {
					end = end[:1]
				}
			}
			return word[:at] + " " + hidden + end
		}
	}
	for _, name := range [...]string{"password", "passwd", "secret", "token", "api_key", "apikey", "access_key"} {
		for from := 0; ; {
			k := strings.Index(lower[from:], name)
			if k < 0 {
				break
			}
			from += k + len(name)
			rest := word[from:]
			lead := len(rest) - len(strings.TrimLeft(rest, `"'\ `))
			if lead == len(rest) || rest[lead] != ':' && rest[lead] != '=' {
				continue
			}
			lead++
			lead += len(rest[lead:]) - len(strings.TrimLeft(rest[lead:], `"'\ `))
			end := strings.IndexAny(rest[lead:], `"'\&,} `)
			if end < 0 {
				end = len(rest) - lead
			}
			if end == 0 {
				continue
			}
			word = word[:from+lead] + hidden + rest[lead+end:]
			lower = lowered(word)
		}
	}
	return word
}

// lowered writes ASCII letters small and leaves every byte in its place.
func lowered(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// maskURL hides the credentials of URLs: user:password@, a token as user.
func maskURL(word string) string {
	for from := 0; ; {
		k := strings.Index(word[from:], "://")
		if k < 0 {
			return word
		}
		from += k + 3
		end := strings.IndexAny(word[from:], `/?#"' `)
		if end < 0 {
			end = len(word) - from
		}
		at := strings.LastIndexByte(word[from:from+end], '@')
		if at < 0 {
			continue
		}
		user, _, has := strings.Cut(word[from:from+at], ":")
		switch {
		case has && user != "" && len(user) < 20:
			user += ":" + hidden
		case has || len(user) >= 20:
			user = hidden
		}
		word = word[:from] + user + word[from+at:]
		from += len(user)
	}
}

// maskTokens hides runs of characters that have the form of a known kind of key.
func maskTokens(word string) string {
	var b strings.Builder
	for i := 0; i < len(word); {
		n := 0
		for i+n < len(word) && tokenByte(word[i+n]) {
			n++
		}
		if n == 0 {
			b.WriteByte(word[i])
			i++
			continue
		}
		if run := word[i : i+n]; isToken(run) {
			b.WriteString(hidden)
		} else {
			b.WriteString(run)
		}
		i += n
	}
	return b.String()
}

func tokenByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// isToken reports whether a run of characters is a key of a well-known form.
func isToken(s string) bool {
	for _, p := range [...]struct {
		prefix string
		least  int
	}{
		{"AKIA", 20},
		{"ASIA", 20},
		{"ghp_", 20},
		{"gho_", 20},
		{"ghu_", 20},
		{"ghs_", 20},
		{"ghr_", 20},
		{"github_pat_", 20},
		{"glpat-", 16},
		{"xoxb-", 16},
		{"xoxp-", 16},
		{"xoxa-", 16},
		{"xapp-", 16},
		{"sk-", 20},
		{"sk_live_", 16},
		{"sk_test_", 16},
		{"rk_live_", 16},
		{"npm_", 20},
		{"pypi-", 20},
		{"dop_v1_", 20},
		{"hvs.", 16},
		{"AIza", 30},
		{"ya29.", 20},
		{"SG.", 20},
		{"eyJ", 40},
		{"dckr_pat_", 16},
		{"hf_", 20},
	} {
		if len(s) >= p.least && strings.HasPrefix(s, p.prefix) {
			return true
		}
	}
	return false
}
