package shape

import (
	"strings"
	"testing"
)

// filler is JSON that says nothing, so that what is told is shorter.
var filler = `"suppressed":[],"usedDeprecated":[],"source":"` + strings.Repeat("const x = 1; ", 60) + `"`

func TestReportsInJSON(t *testing.T) {
	for _, tt := range []struct {
		name, command, out string
		status             int
		want               []string
	}{
		{
			"eslint", "eslint -f json .", `[{"filePath":"/home/a/shop/src/a.js","messages":[` +
				`{"ruleId":"no-undef","severity":2,"message":"'y' is not defined.","line":3,"column":5},` +
				`{"ruleId":"semi","severity":1,"message":"Missing semicolon.","line":4,"column":9}],` + filler + `},` +
				`{"filePath":"/home/a/shop/src/b.js","messages":[{"ruleId":"semi","severity":1,"message":"Missing semicolon.","line":7,"column":2}]}]`, 1,
			[]string{
				"[tmp] 3 findings read from JSON, paths below /home/a/shop/\n", "[tmp] src/a.js:3:5 error no-undef: 'y' is not defined.\n",
				"[tmp] src/a.js:4:9 src/b.js:7:2 warning semi: Missing semicolon.\n",
			},
		},
		{
			"gcc", "gcc -fdiagnostics-format=json -c a.c", `[{"kind":"error","message":"‘x’ undeclared","children":[],"locations":[{"caret":{"file":"a.c","line":2,"display-column":9,"byte-column":9,"column":9}}],` + filler + `}]` + "\n", 1,
			[]string{"[tmp] 1 finding read from JSON\n[tmp] a.c:2:9 error: ‘x’ undeclared\n"},
		},
		{
			"cargo", "cargo build --message-format=json", `{"reason":"compiler-artifact","target":{"src_path":"/x/lib.rs"},` + filler + `}` + "\n" +
				`{"reason":"compiler-message","message":{"rendered":"…","code":{"code":"E0308"},"level":"error","message":"mismatched types","spans":[` +
				`{"file_name":"src/a.rs","line_start":9,"column_start":1,"is_primary":false},{"file_name":"src/b.rs","line_start":12,"column_start":18,"is_primary":true}]}}` + "\n" +
				"error: could not compile `x`\n", 101,
			[]string{"[tmp] src/b.rs:12:18 error E0308: mismatched types\n", "error: could not compile `x`\n"},
		},
		{
			"mocha", "mocha -R json", `{"stats":{"passes":30,"failures":1},"passes":[{"title":"ok","fullTitle":"a ok","err":{}}],"failures":[` +
				`{"title":"reserves","fullTitle":"stock reserves","err":{"message":"no stock of sku-17","stack":"x"}}],` + filler + `}`, 1,
			[]string{`"passes":30`, `"failures":1`, "[tmp] failed: stock reserves\n[tmp]   no stock of sku-17\n"},
		},
		{
			"checkstyle", "shellcheck -f checkstyle s.sh", "<?xml version='1.0' encoding='UTF-8'?>\n<checkstyle version='4.3'>\n<file name='s.sh' >\n" +
				strings.Repeat("<error line='3' column='1' severity='warning' message='Use &#39;cd ... || exit&#39;.' source='ShellCheck.SC2164' />\n", 4) + "</file>\n</checkstyle>\n", 1,
			[]string{"[tmp] s.sh:3:1 3:1 3:1 3:1 warning ShellCheck.SC2164: Use 'cd ... || exit'.\n"},
		},
		{
			"ripgrep", "rg --json TODO", `{"type":"begin","data":{"path":{"text":"a.go"}}}` + "\n" +
				strings.Repeat(`{"type":"match","data":{"path":{"text":"a.go"},"lines":{"text":"\t// TODO(x): all\n"},"line_number":41,"absolute_offset":900,"submatches":[{"match":{"text":"TODO"},"start":4,"end":8}]}}`+"\n", 3), 0,
			[]string{"[tmp] a.go:41 41 41: // TODO(x): all\n"},
		},
	} {
		for _, known := range []bool{true, false} {
			o := Options{Command: CommandOf(tt.command), Status: tt.status, Ended: true}
			if !known {
				o.Command = Command{}
			}
			sum, err := Shape(o, strings.NewReader(tt.out))
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range tt.want {
				if !strings.Contains(sum.Text, w) {
					t.Errorf("%s (%v): %q is not in\n%s", tt.name, known, w, sum.Text)
				}
			}
			honest(t, tt.name, o, []byte(tt.out), sum)
		}
	}
}

// TestRecordsAreNoFindings: a log in JSON tells where in the code it was written.
func TestRecordsAreNoFindings(t *testing.T) {
	var b strings.Builder
	for range 40 {
		b.WriteString(`{"time":"2026-01-02T03:04:05Z","level":"INFO","source":{"file":"a.go","line":7},"message":"served"}` + "\n")
	}
	for _, o := range []Options{{}, {Policy: "generic"}, {Policy: "build_summary"}} {
		sum, err := Shape(o, strings.NewReader(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(sum.Text, "findings") {
			t.Errorf("%+v:\n%s", o, sum.Text)
		}
	}
}

func TestErrorsThatSayTheSame(t *testing.T) {
	out := "a.ts(1,2): error TS2304: Cannot find name 'process' in this program.\n" +
		"b.ts(3,4): error TS2304: Cannot find name 'process' in this program.\n" +
		"b.ts(5,6): error TS2304: Cannot find name 'process' in this program.\n" +
		"c.ts(7,8): error TS2304: Cannot find name 'process' in this program.\n" +
		"c.ts(9,1): error TS2322: Type 'null' is not assignable to type 'string'.\n"
	s := shaped(t, Options{Command: CommandOf("tsc"), Status: 2, Ended: true}, out)
	want := "a.ts(1,2): error TS2304: Cannot find name 'process' in this program.\n[tmp] also at b.ts(3,4) b.ts(5,6) c.ts(7,8)\n" +
		"c.ts(9,1): error TS2322: Type 'null' is not assignable to type 'string'.\n[tmp] exit status 2; 3 of 5 lines left out: 3 repeated\n"
	if s.Text != want {
		t.Errorf("%s", s.Text)
	}
}

// TestExceptionGroup: every member is told, not the library's way to it.
func TestExceptionGroup(t *testing.T) {
	out := "  + Exception Group Traceback (most recent call last):\n" +
		"  |   File \"/src/a.py\", line 16, in <module>\n  |     asyncio.run(main())\n" +
		"  |   File \"/usr/lib/python3.11/asyncio/runners.py\", line 190, in run\n  |     return runner.run(main)\n  |            ^^^^^^^^^^^^^^^^\n" +
		"  | ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)\n" +
		"  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n" +
		"    |   File \"/src/a.py\", line 5, in fetch\n    |     raise ConnectionResetError(\"peer 1\")\n    | ConnectionResetError: peer 1\n" +
		"    +---------------- 2 ----------------\n    | Traceback (most recent call last):\n" +
		"    |   File \"/src/a.py\", line 10, in fetch\n    |     raise PermissionError(\"peer 4\") from e\n    | PermissionError: peer 4\n    +------------------------------------\n"
	s := shaped(t, Options{Command: CommandOf("python3 a.py"), Status: 1, Ended: true}, out)
	has2(t, s, []string{"ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)", "ConnectionResetError: peer 1", "PermissionError: peer 4", "a.py\", line 16", "a.py\", line 5", "a.py\", line 10"},
		[]string{"runners.py", "^^^", "----------------"})
}

func TestDrawnLog(t *testing.T) {
	hash := "0123456789abcdef0123456789abcdef0123456"
	var b strings.Builder
	for i := range 8 {
		d := string(rune('0' + i))
		b.WriteString("| * commit " + hash + d + "\n| | Author: Ada <ada@x.example>\n| | Date:   Sat Nov 28 14:40:0" + d + " 2026 +0000\n| | \n| |     Add part " + d + "\n| |     \n| |     It was asked for.\n| | \n")
	}
	s := shaped(t, Options{Command: CommandOf("git log --graph"), Ended: true}, b.String())
	has2(t, s, []string{"| * commit " + hash + "0\n| | Author: Ada", "| * commit " + hash + "7\n| | Date:   Sat Nov 28 14:40:07 2026 +0000\n| |     Add part 7\n"}, []string{"part 7\n| |     It was"})
	if s.Fields["commits"] != 8 {
		t.Errorf("%v", s.Fields)
	}
}

func TestStrace(t *testing.T) {
	out := "execve(\"/usr/bin/cat\", [\"cat\", \"/none\"], 0x7ffd /* 39 vars */) = 0\n" + strings.Repeat("mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, -1, 0) = 0x7fed\n", 20) +
		"openat(AT_FDCWD, \"/none\", O_RDONLY)     = -1 ENOENT (No such file or directory)\nwrite(2, \"cat: /none: No such file\", 24) = 24\nexit_group(1)                           = ?\n+++ exited with 1 +++\n"
	s := shaped(t, Options{Command: CommandOf("strace cat /none"), Status: 1, Ended: true}, out)
	has2(t, s, []string{"execve(", "\"/none\", O_RDONLY)     = -1 ENOENT", "write(2, ", "+++ exited with 1 +++"}, []string{"mmap"})
}

func TestFramedDiagnostics(t *testing.T) {
	out := "  ! eslint(no-unused-vars): Variable 'a' is declared but never used.\n   ,-[src/a.js:1:7]\n 1 | const a = 1\n   :       ^|\n   :        `-- 'a' is declared here\n   `----\n  help: Consider removing this declaration.\n\n" +
		"  x eslint(no-undef): 'b' is not defined.\n   ,-[src/a.js:2:1]\n 2 | b()\n   : ^\n   `----\n\nFound 1 warning and 1 error.\n"
	for _, command := range []string{"npx oxlint src", ""} {
		s := shaped(t, Options{Command: CommandOf(command), Status: 1, Ended: true}, out)
		has2(t, s, []string{"Variable 'a' is declared but never used.\n   ,-[src/a.js:1:7]\n", "'b' is not defined.\n   ,-[src/a.js:2:1]\n", "Found 1 warning and 1 error."}, []string{"const a", "Consider", "declared here"})
	}
}

// TestNumberedLines: many lines that differ only in numbers are told by the first
// and the last, unless they name files or say what goes wrong.
func TestNumberedLines(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		b.WriteString("loaded shelf " + itoa(i) + " of the store\n")
	}
	for i := range 12 {
		b.WriteString("copied src/mod" + itoa(i) + ".py to it\n")
	}
	for i := range 12 {
		b.WriteString("error: order " + itoa(i) + " has no item\n")
	}
	s := shaped(t, Options{Status: 1, Ended: true}, b.String())
	want := []string{"shelf 0 of", "shelf 2 of", "shelf 29 of"}
	for i := range 12 {
		want = append(want, "copied src/mod"+itoa(i)+".py to it\n", "error: order "+itoa(i)+" has no item\n")
	}
	has2(t, s, want, []string{"shelf 3 of", "shelf 28 of"})
}
