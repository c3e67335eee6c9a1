package hook

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Whatever comes in, each harness has an answer, of one line, that it can read;
// a change inserts and changes no other byte.
func FuzzEvent(f *testing.F) {
	for _, e := range canned {
		f.Add(e, 0)
	}
	f.Add(`{"tool_name":"Bash","tool_input":{"command":"npm test 'ü\ud83d\ude00\n'","x":[1,{"y":"z"}]}}`, 0)
	f.Add(`{"toolName":"bash","toolArgs":"{\"command\":\"npm test\"}"}`, 3)
	f.Add(`{"tool_name":"Edit","tool_input":{"file_path":"/a","edits":[{"path":"b","new_string":"x"}]}}`, 7)
	f.Add(`{"hook_event_name":1,"tool_name":["x"],"tool_input":{"command":null}}`, 9)
	rewriter := Rewriter{Map: tcpdb.NewView(tcpdb.Core()), Run: true, TE: true}
	f.Fuzz(func(t *testing.T, text string, at int) {
		h := &harnesses[uint(at)%uint(len(harnesses))]
		e, err := Parse(h, []byte(text))
		if !utf8.ValidString(e.Line) || strings.ContainsRune(e.Line, 0) {
			t.Fatalf("%q", e.Line)
		}
		found := Found{Level: tcpdb.High, Part: e.Line, Why: text}
		reason := Reason(&found, e.Line, strings.Repeat("a", 64), func(s string) string { return s })
		if len(reason) > maxReason+3 || strings.Count(reason, "\n") > maxLines-1 || strings.ContainsFunc(reason, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f || r == 0x202e }) {
			t.Fatalf("%q", reason)
		}
		for v := None; v <= Denied; v++ {
			a := Write(h, &e, &Ruling{Verdict: v, Found: found}, reason, nil)
			switch {
			case a.Status != 0 && (h.Form != Status || a.Stdout != ""), a.Status == 0 && a.Stderr != "":
				t.Fatalf("%s: %+v", h.Key, a)
			case a.Stdout != "" && (!json.Valid([]byte(a.Stdout)) || strings.Count(a.Stdout, "\n") != 1):
				t.Fatalf("%s: %q", h.Key, a.Stdout)
			}
		}
		if err != nil {
			return
		}
		place, insert := rewriter.Insertion(e.Line)
		if insert == "" {
			return
		}
		if e.Line[:place]+insert+e.Line[place:] == e.Line || place > len(e.Line) {
			t.Fatalf("%q at %d", e.Line, place)
		}
		input := Changed(&e, place, insert)
		if input == nil {
			return
		}
		if len(input) != len(e.Input)+len(insert) || !json.Valid(input) {
			t.Fatalf("%q became %q", e.Input, input)
		}
		cut := strings.Index(string(input), insert)
		for cut >= 0 && string(input[:cut])+string(input[cut+len(insert):]) != string(e.Input) {
			next := strings.Index(string(input[cut+1:]), insert)
			if next < 0 {
				t.Fatalf("%q became %q", e.Input, input)
			}
			cut += next + 1
		}
	})
}

// The program reads what it has itself handed to a harness as a refusal.
func TestRefuses(t *testing.T) {
	for i := range harnesses {
		h := &harnesses[i]
		e, err := Parse(h, []byte(Canned(h)))
		if err != nil || e.Line != "rm -rf /" || e.Dir != "/" || e.Session != "tmp-doctor" {
			t.Errorf("%s: %+v %v", h.Key, e, err)
		}
		a := Write(h, &e, &Ruling{Verdict: Denied}, "tmp: no", nil)
		if !Refuses(h, []byte(a.Stdout), a.Stderr, a.Status) {
			t.Errorf("%s: %+v", h.Key, a)
		}
		for _, a := range []Answer{{}, {Stdout: "{}\n"}, {Status: 1}, {Status: 2}, {Stdout: `{"decision":"allow"}`}, {Stdout: "x"}, {Stdout: a.Stdout, Status: 1}, {Stdout: a.Stdout, Stderr: "warning"}} {
			if Refuses(h, []byte(a.Stdout), a.Stderr, a.Status) {
				t.Errorf("%s: %+v", h.Key, a)
			}
		}
	}
}

// Forms as the harnesses' own code takes them.
func TestForms(t *testing.T) {
	for key, want := range map[string][4]string{ // none, allow, ask, deny
		"claude":   {"", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"r"}}`, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}`},
		"codex":    {"", "", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}`, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}`},
		"gemini":   {"{}", "{}", `{"decision":"ask","reason":"r"}`, `{"decision":"deny","reason":"r"}`},
		"copilot":  {"", `{"permissionDecision":"allow"}`, `{"permissionDecision":"ask","permissionDecisionReason":"r"}`, `{"permissionDecision":"deny","permissionDecisionReason":"r"}`},
		"cursor":   {"{}", "{}", `{"permission":"ask","user_message":"r","agent_message":"r"}`, `{"permission":"deny","user_message":"r","agent_message":"r"}`},
		"cline":    {"{}", "{}", `{"cancel":true,"errorMessage":"r"}`, `{"cancel":true,"errorMessage":"r"}`},
		"windsurf": {"", "", "2 r", "2 r"}, "kiro": {"", "", "2 r", "2 r"},
		"opencode": {"{}", "{}", `{"decision":"deny","reason":"r"}`, `{"decision":"deny","reason":"r"}`},
	} {
		h, _ := Find(key)
		for v := None; v <= Denied; v++ {
			a := Write(h, &Event{Form: h.Form}, &Ruling{Verdict: v}, "r", nil)
			got := strings.TrimSuffix(a.Stdout, "\n")
			if a.Status != 0 {
				got = "2 " + strings.TrimSuffix(a.Stderr, "\n")
			}
			if got != want[v] {
				t.Errorf("%s %s: %s", key, v, got)
			}
		}
	}
}

// Rules name a command however it is reached.
func TestRules(t *testing.T) {
	for _, tc := range []struct {
		kind  RuleKind
		lists string
		file  string
		names []string
		not   []string
	}{
		{
			Wrapped, "permissions.deny", `{"permissions":{"deny":["Bash(git push:*)","Bash(npm run test *)","Read(./secrets/**)","WebFetch"]}} // c`,
			[]string{"git push", "git -C x push origin", "cd a && git push", "sh -c 'git push'", "sudo git push", "npm run test a", "cat secrets/a", "bash -lc \"cd x; git push -f\"", "/usr/bin/git push"},
			[]string{"git status", "npm run build", "cat a", "push git"},
		},
		{Wrapped, "permissions.ask", `{"permissions":{"ask":["Bash"]}}`, []string{"ls"}, nil},
		{Wrapped, "permissions.ask", `{"permissions":{"ask":["Bash(*)"]}}`, []string{"ls"}, nil},
		{Wrapped, "permissions.deny", `{"permissions":{"deny":["Shell(rm)"]}}`, []string{"rm x", "ls | xargs rm"}, []string{"ls"}},
		{Bare, "commandDenylist", `{"commandDenylist":["rm -rf /","git push"]}`, []string{"rm -fr /", "git push"}, []string{"ls"}},
		{Approve, "/a.b", `{"a.b":{"rm":false,"/^git (push|fetch)/":{"approve":false},"ls":true}}`, []string{"rm x", "git fetch", "cd x && git push"}, []string{"ls", "git log"}},
		{Patterns, "permission.bash", `{"permission":{"bash":{"*":"allow","git push *":"ask","rm *":"deny"}}}`, []string{"git push", "rm x"}, []string{"ls"}},
		{Patterns, "permission.bash", `{"permission":{"bash":"ask"}}`, []string{"ls"}, nil},
		{Starlark, "", "# prefix_rule(pattern=[\"ls\"], decision=\"forbidden\")\nprefix_rule(\n  pattern = [\"git\", [\"push\", \"fetch\"]],\n  decision = \"prompt\",\n  match = [\"git push\"],\n)\nprefix_rule(pattern=['ls'], decision='allow')\n", []string{"git fetch", "git push x"}, []string{"ls", "git log"}},
		{Policies, "", "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = [\"git push\", \"rm\"]\ndecision = \"ask_user\"\n[[rule]]\ntoolName = \"read_file\"\ndecision = \"deny\"\n", []string{"git push", "rm x"}, []string{"ls"}},
	} {
		r := &Rules{}
		if err := r.Read(&RuleFile{Kind: tc.kind, Lists: []string{tc.lists}}, []byte(tc.file)); err != nil {
			t.Errorf("%s: %v", tc.file, err)
		}
		for _, line := range tc.names {
			if !r.Name(line) {
				t.Errorf("%s does not name %s", tc.file, line)
			}
		}
		for _, line := range tc.not {
			if r.Name(line) {
				t.Errorf("%s names %s", tc.file, line)
			}
		}
	}
	for _, tc := range []struct {
		kind RuleKind
		file string
	}{{Wrapped, `{"permissions":`}, {Wrapped, `{"permissions":{"deny":"x"}}`}, {Wrapped, `{"permissions":{"deny":[1]}}`}, {Starlark, `prefix_rule(pattern = x, decision = "prompt")`}, {Starlark, `prefix_rule(`}, {Policies, "x = "}} {
		if err := (&Rules{}).Read(&RuleFile{Kind: tc.kind, Lists: []string{"permissions.deny"}}, []byte(tc.file)); err == nil {
			t.Errorf("%s is read", tc.file)
		}
	}
}

// A project only makes it stricter.
func TestSettings(t *testing.T) {
	s := Default()
	if f := s.Apply(map[string]any{"mode": "deny", "auto_allow": true, "rewrite": []any{"run", "te"}, "secrets": "ask"}, false); len(f) > 0 {
		t.Fatal(f)
	}
	s.Apply(map[string]any{"mode": "notify", "auto_allow": true, "rewrite": []any{"te"}, "secrets": "none"}, true)
	if s.Mode != Deny || !s.AutoAllow || len(s.Rewrite) != 1 || s.Secrets != Ask {
		t.Errorf("%+v", s)
	}
	s = Default()
	s.Apply(map[string]any{"mode": "deny", "auto_allow": true, "rewrite": []any{"run"}, "secrets": "deny"}, true)
	if s.Mode != Deny || s.AutoAllow || len(s.Rewrite) != 0 || s.Secrets != Deny {
		t.Errorf("%+v", s)
	}
	if f := s.Apply(map[string]any{"mode": 1, "auto_allow": "x", "rewrite": "run", "secrets": "x", "z": 1}, false); len(f) != 5 {
		t.Errorf("%v", f)
	}
}
