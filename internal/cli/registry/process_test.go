package registry

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// program builds tmp-registry once.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tmp-registry-bin-")
	if err != nil {
		return "", err
	}
	built = dir
	c := exec.Command("go", "build", "-o", dir+"/", "github.com/tool-mapping-protocol/tmp/cmd/tmp-registry")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return filepath.Join(dir, "tmp-registry"), nil
})

// built is the directory of the program, "" while nothing was built.
var built string

func TestMain(m *testing.M) {
	status := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(status)
}

// process is a command line of the real program, in a world.
func (w *world) process(before []string, args ...string) *exec.Cmd {
	w.t.Helper()
	file, err := program()
	if err != nil {
		w.t.Fatal(err)
	}
	argv := append(append([]string{}, before...), append([]string{file}, args...)...)
	c := exec.Command(argv[0], argv[1:]...)
	c.Dir = w.dir
	c.Env = []string{"HOME=" + w.home, "SSH_AUTH_SOCK=" + w.socket, "PATH=" + os.Getenv("PATH"), "GOMAXPROCS=2"}
	return c
}

// killing is the command that kills another one at its nth call that changes something
// on disk, or sends something.
func killing(t *testing.T, n int) []string {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("there is no strace, which kills at a call")
	}
	const set = "write,openat,renameat,renameat2,rename,mkdirat,mkdir,unlinkat,unlink,fsync,ftruncate,fchmod,fchmodat,pwrite64"
	return []string{strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + set, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", set, n)}
}

// killed reports whether a command was killed; any other failure is one of the test.
func killed(t *testing.T, c *exec.Cmd) bool {
	t.Helper()
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return false
	case errors.As(err, &exit) && (exit.ExitCode() == -1 || exit.ExitCode() == 137):
		return true
	}
	if strings.Contains(string(out), "ptrace") {
		t.Skipf("strace may not trace here: %s", out)
	}
	t.Fatalf("%v: %v\n%s", c.Args, err, out)
	return false
}

// calls are about as many as a thread of the program makes. Which of its threads makes
// which differs from run to run, so that all are met in time.
const calls = 55

// cases are how many times a program is killed.
func cases(t *testing.T) int {
	t.Helper()
	if testing.Short() {
		return 10
	}
	return 100
}

// TestPublishKilled: killed at any call, a publication is there whole or not at all,
// and the next one goes on.
func TestPublishKilled(t *testing.T) {
	ann := newWorld(t)
	ann.now = time.Now()
	key := ann.key("acme")
	base := filepath.Join(ann.dir, "base")
	ann.ok("registry", "publish", ann.pack("acme/frob", "1.0.0"), "--to", "dir:"+base)
	next := ann.pack("acme/frob", "1.1.0")
	times := 0
	for i := 0; times < cases(t) && i < 3*cases(t); i++ {
		n := 1 + i%calls
		reg := filepath.Join(ann.dir, fmt.Sprintf("reg%d", i))
		name := "dir:" + reg
		first := i%4 == 3 // the first publication of a registry, too
		if !first {
			copyTree(t, base, reg)
			copyTree(t, base+".key", reg+".key")
		}
		if !killed(t, ann.process(killing(t, n), "registry", "publish", next, "--to", name)) {
			continue
		}
		times++
		bob := ann.other()
		bob.now = time.Now()
		bob.trust(key)
		r := bob.run("registry", "search", "--json", "--from", name)
		there := strings.Contains(r.out, "1.1.0")
		switch {
		case first && !there:
			if r.status != 1 || !strings.Contains(r.err, "not_found") {
				t.Errorf("killed at call %d: an unfinished registry: %d %s%s", n, r.status, r.out, r.err)
			}
		case r.status != 0 || !there && !strings.Contains(r.out, "1.0.0"):
			t.Errorf("killed at call %d: %d %s%s", n, r.status, r.out, r.err)
		default:
			if r := bob.run("registry", "install", "acme/frob", "--yes", "--from", name); r.status != 0 || !strings.Contains(r.out, "verified") {
				t.Errorf("killed at call %d: install: %s%s", n, r.out, r.err)
			}
		}
		out := ann.ok("registry", "publish", next, "--to", name)
		if (there && !strings.Contains(out, "unchanged")) || (!there && !strings.Contains(out, "published")) {
			t.Errorf("killed at call %d: there before %t, then %s", n, there, out)
		}
		if out := bob.ok("registry", "install", "acme/frob@1.1.0", "--yes", "--from", name); !strings.Contains(out, "verified") {
			t.Errorf("killed at call %d: after the next try: %s", n, out)
		}
		if left, _ := filepath.Glob(filepath.Join(reg, "ingest", "*")); len(left) != 0 {
			t.Errorf("killed at call %d: left %q", n, left)
		}
		os.RemoveAll(reg)
	}
	t.Logf("killed %d times", times)
	if times < cases(t) {
		t.Errorf("killed %d times only", times)
	}
}

// TestInstallKilled: killed at any call, the old version is in use or the new one, and
// the next installation goes on.
func TestInstallKilled(t *testing.T) {
	ann := newWorld(t)
	ann.now = time.Now()
	key := ann.key("acme")
	reg := ann.registry()
	ann.ok("registry", "publish", ann.pack("acme/frob", "1.0.0"), ann.pack("acme/frob", "1.1.0"), ann.pack("acme/base", "1.0.0"), "--to", reg)
	base := ann.other()
	base.now = ann.now
	base.trust(key)
	base.ok("registry", "install", "acme/frob@1.0.0", "--yes", "--from", reg)
	times := 0
	for i := 0; times < cases(t) && i < 3*cases(t); i++ {
		n := 1 + i%calls
		bob := ann.other()
		bob.now = ann.now
		if i%4 != 3 { // else the first installation of all
			copyTree(t, base.home, bob.home)
		} else {
			bob.trust(key)
		}
		if !killed(t, bob.process(killing(t, n), "registry", "install", "acme/frob", "acme/base", "--yes", "--from", reg)) {
			continue
		}
		times++
		list := decode[listed](t, bob.ok("registry", "list", "--json")).Packs
		old := len(list) == 1 && list[0].Version == "1.0.0" || len(list) == 0 && i%4 == 3
		whole := len(list) == 2 && list[0].Name == "acme/base" && list[1].Version == "1.1.0"
		if !old && !whole {
			t.Errorf("killed at call %d: %+v", n, list)
		}
		if r := bob.run("registry", "verify", "--from", reg); r.status != 0 {
			t.Errorf("killed at call %d: verify: %s%s", n, r.out, r.err)
		}
		bob.ok("registry", "install", "acme/frob", "acme/base", "--yes", "--from", reg)
		bob.ok("registry", "verify", "--from", reg)
		if left, _ := filepath.Glob(filepath.Join(bob.home, ".local/share/tmp/packs/acme/*")); len(left) != 4 {
			t.Errorf("killed at call %d: left %q", n, left)
		}
		os.RemoveAll(bob.home)
	}
	t.Logf("killed %d times", times)
	if times < cases(t) {
		t.Errorf("killed %d times only", times)
	}
}

// TestPublishersAtOnce: of publishers at once every publication is in the log.
func TestPublishersAtOnce(t *testing.T) {
	ann := newWorld(t)
	ann.now = time.Now()
	ann.key("acme")
	reg := ann.registry()
	publishersAtOnce(t, ann, reg)
}

func publishersAtOnce(t *testing.T, ann *world, reg string) {
	t.Helper()
	ann.ok("registry", "publish", ann.pack("acme/frob", "1.0.0"), "--to", reg)
	var wait sync.WaitGroup
	for i := range 4 {
		dir := ann.pack(fmt.Sprintf("acme/frob%d", i), "1.0.0")
		wait.Add(1)
		go func() {
			defer wait.Done()
			if out, err := ann.process(nil, "registry", "publish", dir, "--to", reg).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		}()
	}
	wait.Wait()
	bob := ann.other()
	bob.now = ann.now
	if out := bob.ok("registry", "search", "--from", reg); strings.Count(out, "acme/frob") != 5 {
		t.Errorf("%s", out)
	}
	bob.ok("registry", "install", "acme/frob3", "--yes", "--from", reg)
}

// dockerRegistry starts Debian's docker-registry on loopback, and gives its name and
// what stops it.
func dockerRegistry(t *testing.T) (name string, stop func()) {
	t.Helper()
	file, err := exec.LookPath("docker-registry")
	if err != nil {
		t.Skip("docker-registry is not installed (apt-get install docker-registry)")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	dir := memoryDir(t)
	config := filepath.Join(dir, "config.yml")
	text := fmt.Sprintf("version: 0.1\nlog: {level: error, accesslog: {disabled: true}}\nstorage: {filesystem: {rootdirectory: %s/data}}\nhttp: {addr: %q}\n", dir, address)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(file, "serve", config)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	stop = func() { _ = c.Process.Kill(); _ = c.Wait() }
	t.Cleanup(stop)
	for range 100 {
		if resp, err := http.Get("http://" + address + "/v2/"); err == nil {
			resp.Body.Close()
			return "oci:" + address + "/acme/packs", stop
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("docker-registry does not answer")
	return "", nil
}

// TestRegistryOfContainers: the whole way through a registry that others made, which
// knows no referrers: notes are found by a tag.
func TestRegistryOfContainers(t *testing.T) {
	reg, stop := dockerRegistry(t)
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	ann := newWorld(t)
	ann.now = time.Now()
	key := ann.key("acme")
	ann.other().refused(1, "not_found", "registry", "search", "--from", reg)
	dir := ann.pack("acme/frob", "1.0.0")
	ann.ok("registry", "publish", dir, "--to", reg)
	if out := ann.ok("registry", "publish", dir, "--to", reg); !strings.Contains(out, "unchanged") {
		t.Error(out)
	}
	bob := ann.other()
	bob.now = ann.now
	bob.trust(key)
	if out := bob.ok("registry", "search", "frob", "--from", reg); !strings.Contains(out, "acme/frob") {
		t.Error(out)
	}
	if out := bob.ok("registry", "install", "acme/frob", "--yes", "--from", reg); !strings.Contains(out, "verified") {
		t.Error(out)
	}
	bob.ok("registry", "verify", "--from", reg)

	// The cached catalogue answers, and says its age; an update asks again.
	ann.ok("registry", "publish", ann.pack("acme/frob", "1.1.0"), "--to", reg)
	if r := bob.run("registry", "search", "frob", "--from", reg); strings.Contains(r.out, "1.1.0") || !strings.Contains(r.err, "ago") {
		t.Errorf("%s%s", r.out, r.err)
	}
	bob.ok("registry", "update", "--yes", "--from", reg)
	if out := bob.ok("registry", "search", "frob", "--from", reg); !strings.Contains(out, "1.1.0") {
		t.Error(out)
	}
	ann.ok("registry", "yank", "acme/frob@1.1.0", "--reason", "wrong", "--to", reg)
	if r := bob.run("registry", "verify", "--from", reg); r.status != 1 || !strings.Contains(r.out, "yanked") {
		t.Errorf("%d %s", r.status, r.out)
	}
	// Another machine publishes with the log's key that was given to it, and not without.
	carl := ann.other()
	carl.now = ann.now
	carl.key("carl")
	mine := carl.pack("carl/other", "1.0.0")
	carl.refused(1, "denied", "registry", "publish", mine, "--to", reg)
	logKeys, _ := filepath.Glob(filepath.Join(ann.home, ".local/state/tmp/registries/*.key"))
	if len(logKeys) != 1 {
		t.Fatalf("%q", logKeys)
	}
	if st, err := os.Stat(logKeys[0]); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the log's key: %v %v", st.Mode(), err)
	}
	carl.ok("registry", "publish", mine, "--to", reg, "--log-key", logKeys[0])
	if out := carl.ok("registry", "search", "--from", reg); !strings.Contains(out, "carl/other") {
		t.Error(out)
	}
	// Nobody there: what was cached is searched, nothing is installed.
	bob.ok("registry", "update", "--yes", "--from", reg)
	stop()
	bob.now = bob.now.Add(25 * time.Hour)
	if r := bob.run("registry", "search", "frob", "--from", reg); r.status != 0 || !strings.Contains(r.out, "acme/frob") || !strings.Contains(r.err, "25 hours ago") {
		t.Errorf("%d %s%s", r.status, r.out, r.err)
	}
	bob.refused(75, "network", "registry", "install", "acme/frob", "--yes", "--from", reg)
	bob.refused(75, "network", "registry", "update", "--from", reg)
}

// TestPublishersAtOnceInContainers is TestPublishersAtOnce where there is no lock.
func TestPublishersAtOnceInContainers(t *testing.T) {
	reg, _ := dockerRegistry(t)
	ann := newWorld(t)
	ann.now = time.Now()
	ann.key("acme")
	publishersAtOnce(t, ann, reg)
}
