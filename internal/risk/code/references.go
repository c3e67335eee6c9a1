package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
)

// references adds to names those that a program gives to functions which it could
// call by their own, and to modules: f = os.system, const r = require('fs').rmSync,
// import('fs').then(f => …).
func references(lang string, s []token, means meanings, names map[string]string) map[string]string {
	put := func(name, stands string) {
		if names == nil {
			names = map[string]string{}
		}
		names[name] = stands
	}
	for i := 1; i+1 < len(s); i++ {
		if s[i].literal || s[i].text != "=" || s[i-1].literal || !isWord(s[i-1].text[0]) {
			continue
		}
		if s[i+1].text == ">" && !s[i+1].literal { // a function of one argument: of what was loaded
			if i > 3 && s[i-2].text == "(" && s[i-3].text == "then" {
				if module := loaded(s, i-3); module != "" {
					put(s[i-1].text, module)
				}
			}
			continue
		}
		k := i + 1
		if k+4 < len(s) && loads(s[k].text) {
			k += 4 // require ( 'fs' ) name
		}
		if k >= len(s) || s[k].literal || !isWord(s[k].text[0]) || k+1 < len(s) && !s[k+1].literal && !wordlist.Has("; , ) }", s[k+1].text) {
			continue
		}
		name := imported(names, s[k].text)
		if module := loaded(s, k); module != "" {
			name = module + "." + name
		}
		if means.mean(called{lang: lang, name: name}) != "" && s[i-1].text != s[k].text {
			put(s[i-1].text, name)
		}
	}
	return names
}

// loads reports whether a function gives the module that its argument names.
func loads(name string) bool {
	return wordlist.Has("__import__ require import import_module importlib.import_module", name) || strings.HasSuffix(name, ".require")
}

// loaded returns the module of which the name at token i is: require('fs').rm. It is
// "" for any other.
func loaded(s []token, i int) string {
	if i < 4 || s[i-1].literal || s[i-1].text != ")" || !s[i-2].literal || s[i-3].text != "(" || s[i-4].literal || !loads(s[i-4].text) {
		return ""
	}
	return strings.TrimPrefix(s[i-2].text, "node:")
}

// function returns the name of the function that a variable holds which is called at
// token i, and what follows: $f = "system"; $f(…). It is "" for any other.
func (a *assignments) function(lang string, i int) (name string, args []token) {
	s := a.tokens
	if lang != "php" && lang != "perl" || i < 1 || s[i-1].literal || s[i-1].text != "$" || i+1 >= len(s) {
		return "", nil
	}
	k := i + 1
	if lang == "perl" {
		if k+2 >= len(s) || s[k].text != "-" || s[k+1].text != ">" {
			return "", nil
		}
		k += 2
	}
	if s[k].literal || s[k].text != "(" {
		return "", nil
	}
	value, ok := a.before(s[i].text, i)
	if !ok {
		return "", nil
	}
	return value.text, s[k:]
}
