package code

import "github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"

// importing reports whether what follows the tokens belongs to an import statement.
func importing(before []token) bool {
	for i := len(before) - 1; i >= 0; i-- {
		switch t := before[i]; {
		case t.literal:
		case t.text == ";":
			return false
		case t.text == "import":
			return true
		}
	}
	return false
}

// assignments finds the literals that variables are given, in a text that is read
// once from its beginning.
type assignments struct {
	tokens []token
	read   int              // how many are looked at
	first  map[string]token // the first literal that each variable is given
}

// before returns the first literal that a variable is given in the first n tokens.
func (a *assignments) before(name string, n int) (token, bool) {
	for ; a.read+2 < n; a.read++ {
		t := a.tokens[a.read : a.read+3]
		if t[0].literal || t[1].text != "=" || !t[2].literal {
			continue
		}
		if a.first == nil {
			a.first = map[string]token{}
		}
		if _, ok := a.first[t[0].text]; !ok {
			a.first[t[0].text] = t[2]
		}
	}
	t, ok := a.first[name]
	return t, ok
}

// fill puts the text of a variable in its place among the arguments of the call at
// token i, if one stands there alone that a literal was assigned to before.
func (a *assignments) fill(i int) {
	args, k := a.tokens[i+1:], 0
	for k < len(args) && !args[k].literal && wordlist.Has("( $ [ @", args[k].text) {
		k++
	}
	if k >= len(args) || args[k].literal || !isWord(args[k].text[0]) || k+1 < len(args) && (args[k+1].literal || wordlist.Has("( . [ + =", args[k+1].text)) {
		return
	}
	if value, ok := a.before(args[k].text, i); ok {
		args[k] = value
	}
}

// soleLiteral returns the text of a call's only argument if it is a literal.
func soleLiteral(args []token) (string, bool) {
	if len(args) > 0 && args[0].text == "(" && !args[0].literal {
		args = args[1:]
	}
	if len(args) == 0 || !args[0].literal || len(args) > 1 && (args[1].literal || !wordlist.Has(") ; , }", args[1].text)) {
		return "", false
	}
	return args[0].text, true
}

// literalArgument returns the text of a call's argument of a number, from 1 on, if it is a
// literal and nothing else; "" for any other.
func literalArgument(args []token, number int) string {
	depth, bare := 0, true // without brackets, as in Perl and Ruby
	if len(args) > 0 && !args[0].literal && args[0].text == "(" {
		args, bare = args[1:], false
	}
	at, start := 1, 0
	end := func(i int) string {
		if at == number && i == start+1 && args[start].literal {
			return args[start].text
		}
		return ""
	}
	for i, t := range args {
		switch {
		case t.literal:
		case wordlist.Has("( [ {", t.text):
			depth++
		case wordlist.Has(") ] }", t.text) && depth > 0:
			depth--
		case depth == 0 && (wordlist.Has(") ] }", t.text) || bare && t.text == ";"):
			return end(i)
		case depth == 0 && t.text == ",":
			if at == number {
				return end(i)
			}
			at, start = at+1, i+1
		}
	}
	return end(len(args))
}
