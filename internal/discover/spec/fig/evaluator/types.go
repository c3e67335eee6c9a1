package evaluator

import "strconv"

// types removes what TypeScript adds to JavaScript, as far as specs use it:
// annotations of variables, parameters and results, interfaces and aliases,
// "as", "satisfies", "!" and the arguments of types. What it does not know stays
// and is a fault of the syntax later.
func (r *rewriter) types() {
	for i := 0; i < len(r.tokens); i++ {
		i = r.typed(i)
	}
}

// typed removes types that begin at a token and returns the last token that is
// done with.
func (r *rewriter) typed(i int) int {
	switch {
	case r.starts(i) && r.is(i, "interface") && r.kind(i+1) == wordToken,
		r.starts(i) && r.is(i, "type") && r.kind(i+1) == wordToken && r.is(i+2, "=", "<"),
		r.starts(i) && r.is(i, "declare") && r.kind(i+1) == wordToken && !r.is(i+1, "in", "of"):
		return r.declaration(i, i)
	case r.starts(i) && r.is(i, "export") && (r.is(i+1, "interface", "declare") || r.is(i+1, "type") && r.kind(i+2) == wordToken && !r.is(i+2, "from")):
		return r.declaration(i, i+1)
	case r.starts(i) && r.is(i, "export", "import") && r.is(i+1, "type") && r.is(i+2, "{"):
		if r.is(i, "export") {
			r.cut(i, r.tokens[i+2].match+1)
		}
	case r.is(i, "enum") && r.kind(i+1) == wordToken && r.is(i+2, "{") && r.tokens[i+2].match > 0:
		return r.enum(i)
	case r.is(i, "const", "let", "var") && !r.is(i-1, "."):
		r.variable(i + 1)
	case r.is(i, "(") && r.tokens[i].match > 0:
		r.parens(i)
	case r.is(i, "<") && r.tokens[i].kind == punctToken:
		r.arguments(i)
	case r.is(i, "as", "satisfies") && r.valueEnds(i-1) && !r.tokens[i].newline && r.typeMayStart(i+1):
		if j := r.skipType(i + 1); j > i+1 {
			r.cut(i, j)
			return j - 1
		}
	case r.is(i, "!") && r.valueEnds(i-1) && !r.tokens[i].newline && r.is(i+1, ".", ")", "]", ",", ";", "[", "(", "}", "?."):
		r.cut(i, i+1)
	}
	return i
}

// declaration removes an interface, an alias or what is declared elsewhere.
func (r *rewriter) declaration(begin, i int) int {
	j := i + 1
	switch {
	case r.is(i, "type"):
		for j++; r.is(j, "<"); {
			k := r.skipArguments(j, 0)
			if k == j {
				return begin
			}
			j = k
		}
		if !r.is(j, "=") {
			return begin
		}
		if j = r.skipType(j + 1); r.is(j, ";") {
			j++
		}
	default:
		for ; r.kind(j) != endToken && !r.is(j, ";"); j++ {
			if r.is(j, "{") && r.tokens[j].match > 0 {
				j = r.tokens[j].match
				break
			}
		}
		j++
	}
	j = min(j, len(r.tokens)-1)
	r.cut(begin, j)
	return j - 1
}

// enum makes an object of an enumeration: members without a value count on from 0.
func (r *rewriter) enum(i int) int {
	begin := i
	if r.is(i-1, "const") {
		begin--
	}
	r.put(begin, i+1, "const")
	r.put(i+2, i+3, "={")
	open, end := i+2, r.tokens[i+2].match
	n := 0
	for j := open + 1; j < end; j++ {
		name := j
		switch j++; {
		case r.is(j, "="):
			r.put(j, j+1, ":")
		case r.is(j, ",") || j == end:
			r.put(name, name+1, r.tokens[name].text+":"+strconv.Itoa(n))
		default:
			return i
		}
		for n++; j < end && !r.is(j, ","); j++ {
			if r.tokens[j].match > j {
				j = r.tokens[j].match
			}
		}
	}
	return end
}

// variable removes the type of a variable whose name or pattern begins at i.
func (r *rewriter) variable(i int) {
	j := r.pattern(i)
	if j == i {
		return
	}
	if r.is(j, "!") && r.is(j+1, ":") {
		r.cut(j, j+1)
		j++
	}
	if r.is(j, ":") {
		if k := r.skipType(j + 1); k > j+1 {
			r.cut(j, k)
		}
	}
}

// pattern returns the token after a name or a pattern that is bound.
func (r *rewriter) pattern(i int) int {
	switch {
	case r.is(i, "{", "[") && r.tokens[i].match > 0:
		return r.tokens[i].match + 1
	case r.kind(i) == wordToken:
		return i + 1
	}
	return i
}

// parens looks at what a bracket encloses: parameters of an arrow function, of a
// function or of a method, or what is caught.
func (r *rewriter) parens(i int) {
	end := r.tokens[i].match
	after := end + 1
	if r.is(after, ":") && !r.is(i-1, "?") {
		k := r.skipType(after + 1)
		switch {
		case k == after+1:
		case r.is(k, "=>"), r.is(k, "{") && r.named(i):
			r.cut(after, k)
			r.parameters(i+1, end)
			return
		}
	}
	if r.is(after, "=>") || r.is(after, "{") && r.named(i) || r.is(i-1, "catch") {
		r.parameters(i+1, end)
	}
}

// named reports whether what stands before a bracket is the name of a function
// or method: no statement has its brackets there.
func (r *rewriter) named(i int) bool {
	if r.is(i-1, ">") {
		return true
	}
	return r.is(i-1, "]", "function") || r.kind(i-1) == textToken || r.kind(i-1) == wordToken && !r.is(i-1, "if", "for", "while", "switch", "catch", "with", "return", "typeof", "await")
}

// parameters removes the types of a list of parameters.
func (r *rewriter) parameters(i, end int) {
	for i < end {
		for r.is(i, "public", "private", "protected", "readonly") && r.kind(i+1) == wordToken {
			r.cut(i, i+1)
			i++
		}
		if r.is(i, "...") {
			i++
		}
		j := r.pattern(i)
		if j == i {
			return
		}
		if r.is(j, "?") {
			r.cut(j, j+1)
			j++
		}
		if r.is(j, ":") {
			k := r.skipType(j + 1)
			if k == j+1 {
				return
			}
			r.cut(j, k)
			j = k
		}
		for j < end && !r.is(j, ",") {
			if r.tokens[j].match > j {
				j = r.tokens[j].match
			}
			j++
		}
		i = j + 1
	}
}

// arguments removes "<T>" of a call or of a generic arrow function.
func (r *rewriter) arguments(i int) {
	j := r.skipArguments(i, 0)
	if j == i || !r.is(j, "(") {
		return
	}
	called := r.kind(i-1) == wordToken && r.tokens[i].begin == r.tokens[i-1].end
	if called || r.is(i-1, "=", "(", ",", "=>", "return", ":", "async", "function") {
		r.cut(i, j)
	}
}

// valueEnds reports whether a value can end at a token.
func (r *rewriter) valueEnds(i int) bool {
	switch r.kind(i) {
	case textToken, numberToken:
		return true
	case wordToken:
		return !r.is(i, "return", "case", "const", "let", "var", "import", "export", "typeof", "new", "in", "of", "else", "await")
	}
	return r.is(i, ")", "]", "}")
}

func (r *rewriter) typeMayStart(i int) bool {
	return r.kind(i) == wordToken || r.kind(i) == textToken || r.is(i, "{", "[", "(")
}

// maxTypes bounds types within types.
const maxTypes = 60

// skipType returns the token after a type that begins at i, i if there is none.
func (r *rewriter) skipType(i int) int { return r.skip(i, 0) }

func (r *rewriter) skip(i, depth int) int {
	if depth > maxTypes {
		return i
	}
	begin := i
	if r.is(i, "|", "&") {
		i++
	}
	for {
		j := r.unary(i, depth)
		if j == i {
			return begin
		}
		i = j
		if r.is(i, "|", "&") {
			i++
			continue
		}
		if r.is(i, "extends") && !r.tokens[i].newline {
			return r.conditional(i, depth)
		}
		return i
	}
}

// conditional skips "extends A ? B : C".
func (r *rewriter) conditional(i, depth int) int {
	for _, sign := range [...]string{"?", ":", ""} {
		j := r.skip(i+1, depth+1)
		if j == i+1 || sign != "" && !r.is(j, sign) {
			return i
		}
		i = j
	}
	return i
}

func (r *rewriter) unary(i, depth int) int {
	for r.is(i, "keyof", "readonly", "typeof", "infer", "unique", "asserts", "new", "abstract") && (r.typeMayStart(i+1) || r.is(i+1, "<")) && !r.is(i+1, "=") {
		i++
	}
	j := r.primary(i, depth)
	for j > i && r.is(j, "[") && !r.tokens[j].newline && r.tokens[j].match > 0 {
		j = r.tokens[j].match + 1
	}
	if j > i && r.is(j, "is") && !r.tokens[j].newline {
		j = r.skip(j+1, depth+1)
	}
	return j
}

func (r *rewriter) primary(i, depth int) int {
	switch {
	case r.kind(i) == textToken, r.kind(i) == numberToken:
		return i + 1
	case r.is(i, "-") && r.kind(i+1) == numberToken:
		return i + 2
	case r.is(i, "{", "["):
		return max(i, r.tokens[i].match+1)
	case r.is(i, "<"):
		if j := r.skipArguments(i, depth); j > i && r.is(j, "(") {
			return r.primary(j, depth)
		}
	case r.is(i, "("):
		j := r.tokens[i].match + 1
		if j > i && r.is(j, "=>") {
			return r.skip(j+1, depth+1)
		}
		return max(i, j)
	case r.kind(i) == wordToken:
		i++
		if r.is(i-1, "import") && r.is(i, "(") {
			i = r.tokens[i].match + 1
		}
		for r.is(i, ".") && r.kind(i+1) == wordToken {
			i += 2
		}
		if r.is(i, "<") {
			i = r.skipArguments(i, depth)
		}
		return i
	}
	return i
}

// skipArguments returns the token after "<A, B>" that begins at i, i if it is
// something else.
func (r *rewriter) skipArguments(i, depth int) int {
	j := i + 1
	for {
		k := r.skip(j, depth+1)
		if k == j {
			return i
		}
		if r.is(k, "extends") { // a bound
			k = r.skip(k+1, depth+1)
		}
		if r.is(k, "=") { // a default
			if k = r.skip(k+1, depth+1); r.is(k-1, "=") {
				return i
			}
		}
		switch {
		case r.is(k, ","):
			if j = k + 1; r.is(j, ">") {
				return j + 1
			}
		case r.is(k, ">"):
			return k + 1
		default:
			return i
		}
	}
}
