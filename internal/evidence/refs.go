package evidence

import (
	"slices"
	"strings"
)

// references are the commands whose help a text sends its reader to, each by the
// words of its path: "see 'go help build'", "frob add --help".
func references(tool, text string) []string {
	var out []string
	add := func(words string, most int) {
		path := words
		if end := strings.IndexFunc(words, func(r rune) bool { return !(r < 0x80 && isAlnum(byte(r))) && r != '-' && r != ' ' && r != '_' }); end >= 0 {
			path = words[:end]
		}
		fields := strings.Fields(path)
		for n := 1; n <= min(len(fields), most); n++ {
			if key := strings.Join(fields[:n], " "); !slices.Contains(out, key) && len(out) < 100 {
				out = append(out, key)
			}
		}
	}
	for _, part := range strings.Split(text, tool+" help ")[1:] {
		add(part, 2)
	}
	for _, part := range strings.Split(text, tool+" ")[1:] {
		if words, _, ok := strings.Cut(part, " --help"); ok && len(words) < 40 && !strings.ContainsAny(words, "<[\n'\"`") {
			add(words, 3)
		}
	}
	return out
}

// namesElsewhere reports whether a text that the command's own text sends its
// reader to names an option.
func (x *Texts) namesElsewhere(n *nodeText, name string) bool {
	for _, key := range n.refs {
		if other := x.nodes[key]; other != nil && other != n && len(other.names[name]) > 0 {
			return true
		}
	}
	return false
}

// namesKeyword reports whether a command's text shows a word that is no option by
// its form, such as "dev" in "ip address show [ dev IFNAME ]", as one that is
// typed.
func (n *nodeText) namesKeyword(name string) bool { return n.words[name] }
