package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// ex rates commands of vi, ex or ed, one a line.
func ex(code string) Reading {
	v := Reading{Level: tcpdb.Safe, Files: readBy(code, "ex", "so source so! source!")}
	for line := range strings.Lines(code) {
		v.merge(exCommand(strings.TrimSpace(line), 0))
	}
	return v
}

// maxNested bounds how deep commands may carry each other; what is deeper says
// nothing.
const maxNested = 16

// exCommand rates one line of ex commands.
func exCommand(line string, depth int) Reading {
	quiet := Reading{Level: tcpdb.Safe}
	text := strings.TrimLeft(line, ": \t")
	body := strings.TrimLeft(text, "%0123456789,.$+-;'<>* ")
	ranged := body != text
	verb, rest := exVerb(body)
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "!"), " \t")
	shell := strings.HasPrefix(strings.TrimLeft(body[len(verb):], " \t"), "!")
	switch {
	case depth > maxNested, body == "":
		return quiet
	case verb == "" && body[0] == '!' && ranged, shell && wordlist.Has("w write W", verb):
		return starts("cat x | " + strings.TrimLeft(body[len(verb):], "! \t"))
	case verb == "" && body[0] == '!', shell && wordlist.Has("r read", verb), wordlist.Has("te ter term termi termin termina terminal", verb) && rest != "":
		return starts(strings.TrimLeft(body[len(verb):], "! \t"))
	case wordlist.Has("sil silent uns unsilent noa noautocmd keepa keepalt keepj keepjumps keepp keeppatterns keepm keepmarks lockm lockmarks verb verbose "+
		"bufdo argdo windo tabdo cdo cfdo ldo lfdo tab vert vertical aboveleft belowright botright topleft sandbox hide confirm", verb):
		return exCommand(rest, depth+1)
	case wordlist.Has("exe execute", verb):
		return exCommand(literals(tokens("node", rest)), depth+1)
	case wordlist.Has("lua luado", verb):
		v := Read("lua", rest)
		v.merge(exCalls(rest))
		return v
	case wordlist.Has("py python py3 python3 pyx pythonx pydo py3do pyxdo", verb):
		return Read("python", rest)
	case verb == "rub":
		return Read("ruby", rest)
	case wordlist.Has("perl ruby tcl", verb):
		return Read(verb, rest)
	case wordlist.Has("g global v vglobal", verb) && rest != "":
		_, n := quoted(rest[1:], rest[:1])
		return exCommand(rest[min(1+n, len(rest)):], depth+1)
	}
	v := exCalls(body)
	if _, after, found := strings.Cut(body, "|"); found {
		v.merge(exCommand(strings.TrimSpace(after), depth+1))
	}
	return v
}

// exVerb cuts the name off a command.
func exVerb(s string) (verb, rest string) {
	n := 0
	for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 0 && s[n] == '3') {
		n++
	}
	return s[:n], s[n:]
}

// exCalls rates the functions that Vim script calls.
func exCalls(code string) Reading {
	v := Reading{Level: tcpdb.Safe}
	s := tokens("node", code)
	for i, t := range s {
		if t.literal || i+1 >= len(s) || s[i+1].text != "(" {
			continue
		}
		switch meaning("vim", called{name: t.text}) {
		case "delete":
			v.merge(says(tcpdb.Critical, tcpdb.Destructive|tcpdb.FileModification, tcpdb.NamedFiles, "code.delete", "deletes files"))
		case "shell":
			v.merge(starts(literals(s[i+1:])))
		case "write":
			v.merge(writes(""))
		}
	}
	return v
}
