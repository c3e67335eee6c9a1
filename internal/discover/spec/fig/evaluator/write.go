package evaluator

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/dop251/goja"

	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/fig"
)

// Bounds of what is taken out of the engine.
const (
	maxDepth  = 80
	maxValues = 2_000_000
)

// function stands in the answer for a function, which is not taken out.
const function = `{"$function":true}`

// cycle stands for an object within itself.
const cycle = `{"$cycle":true}`

// writer writes a value of the engine as JSON: functions as a mark, and what can
// be neither text nor number, list nor object as null.
type writer struct {
	vm    *goja.Runtime
	out   *bytes.Buffer
	count int
	above map[*goja.Object]bool // what the value stands in
	err   error
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

func (w *writer) value(v goja.Value, depth int) {
	if w.count++; w.count > maxValues || w.out.Len() > fig.MaxOutput {
		w.fail("holds too many values")
	}
	if depth > maxDepth {
		w.fail("is nested more than %d deep", maxDepth)
	}
	if w.err != nil {
		return
	}
	o, ok := v.(*goja.Object)
	switch {
	case v == nil:
		w.out.WriteString("null")
	case !ok:
		w.plain(v.Export())
	case w.above[o]:
		w.out.WriteString(cycle)
	case isFunction(v):
		w.function(o, depth)
	case o.ClassName() == "Array":
		w.within(o, func() { w.array(o, depth) })
	case o.ClassName() == "String" || o.ClassName() == "Number" || o.ClassName() == "Boolean":
		w.plain(o.Export())
	default:
		w.within(o, func() { w.object(o, depth) })
	}
}

func (w *writer) within(o *goja.Object, write func()) {
	if w.above == nil {
		w.above = map[*goja.Object]bool{}
	}
	w.above[o] = true
	write()
	delete(w.above, o)
}

// function writes a mark, with what it stands for if that is another file's.
func (w *writer) function(o *goja.Object, depth int) {
	stands, ok := o.Get("$stands").(*goja.Object)
	if !ok {
		w.out.WriteString(function)
		return
	}
	w.out.WriteString(`{"$stands":`)
	w.value(stands, depth+1)
	w.out.WriteByte('}')
}

func isFunction(v goja.Value) bool {
	_, ok := goja.AssertFunction(v)
	return ok
}

func (w *writer) plain(x any) {
	switch x := x.(type) {
	case string, bool, int64, float64:
		data, err := json.Marshal(x)
		if err != nil { // NaN and infinities
			data = []byte("null")
		}
		w.out.Write(data)
	default:
		w.out.WriteString("null")
	}
}

func (w *writer) array(o *goja.Object, depth int) {
	n := o.Get("length").ToInteger()
	w.out.WriteByte('[')
	for i := int64(0); i < n && w.err == nil; i++ {
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.value(o.Get(fmt.Sprint(i)), depth+1)
	}
	w.out.WriteByte(']')
}

func (w *writer) object(o *goja.Object, depth int) {
	w.out.WriteByte('{')
	for i, key := range o.Keys() {
		if w.err != nil {
			break
		}
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.plain(key)
		w.out.WriteByte(':')
		w.value(o.Get(key), depth+1)
	}
	w.out.WriteByte('}')
}
