package risk

import (
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// consoleCode judges the program that the command of a framework has among its
// words: rails runner CODE, manage.py shell -c CODE, artisan tinker --execute=CODE.
func consoleCode(b *argv.Bound, at int) (v Verdict, ok bool) {
	w := b.Words
	name := path.Base(w[0])
	if wordlist.Has("python python3 php", name) && len(w) > 1 {
		w, at = w[1:], at+1
		name = path.Base(w[0])
	}
	if len(w) < 3 {
		return Verdict{}, false
	}
	lang, options := "", ""
	switch {
	case name == "rails" && wordlist.Has("runner r", w[1]):
		lang = "ruby"
	case wordlist.Has("manage.py django-admin", name) && w[1] == "shell":
		lang, options = "python", "-c --command"
	case name == "artisan" && w[1] == "tinker":
		lang, options = "php", "--execute"
	case name == "wp" && w[1] == "eval", name == "drush" && wordlist.Has("php:eval php-eval eval ev", w[1]):
		lang = "php"
	case name == "mix" && w[1] == "run":
		lang, options = "other", "-e --eval"
	default:
		return Verdict{}, false
	}
	v = Verdict{Level: tcpdb.Safe, Known: true}
	for i := 2; i < len(w); i++ {
		text := w[i]
		option, value, attached := strings.Cut(text, "=")
		switch {
		case options == "":
		case attached && wordlist.Has(options, option):
			text = value
		case !wordlist.Has(options, w[i-1]):
			continue
		}
		o := Code(lang, text)
		o.place(at + i)
		v.merge(o)
		ok = true
		if options == "" {
			break
		}
	}
	return v, ok
}
