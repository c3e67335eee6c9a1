package shape

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestClasses reads outputs written after the tools' own documentation, with
// the noise that they have in practice.
func TestClasses(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format+"\n", i)
		}
		return b.String()
	}
	for _, tt := range []struct {
		name, command string
		status        int
		out           string
		kept, gone    []string
		fields        map[string]any
	}{
		{
			"nextest", "cargo nextest run", 100,
			"    Finished `test` profile [unoptimized] target(s) in 0.09s\n    Starting 42 tests across 2 binaries\n" + many(40, "        PASS [   0.005s] own tests::case_%d") +
				"        FAIL [   0.012s] own tests::parses_escape\n\n--- STDOUT:              own tests::parses_escape ---\n\nthread 'tests::parses_escape' panicked at src/lib.rs:9:5:\nassertion failed: left == right\n\n" +
				"     TIMEOUT [  60.010s] own tests::hangs\n------------\n     Summary [  60.100s] 42 tests run: 40 passed, 1 failed, 1 timed out, 3 skipped\n        FAIL [   0.012s] own tests::parses_escape\n     TIMEOUT [  60.010s] own tests::hangs\nerror: test run failed\n",
			[]string{"FAIL [   0.012s] own tests::parses_escape", "src/lib.rs:9:5", "assertion failed: left == right", "TIMEOUT [  60.010s] own tests::hangs", "40 passed, 1 failed, 1 timed out"},
			[]string{"case_7", "Finished"},
			map[string]any{"failed_tests": 1, "passed_tests": 40, "ignored_tests": 3, "errors": 1, "first_failure": "tests::parses_escape"},
		},
		{
			"ctest", "ctest --output-on-failure", 8,
			"Test project /b\n" + many(30, "      Start %[1]d: t%[1]d\n 1/32 Test #%[1]d: t%[1]d ...............   Passed    0.01 sec") +
				"      Start 31: parses\n31/32 Test #31: parses ............***Failed    0.02 sec\nexpected 3, got 4\nparse.cpp:12: check failed\n\n      Start 32: slow\n32/32 Test #32: slow ..............***Timeout   1.50 sec\n\n94% tests passed, 2 tests failed out of 32\n\nTotal Test time (real) =   1.60 sec\n\nThe following tests FAILED:\n\t 31 - parses (Failed)\n\t 32 - slow (Timeout)\nErrors while running CTest\n",
			[]string{"parses", "***Failed", "expected 3, got 4", "parse.cpp:12: check failed", "***Timeout", "2 tests failed out of 32", "31 - parses (Failed)"},
			[]string{"t17"},
			map[string]any{"failed_tests": 2, "passed_tests": 30, "first_failure": "parses"},
		},
		{
			"JUnit in one line", "make report", 1,
			`<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" errors="0" failures="1" tests="41">` + strings.ReplaceAll(many(40, `<testcase classname="tests.a" name="test_%d" time="0.001" />`), "\n", "") +
				`<testcase classname="tests.a" name="test_bad" time="0.002"><failure message="assert 2 == 3">def test_bad():` + "\n" + `E  assert 2 == 3</failure></testcase></testsuite></testsuites>` + "\n",
			[]string{`name="test_bad"`, `message="assert 2 == 3"`, "E  assert 2 == 3", `failures="1"`},
			[]string{"test_17"},
			map[string]any{"failed_tests": 1, "passed_tests": 40, "first_failure": "test_bad"},
		},
		{
			"race", "go test -race ./...", 1,
			"==================\nWARNING: DATA RACE\nWrite at 0x00c0 by goroutine 8:\n  example.test/x.inc()\n      /home/u/x/x.go:9 +0x44\n\nPrevious read at 0x00c0 by goroutine 7:\n  example.test/x.get()\n      /home/u/x/x.go:14 +0x3a\n==================\n--- FAIL: TestRace (0.00s)\n    testing.go:1490: race detected during execution of test\nFAIL\nFAIL\texample.test/x\t0.02s\n" + many(40, "ok  \texample.test/p%d\t0.01s"),
			[]string{"WARNING: DATA RACE", "/home/u/x/x.go:9", "/home/u/x/x.go:14", "--- FAIL: TestRace", "race detected"},
			[]string{"example.test/p17"},
			map[string]any{"failed_tests": 1, "passed_packages": 40, "failed_packages": 1, "first_failure": "TestRace", "failure_file": "testing.go"},
		},
		{
			"CMake", "cmake -B build", 1,
			many(30, "-- Looking for header%d.h - found") + "CMake Error at CMakeLists.txt:12 (find_package):\n  Could not find a package configuration file provided by \"Foo\"\n\n  Add the installation prefix of \"Foo\" to CMAKE_PREFIX_PATH\n\n-- Configuring incomplete, errors occurred!\n",
			[]string{"CMake Error at CMakeLists.txt:12 (find_package):", "Could not find a package configuration file provided by \"Foo\"", "Configuring incomplete, errors occurred!"},
			[]string{"header7"},
			map[string]any{"errors": 1},
		},
		{
			"ninja", "ninja", 1,
			many(50, "[%d/60] Building CXX object src/f.o") + "FAILED: src/bad.o\n/usr/bin/c++ -c ../src/bad.cpp\n../src/bad.cpp:3:1: error: unknown type name 'foo'\n    3 | foo x;\n      | ^~~\nninja: build stopped: subcommand failed.\n",
			[]string{"FAILED: src/bad.o", "../src/bad.cpp:3:1: error: unknown type name 'foo'", "ninja: build stopped"},
			[]string{"Building CXX", "^~~"},
			map[string]any{"errors": 3},
		},
		{
			"Gradle", "./gradlew build", 1,
			many(20, "> Task :m%d:compileJava UP-TO-DATE") + "> Task :app:compileJava FAILED\n/w/app/src/A.java:5: error: cannot find symbol\n    foo();\n    ^\n  symbol:   method foo()\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':app:compileJava'.\n> Compilation failed; see the compiler error output for details.\n\nBUILD FAILED in 3s\n",
			[]string{"> Task :app:compileJava FAILED", "A.java:5: error: cannot find symbol", "Execution failed for task ':app:compileJava'.", "BUILD FAILED"},
			[]string{":m7:"},
			nil,
		},
		{
			"pip", "pip install x", 1,
			many(30, "Requirement already satisfied: dep%d in ./lib") + "Collecting x\n  Downloading x-1.0.tar.gz (3 kB)\n  error: subprocess-exited-with-error\n  \n  × python setup.py egg_info did not run successfully.\n  │ exit code: 1\n  ╰─> [2 lines of output]\n      RuntimeError: needs libfoo >= 2\n      [end of output]\n\nERROR: Failed to build x\n",
			[]string{"error: subprocess-exited-with-error", "exit code: 1", "RuntimeError: needs libfoo >= 2", "ERROR: Failed to build x"},
			[]string{"dep17"},
			nil,
		},
		{
			"npm install", "npm ci", 0,
			many(12, "npm warn deprecated p%d@1.0.0: use another") + "\nadded 812 packages, and audited 813 packages in 9s\n\n120 packages are looking for funding\n  run `npm fund` for details\n\n3 vulnerabilities (1 low, 2 high)\n\nTo address all issues, run:\n  npm audit fix\n\nRun `npm audit` for details.\n",
			[]string{"added 812 packages", "3 vulnerabilities (1 low, 2 high)"},
			[]string{"funding", "deprecated p7"},
			map[string]any{},
		},
		{
			"BuildKit", "docker build .", 1,
			"#1 [internal] load build definition from Dockerfile\n#1 DONE 0.0s\n#5 [2/3] RUN make\n" + many(60, "#5 0.1 compiling %d") + "#5 0.5 main.c:3:1: error: expected ';'\n#5 ERROR: process \"/bin/sh -c make\" did not complete successfully: exit code: 2\n------\n > [2/3] RUN make:\n0.5 main.c:3:1: error: expected ';'\n------\nDockerfile:3\nERROR: failed to solve: exit code: 2\n",
			[]string{"[2/3] RUN make", "main.c:3:1: error: expected ';'", "exit code: 2", "Dockerfile:3"},
			[]string{"compiling 7"},
			nil,
		},
		{
			"pods", "kubectl get pods", 0,
			"NAME            READY   STATUS    RESTARTS   AGE\n" + many(100, "web-%d           1/1     Running   0          5d") + "web-bad         0/1     CrashLoopBackOff   12   5d\nweb-half        1/2     Running   0   5d\n" + many(30, "api-%d           1/1     Running   0          5d"),
			[]string{"NAME", "web-bad         0/1     CrashLoopBackOff", "web-half        1/2"},
			[]string{"api-29"},
			map[string]any{"rows": 132},
		},
		{
			"logfmt", "docker logs web", 0,
			many(200, "time=2026-01-02T10:00:00Z level=info msg=\"tick\" n=%d") + "time=2026-01-02T10:05:00Z level=error msg=\"upstream failed\" trace_id=ab12cd34 service=pay\n" + many(100, "time=2026-01-02T10:06:00Z level=info msg=\"tick\" n=%d"),
			[]string{"upstream failed", "trace_id=ab12cd34", "service=pay", "299 more times"},
			[]string{"n=77\n"},
			map[string]any{"errors": 1, "info_lines": 300},
		},
		{
			"syslog", "journalctl -u x", 0,
			many(100, "Jun  3 10:30:00 host CRON[%d]: (root) CMD (true)") + "Jun  3 10:31:00 host kernel: Out of memory: Killed process 4242 (java)\nJun  3 10:31:02 host sshd[99]: error: kex_exchange_identification: Connection closed\n" + many(50, "Jun  3 10:32:00 host CRON[%d]: (root) CMD (true)"),
			[]string{"Out of memory: Killed process 4242 (java)", "error: kex_exchange_identification", "149 more times"},
			nil, nil,
		},
		{
			"clone", "git clone u", 128,
			"Cloning into 'u'...\nremote: Enumerating objects: 10, done.\x1b[K\nremote: Counting objects:  10% (1/10)\x1b[K\rremote: Counting objects: 100% (10/10), done.\x1b[K\nReceiving objects:  50% (5/10)\rReceiving objects: 100% (10/10), done.\nerror: RPC failed; curl 92 HTTP/2 stream 5 was not closed cleanly\nfatal: early EOF\n",
			[]string{"error: RPC failed", "fatal: early EOF"},
			[]string{"Counting", "Receiving"},
			map[string]any{},
		},
		{
			"a help of rustc", "cargo build", 101,
			many(40, "   Compiling a%d v0.1.0") + "error[E0382]: borrow of moved value: `s`\n --> src/main.rs:4:20\n  |\n4 |     println!(\"{}\", s);\n  |                    ^ value borrowed here after move\n  |\nhelp: consider cloning the value if the performance cost is acceptable\n  |\n3 |     take(s.clone());\n  |           ++++++++\n\nerror: could not compile `a` (bin \"a\") due to 1 previous error\n",
			[]string{"help: consider cloning the value", "3 |     take(s.clone());"},
			[]string{"++++"},
			nil,
		},
		{
			"push", "git push", 1,
			"To github.com:u/r.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'github.com:u/r.git'\nhint: Updates were rejected because the remote contains work that you do not\nhint: have locally. This is usually caused by another repository pushing to\nhint: the same ref. If you want to integrate the remote changes, use\nhint: 'git pull' before pushing again.\n",
			[]string{"! [rejected]        main -> main (fetch first)", "error: failed to push some refs", "If you want to integrate the remote changes, use\n", "'git pull' before pushing again."},
			[]string{"usually caused"},
			map[string]any{},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := shaped(t, ran(tt.command, tt.status), tt.out)
			has2(t, s, tt.kept, tt.gone)
			if diff := cmp.Diff(tt.fields, fieldsOf(s)); tt.fields != nil && diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
			if t.Failed() {
				t.Log(s.Text)
			}
		})
	}
}

func TestProjection(t *testing.T) {
	doc := "{\n  \"items\": [\n    {\"name\": \"a\", \"n\": 1, \"tags\": [\"x\", \"y\"]},\n    {\"name\": \"b \\\"q\\\"\", \"n\": 2, \"tags\": []}\n  ],\n  \"kind\": \"List\",\n  \"deep\": {\"a b\": [[1], [2, 3]]}\n}\n"
	for _, tt := range []struct{ path, want string }{
		{".kind", "\"List\"\n"},
		{".items[].name", "\"a\"\n\"b \\\"q\\\"\"\n"},
		{".items[1].n", "2\n"},
		{".items[0].tags", "[\"x\", \"y\"]\n"},
		{`.deep["a b"][1][0]`, "2\n"},
		{".items[].tags[]", "\"x\"\n\"y\"\n"},
		{".none", ""},
	} {
		s, err := Shape(Options{Paths: []string{tt.path}}, strings.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		text := s.Text
		if i := strings.LastIndex(text, mark); i >= 0 {
			text = text[:i]
		}
		if text != tt.want {
			t.Errorf("%s: %q, want %q", tt.path, text, tt.want)
		}
	}
	for _, bad := range []string{".a[", ".a[x]", "..a", `.["x]`, ".a[0]b"} {
		if CheckPath(bad) == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	for _, good := range []string{".", ".a", "a.b", ".[]", ".[0].x", `.["a b"].c`, ".a[].b[3]"} {
		if err := CheckPath(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
}

// TestProjectionOfOneLongLine: a document of one line is read whole.
func TestProjectionOfOneLongLine(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"items":[`)
	for i := range 40_000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"text":"%s"}`, i, strings.Repeat("é", 40))
	}
	b.WriteString("]}")
	s, err := Shape(Options{Paths: []string{".items[39999].id"}}, strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(s.Text, "39999\n") || s.Lines != 1 || s.Shown != 1 {
		t.Errorf("%.100q, %d lines, %d shown", s.Text, s.Lines, s.Shown)
	}
	// Without a path the first elements.
	s, err = Shape(Options{Policy: "json_projection"}, strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.Text, `{"id":2,`) || strings.Contains(s.Text, `{"id":3,`) || !strings.Contains(s.Text, "39997 more elements") {
		t.Errorf("%.400q", s.Text)
	}
}
