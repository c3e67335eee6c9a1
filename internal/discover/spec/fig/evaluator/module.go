package evaluator

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// edit replaces bytes of a source.
type edit struct {
	begin, end int
	text       string
}

// rewriter makes a script of a module: types go, imports become stand-ins, and
// what is exported becomes the script's value. Lines stay where they are.
type rewriter struct {
	src    string
	tokens []token
	edits  []edit
	tail   []string
}

// prelude stands before a script, on its first line. What is imported is a
// stand-in that can be called, asked for members and gone through, and says what
// it stands for.
const prelude = `"use strict";const $spec={};const module={exports:{}},exports=module.exports;` +
	`const $import=(file,name,args)=>{const self=new Proxy(function(){},{apply:(f,t,args)=>$import(file,name,args),construct:()=>({}),` +
	`get:(f,key)=>key==="$stands"?{file,name,args}:key===Symbol.iterator?function*(){yield self}:` +
	`typeof key==="symbol"||key==="then"||key==="toJSON"||key==="prototype"?undefined:$import(file,name+"."+key),` +
	`has:()=>false,ownKeys:()=>["prototype"]});return self};const require=file=>$import(file,"default");const $meta={};` + "\n"

// script rewrites a module. The script's value is what the module exports by
// default, or what it calls completionSpec.
func script(src string) (string, error) {
	tokens, err := lex(src)
	if err != nil {
		return "", err
	}
	r := &rewriter{src: src, tokens: tokens}
	r.types()
	for i := 0; i < len(r.tokens); i++ {
		i = r.module(i)
	}
	r.tail = append(r.tail, `if($spec.default===undefined){if(typeof completionSpec!=="undefined")$spec.default=completionSpec;`+
		`else if(typeof completion!=="undefined")$spec.default=completion;`+
		`else if(module.exports!==exports||Object.keys(exports).length>0)$spec.default=module.exports.default??module.exports;}`+
		`typeof $spec.default==="function"&&!$spec.default.$stands?$spec.default():$spec.default`)
	return prelude + r.apply() + "\n;" + strings.Join(r.tail, ";"), nil
}

// apply makes the edits, of two that overlap the one that begins first.
func (r *rewriter) apply() string {
	slices.SortStableFunc(r.edits, func(a, b edit) int { return a.begin - b.begin })
	var b strings.Builder
	at := 0
	for _, e := range r.edits {
		if e.begin < at {
			continue
		}
		b.WriteString(r.src[at:e.begin])
		b.WriteString(e.text)
		b.WriteString(strings.Repeat("\n", strings.Count(r.src[e.begin:e.end], "\n")))
		at = e.end
	}
	b.WriteString(r.src[at:])
	return b.String()
}

// cut removes tokens from i up to, not with, j.
func (r *rewriter) cut(i, j int) { r.put(i, j, " ") }

// put writes a text in the place of the tokens from i up to, not with, j.
func (r *rewriter) put(i, j int, text string) {
	if j > i {
		r.edits = append(r.edits, edit{r.tokens[i].begin, r.tokens[j-1].end, text})
	}
}

// is reports whether a token is a word or sign.
func (r *rewriter) is(i int, texts ...string) bool {
	if i < 0 || i >= len(r.tokens) {
		return false
	}
	t := &r.tokens[i]
	return (t.kind == wordToken || t.kind == punctToken) && slices.Contains(texts, t.text)
}

func (r *rewriter) kind(i int) kind {
	if i < 0 || i >= len(r.tokens) {
		return endToken
	}
	return r.tokens[i].kind
}

// starts reports whether a statement can begin at a token.
func (r *rewriter) starts(i int) bool {
	return i == 0 || r.is(i-1, ";", "}", "{") || r.tokens[i].newline
}

// module rewrites what a module says of others at a token and returns the last
// token that belongs to it.
func (r *rewriter) module(i int) int {
	switch {
	case r.is(i, "import") && r.is(i+1, "("):
		r.put(i, i+1, "$import")
	case r.is(i, "import") && r.is(i+1, ".") && r.is(i+2, "meta"):
		r.put(i, i+3, "$meta")
	case r.is(i, "import") && r.starts(i) && !r.is(i-1, "."):
		return r.imports(i)
	case r.is(i, "export") && r.starts(i) && !r.is(i-1, "."):
		return r.exports(i)
	}
	return i
}

// imports makes stand-ins of what is imported.
func (r *rewriter) imports(i int) int {
	j := i + 1
	var names [][2]string // what it is there, what it is here
	for ; r.kind(j) != textToken; j++ {
		switch {
		case r.kind(j) == endToken:
			return i
		case r.is(j, "{"):
			list, end := r.list(j)
			names = append(names, list...)
			j = end
		case r.is(j, "*") && r.is(j+1, "as"):
			names = append(names, [2]string{"default", r.tokens[j+2].text})
			j += 2
		case r.kind(j) == wordToken && !r.is(j, "from") && !(r.is(j, "type") && !r.is(j+1, "from", ",")):
			names = append(names, [2]string{"default", r.tokens[j].text})
		}
	}
	typed := r.is(i+1, "type") && !r.is(i+2, "from", ",")
	file := r.tokens[j].text
	end := j + 1
	if r.is(end, ";") {
		end++
	}
	var b strings.Builder
	for _, n := range names {
		if !typed {
			fmt.Fprintf(&b, "const %s=$import(%s,%s);", n[1], file, strconv.Quote(n[0]))
		}
	}
	r.put(i, end, b.String()+";")
	return end - 1
}

// list reads "{a, b as c, type D}" and returns the names and the last token.
func (r *rewriter) list(open int) (names [][2]string, end int) {
	end = r.tokens[open].match
	if end < 0 {
		return nil, open
	}
	for j := open + 1; j < end; j++ {
		if r.is(j, ",") {
			continue
		}
		typed := r.is(j, "type") && !r.is(j+1, ",", "as", "}")
		if typed {
			j++
		}
		there := strings.Trim(r.tokens[j].text, `"'`)
		here := there
		if r.is(j+1, "as") && j+2 < end {
			here = strings.Trim(r.tokens[j+2].text, `"'`)
			j += 2
		}
		if !typed {
			names = append(names, [2]string{there, here})
		}
	}
	return names, end
}

// exports keeps what is exported by default.
func (r *rewriter) exports(i int) int {
	switch {
	case r.is(i+1, "default"):
		r.put(i, i+2, "$spec.default=")
		return i + 1
	case r.is(i+1, "{"):
		names, end := r.list(i + 1)
		from := ""
		if r.is(end+1, "from") && r.kind(end+2) == textToken {
			from = r.tokens[end+2].text
			end += 2
		}
		for _, n := range names {
			switch {
			case n[1] != "default":
			case from != "":
				r.tail = append(r.tail, fmt.Sprintf("$spec.default=$import(%s,%s)", from, strconv.Quote(n[0])))
			default:
				r.tail = append(r.tail, "$spec.default="+n[0])
			}
		}
		if r.is(end+1, ";") {
			end++
		}
		r.put(i, end+1, ";")
		return end
	case r.is(i+1, "*"):
		j := i + 1
		for r.kind(j) != textToken && r.kind(j) != endToken {
			j++
		}
		r.put(i, j+1, ";")
		return j
	case r.is(i+1, "const", "let", "var", "function", "class", "async"):
		r.cut(i, i+1)
	}
	return i
}
