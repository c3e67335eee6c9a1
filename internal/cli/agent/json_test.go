package agent

import (
	"encoding/json"
	"testing"
)

// Who asks for JSON gets JSON, whatever happens.
func TestFailuresAreJSON(t *testing.T) {
	w := newWorld(t)
	w.write(w.home+"/.claude.json", "{\"a\": ")
	for _, tt := range []struct {
		status int
		code   string
		args   []string
	}{
		{2, "usage", []string{"install", "nope", "--json"}},
		{2, "usage", []string{"install", "claude", "--json", "--scope", "x"}},
		{2, "usage", []string{"install", "nope", "--hook", "--json"}},
		{1, "internal", []string{"install", "claude", "--json"}},
		{2, "usage", []string{"refresh", "nope", "--json"}},
		{2, "usage", []string{"doctor", "x", "--json"}},
	} {
		if status := w.run(tt.args...); status != tt.status {
			t.Errorf("%q: status %d, want %d", tt.args, status, tt.status)
		}
		var a struct {
			V     int
			Error struct{ Code, Message string }
		}
		if err := json.Unmarshal(w.out.Bytes(), &a); err != nil || a.V != 1 || a.Error.Code != tt.code || a.Error.Message == "" {
			t.Errorf("%q: %v: %s", tt.args, err, w.out.String())
		}
		if w.errs.Len() == 0 {
			t.Errorf("%q: a person is told nothing", tt.args)
		}
	}
	w.vars["TMP_AGENT_ID"] = "bot"
	if status := w.run("install", "claude", "--hook", "--remove", "--json"); status != 125 || !json.Valid(w.out.Bytes()) || w.out.Len() == 0 {
		t.Errorf("status %d: %s", status, w.out.String())
	}
}
