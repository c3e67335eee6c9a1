package completion

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// What may stand in a place can depend on what stands before it in the same
// word, and on the options given.
func TestPlacesThatDepend(t *testing.T) {
	dir := repository(t)
	git(t, dir, "remote", "add", "origin", "https://example.org/me/one.git")
	for _, ref := range []string{"origin/main", "origin/release"} {
		git(t, dir, "update-ref", "refs/remotes/"+ref, "HEAD")
	}
	git(t, dir, "update-ref", "-d", "refs/heads/-f")
	git(t, dir, "tag", "v1")
	files := "changed same staged"
	for _, c := range []struct{ words, want string }{
		// A word of a closed set that takes a value.
		{"dd if=", "if=changed if=same if=staged"},
		{"dd if=same status=", "status=progress status=none status=noxfer"},
		{"dd if=x i", "iflag= ibs="}, // if= is given
		{"dd conv=sync,not", "conv=sync,notrunc"},
		{"dd conv=notrunc,notrunc", ""}, // is a member already
		{"ssh -o StrictHostKeyC", "StrictHostKeyChecking="},
		{"ssh -oStrictHostKeyChecking=a", "-oStrictHostKeyChecking=accept-new -oStrictHostKeyChecking=ask"},
		{"docker run --mount type=bind,so", "type=bind,source="},
		{"docker run --mount type=b", "type=bind"},
		{"docker run -v ./x:/y:r", "./x:/y:ro ./x:/y:rw"},
		{"mount -o ro,uid=roo", "ro,uid=root"},
		{"cmake -DCMAKE_BUILD_TYPE=D", "-DCMAKE_BUILD_TYPE=Debug"},
		{"curl -d @s", "@same @staged"},
		// Two parts.
		{"chown root:roo", "root:root"},
		{"chown :roo", ":root"},
		{"fd --owner root:roo", "root:root"},
		{"git push origin topic:", "topic:main topic:release"},
		{"git push origin +main:rel", "+main:release"},
		{"git fetch origin rel", "release"},
		{"git fetch origin release:to", "release:topic"},
		// Arguments that come with an option.
		{"git checkout -b new ", "topic origin/main origin/release v1 HEAD main"},
		{"git checkout -t ", "origin/main origin/release"},
		{"git switch -c new t", "topic"},
		{"git switch -C new o", "origin/main origin/release"},
		{"git branch -d ", "topic"},
		{"git branch -D topic ", "topic"},
		{"git branch -dr ", "origin/main origin/release"},
		{"git branch -m ", "topic main"},
		{"git branch new o", "origin/main origin/release"},
		{"git branch -u ", "origin/main origin/release"},
		{"git push --delete origin ", "main release v1"},
		{"git reset --hard v", "v1"},
		{"git reset s", "staged"},
		{"grep -e x ", files},
		{"grep x ", files},
		{"sed -e s/a/b/ ", files},
		{"chmod --reference=same ", files},
		{"python3 -m http.server c", "changed"},
		{"python3 -m pip unins", "uninstall"},
		{"python -mpip install --upgrade-s", "--upgrade-strategy"},
		// A first word of options without their dash.
		{"tar x", "xf xzf xvf xJf xjf"},
		{"tar xf ", files},
		{"tar xfC same ", ""}, // -C wants a directory, and there is none
		{"tar czf x.tgz s", "same staged"},
		{"tar -czf x.tgz s", "same staged"},
		{"ps a", "aux auxf auxww ax axf axjf axo axms"},
		// Aliases come after names.
		{"npm r", "r run restart rebuild root repo run-script rm remove rb"},
		{"npm re", "restart rebuild repo remove"},
		{"git clone https://example.org", "https://example.org/me/one.git https://example.org/me/"},
	} {
		var got []string
		for _, v := range rawValues(completeWords(dir, strings.Split(c.words, " ")...)) {
			if !strings.HasPrefix(v, "-") || strings.HasPrefix(c.want, "-") {
				got = append(got, v)
			}
		}
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%s|: %q, want %q", c.words, got, want)
		}
	}
}

// A name that wants a value is not followed by a blank.
func TestOpenWords(t *testing.T) {
	for _, c := range []struct {
		words string
		open  bool
	}{
		{"dd cou", true}, {"dd status=progr", false}, {"curl -H Accept:", true}, {"scp x localhos", true}, {"chown roo", false},
	} {
		a := completeWords(t.TempDir(), strings.Split(c.words, " ")...)
		if len(a.Candidates) != 1 || a.Candidates[0].NoSpace != c.open {
			t.Errorf("%s|: %+v", c.words, a.Candidates)
		}
	}
}

// Uses come after what is typed exactly and before the order of the map; what
// raises the risk stays last.
func TestRankByUse(t *testing.T) {
	e := coreEngine()
	uses := map[string]int{"git: cherry": 1, "git: commit": 5, "git branch -merged: topic": 3, "dd: of=": 2, "git reset: --hard": 9, "git reset: --refresh": 1}
	e.Recent = func(dir string, n *tcpdb.Node, f *tcpdb.Flag) func(string) int {
		path := n.Path
		if f != nil {
			path += " -" + f.ID
		}
		return func(word string) int { return uses[path+": "+word] }
	}
	dir := repository(t)
	for words, want := range map[string][]string{
		"git c":                {"commit", "cherry"},
		"git cherry":           {"cherry"},
		"git branch --merged=": {"--merged=topic"},
		"git branch --merged ": {"topic"},
		"dd ":                  {"of=", "if="},
		"git reset --":         {"--refresh"},
	} {
		a := e.Complete(context.Background(), Request{Words: strings.Split(words, " "), Dir: dir, Getenv: noGitConfig, Limit: -1})
		got := rawValues(a)
		if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
			t.Errorf("%s|: %q, want %q first", words, got, want)
		}
		if words == "git reset --" && slices.Index(got, "--hard") < slices.Index(got, "--help") {
			t.Errorf("%s|: %q", words, got)
		}
	}
}

// Options of one letter go on with others that can join them, the typed ones first.
func TestBundles(t *testing.T) {
	for words, want := range map[string]string{
		"df -h":         "-h -hT",
		"git commit -a": "-a -am",
		"docker run -i": "-i -it",
		"ls -la":        "-la -lah",
		"curl -X":       "-X -XPOST",
		"git commit -m": "-m", // the value follows
		"tar -czf":      "-czf",
		"go test -v":    "-v", // -v is one word
	} {
		got := rawValues(completeWords(t.TempDir(), strings.Split(words, " ")...))
		want := strings.Fields(want)
		if len(got) == 0 || got[0] != want[0] || len(want) > 1 && !slices.Contains(got, want[1]) || len(want) == 1 && len(got) > 1 && want[0] != "-v" {
			t.Errorf("%s|: %q, want %q", words, got, want)
		}
	}
	for _, words := range []string{"npm run build --", "cargo test --", "kubectl exec pod --"} {
		// Options are what is asked for, but the end of them is in sight.
		if got := rawValues(completeWords(t.TempDir(), strings.Split(words, " ")...)); len(got) < 6 || got[4] != "--" {
			t.Errorf("%s|: %q: the end of options is not the fifth", words, got)
		}
	}
}

func TestPlusOptions(t *testing.T) {
	for words, want := range map[string]string{
		"dig example.org +sh":           "+short",
		"convert a.png -crop 1x1 +repa": "+repage",
		"date +%":                       "+%s", // a format is none
	} {
		if got := rawValues(completeWords(t.TempDir(), strings.Split(words, " ")...)); !slices.Contains(got, want) {
			t.Errorf("%s|: %q, want %s", words, got, want)
		}
	}
}

// An alias that is typed out is offered beside the names that begin with it.
func TestTypedAlias(t *testing.T) {
	got := rawValues(completeWords(t.TempDir(), "npm", "i"))
	if len(got) < 3 || got[0] != "i" || !slices.Contains(got, "install") || !slices.Contains(got, "init") {
		t.Errorf("npm i|: %q", got)
	}
}

// A line longer than 256 KiB is left to the shell, at once; one of that length is answered.
func TestLongLine(t *testing.T) {
	end := "; git chec"
	for length, handled := range map[int]bool{maxLine: true, maxLine + 1: false, 8 << 20: false} {
		line := "echo " + strings.Repeat("x", length-len("echo ")-len(end)) + end
		start := time.Now()
		a := coreEngine().Complete(context.Background(), Request{Shell: "bash", Line: line, Point: len(line), Dir: t.TempDir(), Getenv: noGitConfig})
		if a.Handled != handled || (len(a.Candidates) > 0) != handled || a.Message != "" {
			t.Errorf("%d bytes: handled %v, %d candidates, %q", length, a.Handled, len(a.Candidates), a.Message)
		}
		if took := time.Since(start); !handled && took > time.Second {
			t.Errorf("%d bytes took %v", length, took)
		}
	}
}
