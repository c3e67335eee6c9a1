package risk

import "slices"

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

// assigned returns the arguments of a call with the text of a variable in its place,
// if one stands there alone that a literal was assigned to before.
func assigned(before, args []token) []token {
	k := 0
	for k < len(args) && !args[k].literal && oneOf("( $ [ @", args[k].text) {
		k++
	}
	if k >= len(args) || args[k].literal || !isWord(args[k].text[0]) || k+1 < len(args) && (args[k+1].literal || oneOf("( . [ + =", args[k+1].text)) {
		return args
	}
	for i := 0; i+2 < len(before); i++ {
		if before[i].text == args[k].text && !before[i].literal && before[i+1].text == "=" && before[i+2].literal {
			args = slices.Clone(args)
			args[k] = before[i+2]
			break
		}
	}
	return args
}

// soleLiteral returns the text of a call's only argument if it is a literal.
func soleLiteral(args []token) (string, bool) {
	if len(args) > 0 && args[0].text == "(" && !args[0].literal {
		args = args[1:]
	}
	if len(args) == 0 || !args[0].literal || len(args) > 1 && (args[1].literal || !oneOf(") ; , }", args[1].text)) {
		return "", false
	}
	return args[0].text, true
}
