package ask

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// judge rates a line with the core map.
func judge(text string) line.Verdict {
	return line.Judge(tcpdb.NewView(tcpdb.Core()), text, shline.Bash, risk.Facts{Installed: func(string) bool { return true }}, line.Options{})
}

// fates is a world in which a path's name says what becomes of it.
func fates(t line.Target) Loss {
	switch {
	case strings.HasPrefix(t.Path, "git"):
		return Loss{Fate: InGit}
	case strings.HasPrefix(t.Path, "made"):
		return Loss{Fate: Rebuilt}
	case strings.HasPrefix(t.Path, "none"):
		return Loss{Fate: Nothing}
	case strings.HasPrefix(t.Path, "temp"):
		return Loss{Fate: Temporary}
	}
	return Loss{Path: t.Path, Why: "not in git"}
}

func TestDecide(t *testing.T) {
	type set map[string]any
	for _, tc := range []struct {
		line     string
		user     set
		project  set
		facts    func(*Facts)
		want     Action
		wantWord string
	}{
		{"ls", nil, nil, nil, Silent, ""},
		{"rm x", nil, nil, nil, Key, ""},
		{"rm -r x", nil, nil, nil, Word, "run"},
		{"rm gitted", nil, nil, nil, Note, ""},
		{"rm -rf made gitted temp", nil, nil, nil, Note, ""},
		{"rm gitted x", nil, nil, nil, Key, ""},
		{"rm -rf gitted x", nil, nil, nil, Word, "run"},
		{"rm -rf made && git push --force", nil, nil, nil, Key, ""},
		{"cd y && rm -rf made", nil, nil, nil, Word, "run"},
		{"sudo rm -rf made", nil, nil, nil, Silent, ""},
		{"sudo rm -rf x", nil, nil, nil, Word, "run"},
		{"sudo -D y rm -rf made", nil, nil, nil, Word, "run"},
		{"sudo -i rm -rf made", nil, nil, nil, Word, "run"},
		{"rm $x", nil, nil, nil, Key, ""},
		{"chmod u+s x", nil, nil, nil, Key, ""},
		{"chmod +x x", nil, nil, nil, Note, ""},
		{"chmod +x ~/x", nil, nil, nil, Note, ""},
		{"kill %1 %2", nil, nil, nil, Silent, ""},
		{"kill %1 1", nil, nil, nil, Key, ""},
		{"systemctl stop x", nil, nil, func(f *Facts) { f.Allowed = func(Form) bool { return true } }, Silent, ""},
		// CRITICAL is never allowed ahead.
		{"rm x", nil, nil, func(f *Facts) { f.Allowed = func(Form) bool { return true } }, Key, ""},
		// There is nothing to name a form by.
		{"curl x | sh", nil, nil, nil, Key, ""},
		// What git clean and find would take away counts, not that they may.
		{"git clean -fd", nil, nil, nil, Word, "run"}, // lost: notes
		{"git clean -fdX", nil, nil, nil, Silent, ""},
		{"git clean -f -e '*.c' -X", nil, nil, nil, Word, "run"},
		{"git clean -ffdX", nil, nil, nil, Silent, ""},
		{"git -C y clean -fdX", nil, nil, nil, Word, "run"},
		{"cd y; git clean -fdX", nil, nil, nil, Word, "run"},
		{"GIT_DIR=y git clean -fdX", nil, nil, nil, Word, "run"},
		{"find made -delete", nil, nil, nil, Silent, ""},
		{"find made temp -mindepth 1 -type f -delete", nil, nil, nil, Silent, ""},
		{"find made x -delete", nil, nil, nil, Word, "run"},
		{"find -L made -delete", nil, nil, nil, Word, "run"},
		{"find made -fprint x -delete", nil, nil, nil, Word, "run"},
		{"find -delete", nil, nil, nil, Word, "run"},
		{"find x -name made.o -delete", nil, nil, nil, Silent, ""},
		{"find x -delete -name made.o", nil, nil, nil, Word, "run"},
		{"find x ! -name made.o -delete", nil, nil, nil, Word, "run"},
		{"find x -name made.o -o -name y -delete", nil, nil, nil, Word, "run"},
		{"find x -name made.o -name y -delete", nil, nil, nil, Word, "run"},
		{"find x -name $x -delete", nil, nil, nil, Word, "run"},
		{"find x -name *.o -delete", nil, nil, nil, Word, "run"}, // of which the shell makes what it finds here
		{"cd y && find made -delete", nil, nil, nil, Word, "run"},
		// The order within the line, and what the shell makes of words.
		{"vim a; git reset --hard", nil, nil, nil, Word, "run"},
		{"git status; git reset --hard", nil, nil, nil, Silent, ""},
		{"git stash pop && git reset --hard", nil, nil, nil, Word, "run"},
		{"echo x > gitted; rm gitted", nil, nil, nil, Key, ""},
		{"echo x > other; rm gitted", nil, nil, nil, Note, ""},
		{"echo x > made/y; rm -rf made", nil, nil, nil, Silent, ""}, // made again all the same
		{"unzip n.zip -d gitted; rm -rf gitted", nil, nil, nil, Word, "run"},
		{"python3 x.py; git clean -fdX", nil, nil, nil, Word, "run"},
		{"rm none", nil, nil, nil, Silent, ""},
		{"rm -rf gitted none", nil, nil, nil, Note, ""},
		{"touch none; rm none", nil, nil, nil, Key, ""},
		{"> none", nil, nil, nil, Silent, ""},
		{": | tee none", nil, nil, nil, Silent, ""},
		{"truncate -s 0 none", nil, nil, nil, Silent, ""},
		{"dd if=x of=none", nil, nil, nil, Silent, ""},
		{"dd if=none of=x", nil, nil, nil, Key, ""},
		{"rm -rf $PWD/made", nil, nil, nil, Silent, ""},
		{"cd y; rm -rf $PWD/made", nil, nil, nil, Word, "run"},
		{"PWD=/; rm -rf $PWD/made", nil, nil, nil, Word, "run"},
		{"rm -rf {made,gitted}", nil, nil, nil, Note, ""},
		{"rm -rf {made,x}", nil, nil, nil, Word, "run"},
		{"d=$(mktemp -d); rm -rf \"$d\"", nil, nil, nil, Silent, ""},
		{"kill $!", nil, nil, nil, Silent, ""},
		{"kill $! 1", nil, nil, nil, Key, ""},
		{"git reset --soft HEAD~1", nil, nil, nil, Note, ""},
		{"git reset --mixed HEAD~1", nil, nil, nil, Note, ""},
		{"git reset HEAD~1", nil, nil, nil, Note, ""},
		{"git reset --hard HEAD~1", nil, nil, nil, Note, ""},
		{"git reset --merge HEAD~1", nil, nil, nil, Word, "run"},
		{"git reset --keep HEAD~1", nil, nil, nil, Note, ""},
		// How many files another hands over nobody can see.
		{"find . -name x -exec rm {} +", nil, nil, nil, Word, "run"},
		{"ls | xargs rm", nil, nil, nil, Word, "run"},
		// The clean tree that is looked at is the one that is meant.
		{"git reset --hard", nil, nil, nil, Silent, ""},
		{"git checkout -- x", nil, nil, nil, Silent, ""},
		{"GIT_DIR=y git reset --hard", nil, nil, nil, Word, "run"},
		{"GIT_WORK_TREE=y git checkout .", nil, nil, nil, Word, "run"},
		{"env GIT_DIR=y git reset --hard", nil, nil, nil, Word, "run"},
		{"export GIT_DIR=y; git reset --hard", nil, nil, nil, Word, "run"},
		{"GIT_DIR=y; git reset --hard", nil, nil, nil, Word, "run"},
		{"GIT_DIR=y sh -c 'git reset --hard'", nil, nil, nil, Word, "run"},
		{"cd y && git reset --hard", nil, nil, nil, Word, "run"},
		{"git -C y reset --hard", nil, nil, nil, Word, "run"},
		{"FOO=y git reset --hard", nil, nil, nil, Silent, ""},
		{"HOME=y; rm -rf ~/made", nil, nil, nil, Word, "run"},
		{"rm -rf ~/made", nil, nil, nil, Silent, ""},
		// Where and as whom.
		{"rm /etc/hosts", nil, nil, nil, Key, ""},
		{"rm /etc/hosts", nil, nil, func(f *Facts) { f.Root = true }, Key, ""},
		{"systemctl stop x", nil, nil, nil, Allowable, ""},
		{"kubectl apply -f x", nil, nil, nil, Silent, ""},
		{"kubectl apply -f x", nil, nil, func(f *Facts) { f.Cluster = func() string { return "eu-PROD-1" } }, Key, ""},
		{"kubectl --context prod apply -f x", nil, nil, nil, Key, ""},
		{"kubectl apply -f x", nil, nil, func(f *Facts) {
			f.Cluster = func() string { return "prod" }
			f.Allowed = func(Form) bool { return true }
		}, Key, ""},
		// Who.
		{"rm gitted", nil, nil, func(f *Facts) { f.Who = Agent }, Note, ""},
		{"rm gitted", nil, nil, func(f *Facts) { f.Who = Nobody }, Note, ""},
		{"rm x", nil, nil, func(f *Facts) { f.Who = Nobody }, Refuse, ""},
		{"ls", nil, nil, func(f *Facts) { f.Who = Agent }, Silent, ""},
		// Settings: the user within bounds, a project only stricter.
		{"rm -rf x", set{"wide": "ask"}, nil, nil, Key, ""},
		{"rm -rf x", set{"wide": "pass"}, nil, nil, Word, "run"},
		{"rm -rf x", set{"word": "yes"}, nil, nil, Word, "yes"},
		{"rm x", set{"named_files": "mark"}, nil, nil, Note, ""},
		{"rm x", set{"named_files": "mark"}, set{"named_files": "word"}, nil, Word, "run"},
		{"rm x", set{"named_files": "word"}, set{"named_files": "mark"}, nil, Word, "run"},
		{"rm gitted", set{"in_git": "pass"}, nil, nil, Silent, ""},
		{"rm gitted", nil, set{"in_git": "ask"}, nil, Key, ""},
		{"rm gitted", nil, set{"in_git": "pass"}, nil, Note, ""},
		{"at now", set{"high": "mark"}, nil, nil, Note, ""},
		{"kubectl apply -f x", nil, set{"production": []any{"stag*"}}, func(f *Facts) { f.Cluster = func() string { return "staging" } }, Key, ""},
	} {
		f := Facts{
			Settings: Default(), Loss: fates,
			Clean: func([]line.Target) bool { return true },
			Cleaned: func(_ []line.Target, c Clean) Loss {
				if c.Untracked {
					return Loss{Path: "notes", Why: "not in git"}
				}
				return Loss{Fate: Rebuilt}
			},
			Found:  func(_ line.Target, pattern string, _, _ bool) Loss { return fates(line.Target{Path: pattern}) },
			Around: func(Surrounding) (string, bool) { return "", true },
			Env:    func([]string) []string { return nil },
		}
		f.Settings.Apply(map[string]any{"enter": map[string]any(tc.user)}, false)
		f.Settings.Apply(map[string]any{"enter": map[string]any(tc.project)}, true)
		if tc.facts != nil {
			tc.facts(&f)
		}
		v := judge(tc.line)
		d := Decide(&v, &f)
		if d.Action != tc.want || d.Word != tc.wantWord {
			t.Errorf("%s %v %v: %v %q, want %v %q (%+v)", tc.line, tc.user, tc.project, d.Action, d.Word, tc.want, tc.wantWord, d.Items)
		}
		if (d.Action == Allowable) != (len(d.Forms) > 0) {
			t.Errorf("%s: forms %v", tc.line, d.Forms)
		}
	}
}

func TestForm(t *testing.T) {
	v := judge("systemctl stop nginx")
	d := Decide(&v, &Facts{Settings: Default()})
	if len(d.Forms) != 1 || d.Forms[0] != (Form{"systemctl.stop", "systemctl stop nginx", InTree}) {
		t.Errorf("%+v", d)
	}
}

func TestFaults(t *testing.T) {
	s := Default()
	var got []string
	for _, f := range s.Apply(map[string]any{
		"enter":  map[string]any{"wide": "pass", "colour": 1, "word": "x y", "production": "prod", "in_git": "ask", "build_names": []any{"gen", "["}},
		"policy": map[string]any{"content": map[string]any{"own": "silent", "here": "key", "shared": "ask"}, "loss": 1}, "places": 1,
	}, false) {
		got = append(got, f.Error())
	}
	want := []string{
		`enter.build_names: holds "[", which is no pattern`,
		`enter.colour: unknown setting: known are build_names, word`,
		`enter.in_git: is policy.recoverable.own by now, and counts as that`,
		`enter.production: is "prod": want a list of patterns`,
		`enter.wide: is "pass": want one of "ask", "word"`,
		`enter.word: is "x y": want a word of 2 to 32 letters and digits`,
		`places: want a section`,
		`policy.content.here: unknown setting: a loss (unknown, none, rebuildable, recoverable, content, exposure, outage, content_wide, outage_wide) and a reach (own, machine, shared, production; of unknown high, critical)`,
		`policy.content.shared: is "ask": want one of "silent", "note", "allowable", "key", "word"`,
		`policy.loss: want loss.own, loss.machine and their like`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if s.Table[tcpdb.Recoverable][tcpdb.OwnReach] != Key || s.Table[tcpdb.Content][tcpdb.OwnReach] != Silent || s.Table[contentWide][tcpdb.OwnReach] != Word {
		t.Errorf("%+v", s)
	}
}

func TestSafer(t *testing.T) {
	for _, tc := range []struct{ line, want string }{
		{"git push --force origin main", "git push --force-with-lease origin main"},
		{"make && git push -f", "make && git push --force-with-lease"},
		{"git push -fu origin x", ""},
		{"git push origin +main", "git push origin --force-with-lease main"},
		{"aws s3 rm s3://b/x --recursive", "aws s3 rm --dryrun s3://b/x --recursive"},
		{"rclone sync a r:b", "rclone sync --dry-run a r:b"},
		{"zfs destroy tank/x", "zfs destroy -nv tank/x"},
		{"find . -name x -delete", "find . -name x -print"},
		{"sort x > x", "sort x | sponge x"},
		{"rm -rf 'a b' c", "tmp quarantine put -- 'a b' c"},
		{"ls; rm -- -x", "ls; tmp quarantine put -- -x"},
		{"rm *.txt", "tmp quarantine put -- *.txt"},
		{"rm -rf /", ""},
		{"rm -rf ~", ""},
		{"sudo rm x", ""},
		{"rm x && git push --force", "tmp quarantine put -- x && git push --force-with-lease"},
		{"git reset --hard", "git stash && git reset --hard"},
		{"make || git reset --hard", ""},
		{"git checkout -- x", "git stash push -- x"},
		{"git restore x", "git stash push -- x"},
		{"git clean -fdx", "git clean -n -fdx"},
		{"git branch -D x", "git branch -d x"},
		{"rsync -a --delete a/ b/", "rsync --dry-run -i -a --delete a/ b/"},
		{"rsync -av --delete a/ b/", "rsync --dry-run -av --delete a/ b/"},
		{"crontab -r", ""},
		{"kubectl delete pod x", "kubectl delete --dry-run=server pod x"},
		{"terraform destroy", ""}, // asks by itself
		{"terraform destroy -auto-approve", "terraform plan -destroy"},
		{"dd if=/dev/zero of=/dev/sda", ""},
		{"bash -c 'rm x'", ""},
	} {
		v := judge(tc.line)
		d := Decide(&v, &Facts{Settings: Default()})
		got, ok := Safer(tc.line, &v, &d, func(string) bool { return true })
		if ok != (tc.want != "") || ok && got != tc.want {
			t.Errorf("%s: %q %v, want %q", tc.line, got, ok, tc.want)
		}
		if after := judge(got); ok && after.Level > v.Level {
			t.Errorf("%s: %s is worse", tc.line, got)
		}
	}
}
