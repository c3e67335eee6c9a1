package hook

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/hook"
)

// changed is the line that an answer puts in the place of the one of the event,
// "" for none, and whether every other field of the input is as it was.
func changed(t *testing.T, h *hook.Harness, a said, event string) string {
	t.Helper()
	if a.out == "" || a.out == "{}\n" {
		return ""
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(a.out), &m); err != nil {
		t.Fatalf("%s: %v", a.out, err)
	}
	if inner, ok := m["hookSpecificOutput"]; ok {
		m = nil
		if err := json.Unmarshal(inner, &m); err != nil {
			t.Fatal(err)
		}
	}
	var input map[string]any
	for _, key := range []string{"updatedInput", "tool_input", "modifiedArgs", "updated_input", "args"} {
		if raw, ok := m[key]; ok {
			if err := json.Unmarshal(raw, &input); err != nil {
				t.Fatal(err)
			}
		}
	}
	if input == nil {
		return ""
	}
	var e map[string]any
	if err := json.Unmarshal([]byte(event), &e); err != nil {
		t.Fatal(err)
	}
	var old map[string]any
	for _, key := range []string{"tool_input", "toolArgs", "args"} {
		if v, ok := e[key].(map[string]any); ok {
			old = v
		}
	}
	line, _ := input["command"].(string)
	for k, v := range old {
		got, _ := json.Marshal(input[k])
		want, _ := json.Marshal(v)
		if k != "command" && string(got) != string(want) {
			t.Errorf("%s: %s is %s, was %s", h.Key, k, got, want)
		}
	}
	if len(input) != len(old) {
		t.Errorf("%s: %v, was %v", h.Key, input, old)
	}
	return line
}

func TestRewrite(t *testing.T) {
	w := newPlace(t)
	w.config("[hook]\nrewrite = [\"run\", \"te\"]\n")
	claude, _ := hook.Find("claude")
	for _, tc := range []struct{ line, want string }{
		{"npm test", "tmp run -- npm test"},
		{"npm test 2>&1", "tmp run -- npm test 2>&1"},
		{"cd sub && npm test", "cd sub && tmp run -- npm test"},
		{"cd 'a b' && CI=1 npm test 2>&1", "cd 'a b' && CI=1 tmp run -- npm test 2>&1"},
		{"CI=1 A='x y' npm test", "CI=1 A='x y' tmp run -- npm test"},
		{"  cargo build --release", "  tmp run -- cargo build --release"},
		{"pytest -k \"a or b\"", "tmp run -- pytest -k \"a or b\""},
		{"pytest -k 'ü😀\t\\n'", "tmp run -- pytest -k 'ü😀\t\\n'"},
		{"😀=1; npm test", ""},
		{"go test ./...", "tmp run -- go test ./..."},
		{"npm run lint", "tmp run -- npm run lint"},
		{"git status", "tmp run -- git status"},
		{"git log -5", "tmp run -- git log -5"},
		{"git diff HEAD~1", "tmp run -- git diff HEAD~1"},
		{"git show HEAD", "tmp run -- git show HEAD"},
		{"grep -rn x .", "te grep -rn x ."},
		{"cat main.go", "te cat main.go"},
		{"find . -name '*.go'", "te find . -name '*.go'"},
		// Elsewhere than alone.
		{"npm test | tail -5", ""},
		{"npm test && ls", ""},
		{"npm test; echo $?", ""},
		{"npm test || true", ""},
		{"(npm test)", ""},
		{"{ npm test; }", ""},
		{"echo $(npm test)", ""},
		{"npm test `date`", ""},
		{"! npm test", ""},
		{"time npm test", ""},
		{"if npm test; then ls; fi", ""},
		{"for i in 1 2; do npm test; done", ""},
		{"npm test > out.txt", ""},
		{"npm test 2> out.txt", ""},
		{"npm test 2>/dev/null", ""},
		{"npm test < in", ""},
		{"npm test <<EOF\nx\nEOF", ""},
		{"npm test &", ""},
		{"git diff > p.patch", ""},
		{"grep -n match f | wc -l", ""},
		{"cd a && cd b && npm test", ""},
		{"cd a; npm test", ""},
		{"cd - && npm test", ""},
		{"npm test # now", ""},
		{"npm test\nls", ""},
		// For programs, for a person, without end.
		{"git status --porcelain", ""},
		{"git log --format=%H", ""},
		{"git log --oneline --pretty=format:%h", ""},
		{"git diff --name-only", ""},
		{"git diff -z", ""},
		{"git show HEAD:main.go", ""},
		{"eslint -f json .", ""},
		{"eslint --format=json .", ""},
		{"go test -json ./...", ""},
		{"npm test --json", ""},
		{"kubectl get pods -o json", ""},
		{"npm run dev", ""},
		{"npm start", ""},
		{"npm test -- --watch", ""},
		{"tsc --watch", ""},
		{"vim x", ""},
		{"git rebase -i HEAD~2", ""},
		{"ssh host npm test", ""},
		{"npm --version", ""},
		{"cargo --help", ""},
		{"cargo test --help", ""},
		{"ls -la", ""},
		{"echo test", ""},
		{"test -f x", ""},
		{"export A=b", ""},
		{"tmp run -- npm test", ""},
		{"te grep x", ""},
		{"n''pm test", ""},
		{"\\npm test", ""},
		{"$NPM test", ""},
		{"frobnicate test", ""},
		{"tail -f log", ""},
		{"git push", ""},
		{"rm new.txt", ""},
	} {
		event := w.event("claude", tc.line)
		a := w.hand(event, "claude")
		if got := changed(t, claude, a, event); got != tc.want {
			t.Errorf("%q: %q, want %q: %s", tc.line, got, tc.want, a.out)
		}
		if strings.Contains(a.out, `"allow"`) {
			t.Errorf("%q: a rewriting allows: %s", tc.line, a.out)
		}
	}
}

// In each harness's form, and never where it takes none.
func TestRewriteForms(t *testing.T) {
	w := newPlace(t)
	w.config("[hook]\nrewrite = [\"run\"]\n")
	want := map[string]string{
		"claude":  `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"tmp run -- npm test","description":"d","timeout":1000}}}`,
		"gemini":  `{"hookSpecificOutput":{"tool_input":{"command":"tmp run -- npm test","description":"x"}}}`,
		"copilot": `{"modifiedArgs":{"command":"tmp run -- npm test","mode":"sync"}}`,
		"cursor":  "{}", "codex": "", "kimi": "", "cline": "{}", "windsurf": "", "kiro": "",
		"opencode": `{"args":{"command":"tmp run -- npm test","description":"d"}}`,
	}
	for key, want := range want {
		if a := w.hand(w.event(key, "npm test"), key); strings.TrimSuffix(a.out, "\n") != want || a.status != 0 || a.err != "" {
			t.Errorf("%s: %+v", key, a)
		}
		if a := w.hand(w.event(key, "npm test"), key, "--no-rewrite"); strings.Contains(a.out, "tmp run") {
			t.Errorf("%s: %+v", key, a)
		}
	}
	cursor := `{"conversation_id":"s1","hook_event_name":"preToolUse","tool_name":"Shell","cwd":"` + w.repo + `","tool_input":{"command":"npm test"}}`
	if a := w.hand(cursor, "cursor"); a.out != `{"updated_input":{"command":"tmp run -- npm test"}}`+"\n" {
		t.Errorf("%+v", a)
	}
	text := `{"cwd":"` + w.repo + `","toolName":"bash","toolArgs":"{ \"command\": \"npm test\",\n \"a\": \"\\u00fc\" }"}`
	if a := w.hand(text, "copilot"); a.out != `{"modifiedArgs":{"command":"tmp run -- npm test","a":"\u00fc"}}`+"\n" {
		t.Errorf("%+v", a)
	}
	for _, more := range []string{`"run_in_background":true`, `"is_background":true`} {
		event := strings.Replace(w.event("claude", "npm test"), `"timeout":1000`, more, 1)
		if a := w.hand(event, "claude"); a.out != "" {
			t.Errorf("%+v", a)
		}
	}
	// Codex: with an allow alone, and up to LOW.
	w.config("[hook]\nrewrite = [\"run\"]\nauto_allow = true\n")
	if a := w.hand(w.event("codex", "git status"), "codex"); a.out != `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"tmp run -- git status"}}}`+"\n" {
		t.Errorf("%+v", a)
	}
	if a := w.hand(w.event("codex", "ls"), "codex"); a.out != "" { // a bare allow is an error there
		t.Errorf("%+v", a)
	}
	// An agent's MEDIUM would only be asked about by tmp run.
	w.vars["TE_AGENT_ID"] = "bot"
	if a := w.hand(w.event("claude", "npm test"), "claude"); strings.Contains(a.out, "tmp run") {
		t.Errorf("%+v", a)
	}
}

func TestAllow(t *testing.T) {
	w := newPlace(t)
	claude, _ := hook.Find("claude")
	verdict := func(line string) string {
		t.Helper()
		got, _ := w.hand(w.event("claude", line), "claude").verdict(t, claude)
		return got
	}
	if got := verdict("ls"); got != "none" {
		t.Errorf("without being asked for: %s", got)
	}
	w.config("[hook]\nauto_allow = true\n")
	for line, want := range map[string]string{
		"ls -la": "allow", "git status": "allow", "rg -n foo src": "allow", "cat main.go": "allow", "pwd && ls": "allow", "cat .env": "ask",
		"cat ~/.ssh/id_rsa": "ask", "python3": "none", "bash": "none", "psql": "none", "frobnicate": "none", "npm test": "none", "npm install x": "none", "git status && git push": "none",
		"ls; frobnicate": "none", "cat .env.example": "allow", "echo hi": "allow", "ls $(frobnicate)": "none",
	} {
		if got := verdict(line); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
	// Rules of the person.
	w.write(w.repo+"/.claude/settings.json", `{"permissions": {"deny": ["Bash(git status:*)", "Read(./secrets/**)"], "ask": ["Bash(ls -la)"]}} // mine`, 0o600)
	for line, want := range map[string]string{
		"git status": "none", "git -C . status": "none", "cd src && git status": "none", "sh -c 'git status'": "none", "env A=b git status": "none", "/usr/bin/git status": "none",
		"g\\it status": "none", "git log": "allow", "ls": "none", "pwd": "allow", "cat secrets/x": "none", "cat main.go": "allow", "ls $X": "none",
	} {
		if got := verdict(line); got != want {
			t.Errorf("with rules: %s: %s, want %s", line, got, want)
		}
	}
	w.config("[hook]\nauto_allow = true\nrewrite = [\"run\"]\n")
	if a := w.hand(w.event("claude", "git status"), "claude"); a.out != "" {
		t.Errorf("a rule names it, and it is rewritten: %s", a.out)
	}
	if a := w.hand(w.event("claude", "git log"), "claude"); !strings.Contains(a.out, `"permissionDecision":"allow"`) || !strings.Contains(a.out, "tmp run -- git log") {
		t.Errorf("%s", a.out)
	}
	w.write(w.repo+"/.claude/settings.local.json", `{"permissions": `, 0o600)
	if a := w.hand(w.event("claude", "git log"), "claude"); a.out != "" {
		t.Errorf("rules that cannot be read: %s", a.out)
	}
}
