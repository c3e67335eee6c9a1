package code

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// A program is rated by what it starts and writes: lines holds what it hands to
// a shell, level what is seen without them.
func TestFilterPrograms(t *testing.T) {
	for _, c := range []struct {
		judge func(string) Reading
		code  string
		level tcpdb.Level
		lines []string
	}{
		{awkProgram, `$3 > 5 {print $1}`, tcpdb.Safe, nil},
		{awkProgram, `{ if ($3 > 5) print $1, $2 }`, tcpdb.Safe, nil},
		{awkProgram, `BEGIN { print (1 > 2), "a > b" }`, tcpdb.Safe, nil},
		{awkProgram, `/system("rm x")/ { n++ } # system("rm y")`, tcpdb.Safe, nil},
		{awkProgram, `{ x = a / b; y = "/" } /"/ { print "system(1)" }`, tcpdb.Safe, nil},
		{awkProgram, `BEGIN{system("rm -rf data")}`, tcpdb.Safe, []string{"rm -rf data"}},
		{awkProgram, `{system("rm " $1)}`, tcpdb.Safe, []string{"rm "}},
		{awkProgram, `{system($0)}`, tcpdb.High, nil},
		{awkProgram, `{print > "out"}`, tcpdb.Safe, []string{"printf x > 'out'"}},
		{awkProgram, `{print $1, $2 >> "it's"}`, tcpdb.Safe, []string{`printf x > 'it'\''s'`}},
		{awkProgram, `{print > $2".txt"}`, tcpdb.Medium, nil},
		{awkProgram, `{print | "sh"}`, tcpdb.Safe, []string{"cat - | sh"}},
		{awkProgram, `{printf "%s\n", $1 |& cmd}`, tcpdb.High, nil},
		{awkProgram, `BEGIN { while (("date" | getline d) > 0) print d }`, tcpdb.Safe, []string{"date"}},
		{awkProgram, `BEGIN { c | getline }`, tcpdb.High, nil},
		{sedProgram, `s/a/b/g; s|w x|e y|2p`, tcpdb.Safe, nil},
		{sedProgram, `/rm -rf/p`, tcpdb.Safe, nil},
		{sedProgram, `s/e\/w/e w/`, tcpdb.Safe, nil},
		{sedProgram, `1,5{/x/!d;y/abc/def/}`, tcpdb.Safe, nil},
		{sedProgram, "a\\\nw out\\\ne rm x\np", tcpdb.Safe, nil},
		{sedProgram, ":a;N;$!ba;s/\\n/ /g", tcpdb.Safe, nil},
		{sedProgram, `w /dev/stdout`, tcpdb.Safe, nil},
		{sedProgram, `w out`, tcpdb.Safe, []string{"printf x > 'out'"}},
		{sedProgram, `/x/w /dev/sda`, tcpdb.Safe, []string{"printf x > '/dev/sda'"}},
		{sedProgram, `s/a/b/w log`, tcpdb.Safe, []string{"printf x > 'log'"}},
		{sedProgram, `1e rm -rf x`, tcpdb.Safe, []string{" rm -rf x"}},
		{sedProgram, `e`, tcpdb.High, nil},
		{sedProgram, `s/x/rm y/e`, tcpdb.High, []string{"rm x"}},
		{sedProgram, `\,a,s,b,c,ge`, tcpdb.High, nil},
	} {
		v := c.judge(c.code)
		var lines []string
		lines = append(lines, v.Lines...)
		if v.Level != c.level || len(lines) != len(c.lines) || len(lines) > 0 && lines[0] != c.lines[0] {
			t.Errorf("%s: %v %q, want %v %q", c.code, v.Level, lines, c.level, c.lines)
		}
	}
}

func TestOtherLanguages(t *testing.T) {
	for _, c := range []struct {
		lang, code string
		level      tcpdb.Level
		line       string
	}{
		{"pwsh", `Remove-Item x -Recurse`, tcpdb.Critical, ""},
		{"pwsh", `ls | % { rm $_ }`, tcpdb.Critical, ""},
		{"pwsh", `Write-Host 'Remove-Item x'; Get-ChildItem | Select-String rm`, tcpdb.Low, ""},
		{"pwsh", `iex (iwr https://x)`, tcpdb.High, ""},
		{"pwsh", `Stop-Service x`, tcpdb.High, ""},
		{"lua", `os.remove("x")`, tcpdb.Critical, ""},
		{"lua", `os.execute("rm x")`, tcpdb.Low, "rm x"},
		{"lua", `print("os.remove")`, tcpdb.Low, ""},
		{"r", `unlink("x", recursive=TRUE)`, tcpdb.Critical, ""},
		{"r", `system("rm x")`, tcpdb.Low, "rm x"},
		{"julia", `rm("x")`, tcpdb.Critical, ""},
		{"osascript", `do shell script "rm x"`, tcpdb.Low, "rm x"},
		{"osascript", `display dialog "do shell script"`, tcpdb.Low, ""},
		{"python", `open("f", "w").write("x")`, tcpdb.Medium, "printf x > 'f'"},
		{"python", `open("f", mode="ab")`, tcpdb.Medium, ""},
		{"python", `print(open("w").read(), "w")`, tcpdb.Low, ""},
	} {
		v := Read(c.lang, c.code)
		line := ""
		if len(v.Lines) > 0 {
			line = v.Lines[0]
		}
		if v.Level != c.level || line != c.line {
			t.Errorf("%s: %s: %v %q, want %v %q", c.lang, c.code, v.Level, line, c.level, c.line)
		}
	}
}

func FuzzFilterPrograms(f *testing.F) {
	f.Add(`s/a/b/w x`)
	f.Add(`{print > "x" | "y"}`)
	f.Add("a\\\n\\")
	f.Fuzz(func(t *testing.T, code string) {
		awkProgram(code)
		sedProgram(code)
		powershell(code)
	})
}
