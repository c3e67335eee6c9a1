package jsonscan

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// A text that wants quadratic work, or a stack without end, from a reader.
func TestDeep(t *testing.T) {
	start := time.Now()
	if err := Read([]byte(strings.Repeat("[", 1<<20)), (*Reader).Skip); err == nil {
		t.Error("a million brackets that nothing closes are valid")
	}
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("took %v", took)
	}
}

// What is valid is what the standard library says is.
func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"a":"b\u00e9\ud83d\ude00\ud800x"}`, `[1,-0.5e+3,true,null,"\n"]`, `{"a":`, "\ufeff{}", `01`, `"\x"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := Read(data, (*Reader).Skip)
		if bom := strings.HasPrefix(string(data), "\ufeff"); !bom && json.Valid(data) != (err == nil) {
			t.Fatalf("%q: valid %v, ours says %v", data, json.Valid(data), err)
		}
	})
}
