package audit

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// command is what is known of the command whose words are being read: the tool's
// node of the map and those of the sub-commands that were met.
type command struct {
	name  string
	view  *tcpdb.View
	chain []*tcpdb.Node
	args  int // arguments so far
}

// start begins a command with its word.
func (c *command) start(name string) {
	c.name, c.args, c.chain = name, 0, c.chain[:0]
	if c.view == nil || name == "" {
		return
	}
	if n := c.view.Root(name); n != nil {
		c.chain = append(c.chain, n)
	}
}

// node is the command that acts, nil if nothing is known of it.
func (c *command) node() *tcpdb.Node {
	if len(c.chain) == 0 {
		return nil
	}
	return c.chain[len(c.chain)-1]
}

// trails reports whether another command follows "--": tmp run -- make.
func (c *command) trails() bool {
	n := c.node()
	return n != nil && n.Wrapper.Mode == tcpdb.WrapTrailer && slices.Contains(n.Wrapper.Markers, "--")
}

// argument notes a word that is no option, and reports whether the map says that
// it is a secret.
func (c *command) argument(word string) bool {
	n := c.node()
	if n == nil {
		return false
	}
	if sub := n.Sub(word); sub != nil && c.args == 0 {
		c.chain = append(c.chain, c.view.Open(sub))
		return false
	}
	at := c.args
	c.args++
	for i := range n.Args {
		if i == at || i < at && n.Args[i].Repeatable {
			return n.Args[i].Role == tcpdb.SecretRole
		}
	}
	return false
}

// option returns the option that a word names, nil if the map does not know it.
func (c *command) option(name string) *tcpdb.Flag {
	for i := len(c.chain) - 1; i >= 0; i-- {
		if f := c.chain[i].Flag(name); f != nil {
			return f
		}
	}
	return nil
}

// secretOption reports whether the word after an option is a secret, which the
// option's own name does not tell.
func (c *command) secretOption(word string) bool {
	f := c.option(word)
	return f != nil && f.Role == tcpdb.SecretRole && f.Value == tcpdb.RequiredValue
}

// takes reports whether the word after an option is its value, and no secret.
func (c *command) takes(word string) bool {
	f := c.option(word)
	return f != nil && f.Role != tcpdb.SecretRole && f.Value == tcpdb.RequiredValue
}

// joined cuts a secret off the short option that it is joined to: -pPASSWORD.
func (c *command) joined(word string) (option, secret string) {
	if len(word) < 3 || word[0] != '-' || word[1] == '-' {
		return "", ""
	}
	if f := c.option(word[:2]); f != nil && f.Role == tcpdb.SecretRole && f.Value != tcpdb.NoValue && c.option(word) == nil {
		return word[:2], word[2:]
	}
	return "", ""
}

// carries reports whether the command's word is followed by another command.
func (c *command) carries() bool {
	n := c.node()
	return n != nil && (n.Wrapper.Mode == tcpdb.WrapWords || n.Wrapper.Mode == tcpdb.WrapJoined) && n.Wrapper.Skip == 0
}

// setting reports whether a word names a setting that is secret, so that the next
// word is its value: aws configure set aws_secret_access_key X. Without "_" or
// "." it is more often a verb or a thing: gh secret delete.
func setting(word string) bool {
	word = strings.Trim(word, `"'`)
	name := word[strings.LastIndexByte(word, '.')+1:]
	return word == "password" || strings.ContainsAny(word, "_.") && isName(name) && secretName(name)
}

// readsSecret reports whether a command of the line reads a password from its
// standard input, so that what is printed or handed to it there may be one.
func readsSecret(line string, view *tcpdb.View) bool {
	for _, s := range [...]string{"-stdin", "--with-token", "--passphrase-fd"} {
		if strings.Contains(line, s) {
			return true
		}
	}
	c := command{view: view}
	expect, value := true, false // the next word is a command's, an option's value
	for w := range strings.FieldsSeq(line) {
		switch {
		case value:
			value = false
		case strings.Trim(w, "|&;(){") == "":
			expect = true
		case len(w) > 1 && w[0] == '-':
			if c.readsSecret(w) {
				return true
			}
			value = c.takes(w)
		case expect:
			if c.start(baseName(w)); c.node() != nil && c.node().HasClass(tcpdb.ReadsSecretClass) {
				return true
			}
			expect = c.carries()
		default:
			c.argument(w)
		}
	}
	return false
}

// readsSecret reports whether a word is an option, or several of one letter, with
// which the command reads a secret.
func (c *command) readsSecret(word string) bool {
	if f := c.option(word); f != nil || word[1] == '-' {
		return f != nil && f.Role == tcpdb.SecretInputRole
	}
	for k := 1; k < len(word); k++ {
		f := c.option("-" + word[k:k+1])
		if f == nil || f.Value != tcpdb.NoValue && f.Role != tcpdb.SecretInputRole {
			return false
		}
		if f.Role == tcpdb.SecretInputRole {
			return true
		}
	}
	return false
}

// baseName is a command's name without quotes and path.
func baseName(word string) string {
	return strings.Trim(word[strings.LastIndexByte(word, '/')+1:], `"'`)
}

// maskKeys hides private keys that are written out, to their end.
func maskKeys(line string) string {
	const begin, end = "PRIVATE KEY-----", "-----END"
	k := strings.Index(line, begin)
	if k < 0 {
		return line
	}
	head, rest := line[:k+len(begin)], line[k+len(begin):]
	if strings.HasPrefix(rest, hidden) {
		return line
	}
	if e := strings.Index(rest, end); e >= 0 {
		return head + hidden + rest[e:]
	}
	return head + hidden
}

// maskPlaces hides the secret parts of URLs: parameters of telling names, and
// addresses that are themselves the secret.
func maskPlaces(word string) string {
	if !strings.Contains(word, "://") {
		return word
	}
	for _, place := range [...]string{"hooks.slack.com/services/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/", "api.telegram.org/bot", ".webhook.office.com/"} {
		if k := strings.Index(word, place); k >= 0 {
			k += len(place)
			word = word[:k] + hidden + word[k+span(word[k:], `"' `):]
		}
	}
	var b strings.Builder
	for {
		k := strings.IndexAny(word, "?&")
		if k < 0 {
			break
		}
		b.WriteString(word[:k+1])
		word = word[k+1:]
		name, value, ok := strings.Cut(word[:span(word, `&#"' `)], "=")
		if ok && value != "" && secretName(name) {
			b.WriteString(name + "=" + hidden)
			word = word[len(name)+1+len(value):]
		}
	}
	b.WriteString(word)
	return b.String()
}

// span is the length of what comes before the first of some bytes.
func span(s, ends string) int {
	if k := strings.IndexAny(s, ends); k >= 0 {
		return k
	}
	return len(s)
}
