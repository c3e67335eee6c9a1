package enter

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	riskfacts "github.com/tool-mapping-protocol/tmp/internal/risk/facts"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// week is what a week of somebody came to.
type week struct {
	lines, days int
	// Questions that a careful colleague would not ask, before and after a week of a;
	// notes that nobody needs; lines that destroy or leak and run unasked; words that
	// are typed where a key would do.
	wrong, wrongAfter, notes, missed, words int
	// Lines where a word is due and a key is asked for.
	light int
	off   []string
}

// weekplace is a home with a work tree in which somebody has worked for a while: files
// that are committed, new, ignored and irreplaceable, branches that are merged, that
// the remote has, and that are nowhere else.
func weekplace(t *testing.T) *workplace {
	t.Helper()
	w := newWorkplace(t)
	w.repo = w.home + "/work"
	tracked := []string{
		"README.md", "src/train.py", "src/main.c", "src/spi.c", "src/uart.c", "src/uart.h", "requirements.txt", "notebooks/eda.ipynb", "config.json",
		".env.example", "week1/task.md", "week2/task.md", "week3/task.md", "Makefile", "scripts/run.sh", "check.py", "report.md", "handout.md",
	}
	for _, name := range tracked {
		w.write(t, w.repo+"/"+name, "text of "+name+"\n")
	}
	w.write(t, w.repo+"/Makefile", "all:\n\ttrue\nclean:\n\trm -rf build\nfigures:\n\ttrue\nflash:\n\tst-flash write build/fw.bin 0x8000000\n")
	w.write(t, w.repo+"/.gitignore", ".env\n*.pyc\n__pycache__/\n.venv/\nbuild/\ndist/\noutputs/\nmodels/\ndata/\nwandb/\n.ipynb_checkpoints/\n*.o\n*.elf\n*.bin\ntmp/\ncoverage/\ncov.info\ndocs/html/\n*.log\n")
	w.git(t, "init", "-q", "-b", "main")
	w.git(t, "add", ".")
	w.git(t, "commit", "-q", "-m", "first")
	w.git(t, "branch", "merged")
	for _, branch := range []string{"idea", "feature/tune"} {
		w.git(t, "checkout", "-q", "-b", branch, "main")
		w.git(t, "commit", "-q", "--allow-empty", "-m", branch)
	}
	w.git(t, "checkout", "-q", "main")
	w.git(t, "commit", "-q", "--allow-empty", "-m", "second")
	w.git(t, "remote", "add", "origin", "https://example.org/work.git")
	for _, branch := range []string{"main", "merged", "feature/tune"} {
		w.git(t, "update-ref", "refs/remotes/origin/"+branch, branch)
	}
	w.git(t, "checkout", "-q", "-b", "mine")
	past := time.Now().Add(-72 * time.Hour)
	for _, name := range []string{
		"notes.md", "results.csv", "grades.csv", "grades.ods", "letter.txt", "names.csv", "photos/trip.jpg", "photos/keep.mp4", "data/raw/trips.csv", "data/raw/a.csv.gz",
		"data/clean.parquet", "models/best.pt", "outputs/fig1.png", ".env", "notebooks/tmp.ipynb", "calib/cal.json", "calib/cal.bin", "board.conf", "keys/sign.pem",
		"src/newdrv.c", "src/main.o", "src/main.c.orig", "cache.db", "pw.txt", "backup.sql", "test.odt", "week3/draft.md", "subs/anna.py", "build/fw.elf", "build/fw.bin",
		"build/cfg.h", "src/__pycache__/a.pyc", ".venv/bin/python", ".ipynb_checkpoints/x", "wandb/run", "train.log", "coverage/index.html", "week1/build/x.o", "calib/new.json",
		"outputs/new.csv", "grades-new.csv", "grades-old.ods", "other.md", "new.conf", "tmp/x", "hosts.new", "pw.txt.key", "errors.log", "fw.dis",
	} {
		file := w.repo + "/" + name
		w.write(t, file, "only copy of "+name+"\n")
		if err := os.Chtimes(file, past, past); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{".ssh/id_ed25519", ".bashrc", "Documents/letter.odt"} {
		w.write(t, w.home+"/"+name, "x\n")
	}
	for _, secret := range []string{w.repo + "/keys/sign.pem", w.repo + "/.env", w.home + "/.ssh/id_ed25519"} {
		if err := os.Chmod(secret, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// bareplace is a home with an empty work tree: the week itself fills it.
func bareplace(t *testing.T) *workplace {
	t.Helper()
	w := newWorkplace(t)
	w.repo = w.home + "/work"
	if err := os.MkdirAll(w.repo, 0o755); err != nil {
		t.Fatal(err)
	}
	w.git(t, "init", "-q", "-b", "main")
	w.git(t, "config", "user.name", "me")
	w.git(t, "config", "user.email", "me@example.org")
	return w
}

// decider decides about lines as Enter does for a person in a work tree.
type decider struct {
	w       *workplace
	dir     string // what has been gone to, the work tree at first
	env     map[string]string
	getenv  func(string) string
	view    *tcpdb.View
	allowed func(ask.Form) bool
}

func newDecider(w *workplace, env map[string]string) *decider {
	env = maps.Clone(env)
	if env == nil {
		env = map[string]string{}
	}
	return &decider{w: w, dir: w.repo, env: env, view: tcpdb.NewView(tcpdb.Core()), getenv: func(k string) string {
		switch v, ok := env[k]; {
		case ok:
			return v
		case k == "PATH":
			return "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
		case k == "HOME":
			return w.home
		case k == "TMPDIR":
			return w.temp
		case k == "GIT_CONFIG_NOSYSTEM":
			return "1"
		}
		return ""
	}}
}

func (d *decider) decide(text string) (out ask.Decision) {
	paths := place.Find(d.getenv)
	v := line.Judge(d.view, text, shline.Bash, riskfacts.Of(riskfacts.Place{Paths: paths, Dir: d.dir, Getenv: d.getenv}), line.Options{Expanded: true, Waits: true})
	if !ask.Counts(&v) {
		return out
	}
	scene := facts.Open(d.dir, d.getenv, paths, nil)
	defer scene.Close()
	f := scene.Facts(ask.Person)
	f.Root, f.Allowed = false, d.allowed
	return ask.Decide(&v, &f)
}

// script calls visit for the labelled lines of a file, and changes the place by sh
// where it says so.
func script(t *testing.T, w *workplace, file string, visit func(label, text string)) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(data)) {
		label, text, ok := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		if !ok || strings.HasPrefix(label, "#") {
			continue
		}
		if label != "$" {
			visit(label, text)
			continue
		}
		cmd := exec.Command("sh", "-c", text)
		cmd.Dir = w.repo
		if msg, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v %s", text, err, msg)
		}
	}
}

// play goes through a week as it is written, with the answers that the policy gives.
func play(t *testing.T, w *workplace, file string, env map[string]string) (out week) {
	t.Helper()
	noted, allowed, d := map[string]bool{}, map[ask.Form]bool{}, newDecider(w, env)
	script(t, w, "weeks/"+file, func(label, text string) {
		switch label {
		case "day":
			out.days++
			return
		case "in":
			d.dir = filepath.Join(w.repo, text)
			return
		case "env":
			name, value, _ := strings.Cut(text, "=")
			d.env[name] = value
			return
		}
		out.lines++
		decided := d.decide(text)
		out.count(label, text, &decided, noted, allowed)
	})
	return out
}

// TestDailyCases: each line that people type daily has one of its answers.
func TestDailyCases(t *testing.T) {
	w := weekplace(t)
	d := newDecider(w, nil)
	script(t, w, "asking.tsv", func(label, text string) {
		if got := d.decide(text); !slices.Contains(strings.Split(label, "|"), got.Enter.String()) {
			t.Errorf("%s: %v, want %s: %+v", text, got.Enter, label, got.Items)
		}
	})
}

// TestAllowsNothingMore: an a at the first line of a pair lets the second run only if
// it would run without any.
func TestAllowsNothingMore(t *testing.T) {
	w := weekplace(t)
	for _, pair := range [][2]string{
		{"chmod 600 notes.md", "chmod 777 notes.md"},
		{"ssh staging sudo systemctl stop nginx", "ssh prod sudo systemctl stop nginx"},
		{"AWS_PROFILE=dev aws ec2 stop-instances --instance-ids i-1", "AWS_PROFILE=prod aws ec2 stop-instances --instance-ids i-1"},
		{"AWS_PROFILE=qa aws ec2 stop-instances --instance-ids i-1", "AWS_PROFILE=eu aws ec2 stop-instances --instance-ids i-1"},
		{"sudo pip install -r requirements.txt", "sudo pip install left-pad"},
		{"sudo python3 a.py", "sudo python3 b.py"},
		{"kubectl --context staging delete pod a", "kubectl --context staging delete deployment a"},
		{"kubectl --context staging delete pod a", "kubectl --context qa delete pod a"},
		{"kubectl -n web delete pod a", "kubectl -n db delete pod a"},
		{"sudo systemctl stop nginx", "sudo systemctl stop sshd"},
		{"terraform apply -auto-approve", "terraform apply -auto-approve -destroy"},
		{"docker -H tcp://build stop a", "docker -H tcp://prod stop a"},
		{"psql -h qa -c 'create table t (x int)'", "psql -h qa -c 'drop table t'"},
		{"gh release create v1", "gh release delete v1"},
		{"sudo scancel 12", "sudo scancel -u anna"},
		{"ansible-playbook site.yml", "ansible-playbook site.yml -l prod"},
		{"gh workflow run ci.yml", "gh workflow run deploy.yml"},
		{"terraform apply tfplan", "terraform -chdir=envs/prod apply tfplan"},
		{"ssh staging sudo systemctl stop nginx", "ssh staging sudo systemctl stop postgresql"},
		{"kubectl -n web delete pod a", "kubectl -n web delete pod --all"},
		{"docker --context qa stop a", "docker --context prod stop a"},
		{"helm --kube-context qa uninstall a", "helm --kube-context live uninstall a"},
		{"aws --region eu-west-1 ec2 stop-instances --instance-ids i-1", "aws --region us-east-1 ec2 stop-instances --instance-ids i-1"},
		{"wp --ssh=staging plugin update a", "wp --ssh=live plugin update a"},
		{"sudo a2dissite x", "sudo a2dismod ssl"},
		{"gcloud --project dev compute instances stop a", "gcloud --project live compute instances stop a"},
		{"sudo reboot", "ssh web-prod-1 sudo reboot"},
		{"sudo nvidia-smi --gpu-reset -i 1", "sudo nvidia-smi --gpu-reset"},
	} {
		allowed := map[ask.Form]bool{}
		d := newDecider(w, nil)
		first := d.decide(pair[0])
		for _, f := range first.Forms {
			allowed[f] = true
		}
		plain := d.decide(pair[1])
		d.allowed = func(f ask.Form) bool { return allowed[f] }
		if got := d.decide(pair[1]); got.Enter != plain.Enter {
			t.Errorf("%s, then %s: %v, without the first %v", pair[0], pair[1], got.Enter, plain.Enter)
		}
		if len(first.Forms) > 0 {
			if again := d.decide(pair[0]); again.Enter != ask.Silent {
				t.Errorf("%s: asked about again: %v", pair[0], again.Enter)
			}
		}
	}
}

// count adds one line.
func (o *week) count(label, text string, d *ask.Decision, noted map[string]bool, allowed map[ask.Form]bool) {
	asks := label == "ask" || label == "stop"
	miss := func(what string) {
		o.off = append(o.off, fmt.Sprintf("%s: %s: %s (%s)", what, d.Enter, text, label))
	}
	if d.Enter == ask.Word && label != "stop" {
		o.words++
		miss("word")
	}
	if label == "stop" && (d.Enter == ask.Allowable || d.Enter == ask.Key) {
		o.light++
		miss("light")
	}
	switch {
	case asks && d.Enter <= ask.Note:
		o.missed++
		miss("missed")
	case !asks && d.Enter >= ask.Allowable:
		o.wrong++
		miss("wrong")
		known := d.Enter == ask.Allowable && len(d.Forms) > 0
		for _, f := range d.Forms {
			known = known && allowed[f]
			allowed[f] = true
		}
		if d.Enter != ask.Allowable {
			o.wrongAfter++
		}
	case d.Enter == ask.Note:
		fresh := false
		for i := range d.Items {
			if it := &d.Items[i]; it.Action == ask.Note && !noted[kind(it)] {
				noted[kind(it)], fresh = true, true
			}
		}
		if fresh && label == "silent" {
			o.notes++
			miss("note")
		}
	}
}

// TestWeeks holds Enter to what a careful colleague would ask in six weeks of other
// people's work.
func TestWeeks(t *testing.T) {
	if testing.Short() {
		t.Skip("plays 1 700 lines")
	}
	total := week{}
	for _, who := range []struct {
		file  string
		place func(*testing.T) *workplace
		env   map[string]string
	}{
		{"scientist.tsv", weekplace, map[string]string{"VIRTUAL_ENV": "/home/me/work/.venv", "AWS_PROFILE": "research"}},
		{"embedded.tsv", weekplace, nil},
		{"teacher.tsv", weekplace, nil},
		{"oncall.tsv", bareplace, nil},
		{"wordpress.tsv", bareplace, nil},
		{"gpuserver.tsv", bareplace, nil},
	} {
		got := play(t, who.place(t), who.file, who.env)
		days := float64(got.days)
		t.Logf("%s: %d lines, %d days: wrong %.1f a day (%.1f after a), notes %.1f, words %.1f, missed %d, light %d\n%s", who.file, got.lines, got.days,
			float64(got.wrong)/days, float64(got.wrongAfter)/days, float64(got.notes)/days, float64(got.words)/days, got.missed, got.light, strings.Join(got.off, "\n"))
		total.lines += got.lines
		if got.missed > 0 || float64(got.wrong)/days > 2 || float64(got.wrongAfter)/days > 0.5 || float64(got.notes)/days > 0.5 || float64(got.words)/days > 1 {
			t.Errorf("%s: not as a careful colleague would: %+v", who.file, got)
		}
	}
	if total.lines < 1600 {
		t.Errorf("%d lines", total.lines)
	}
}
