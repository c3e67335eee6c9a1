package runlog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/account"
)

// at are the approvals of a state directory, so long after noon by both clocks.
func at(state string, after time.Duration) *Approvals {
	return OpenApprovals(state, account.Clock{Wall: noon.Add(after), Boot: time.Hour + after, BootID: "boot"})
}

// pending makes a request for a plan and returns it.
func pending(t *testing.T, state, plan string) Pending {
	t.Helper()
	sum := sha256.Sum256([]byte(plan))
	p := Pending{Digest: hex.EncodeToString(sum[:]), Plan: plan, Key: "key", Level: "HIGH_RISK", State: []byte("as it is")}
	if err := at(state, 0).Request(p); err != nil {
		t.Fatal(err)
	}
	p, err := at(state, 0).Pending(p.Digest)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// approved is a state directory with an approval of one use.
func approved(t *testing.T) (state, file string) {
	t.Helper()
	state = t.TempDir()
	if err := at(state, 0).Approve(pending(t, state, "{}"), 0, nil); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(state, "approved/*"))
	if len(files) != 1 {
		t.Fatalf("%v", files)
	}
	return state, files[0]
}

// use uses up what is approved for a key.
func use(a *Approvals, key string) bool {
	found, _ := a.Find(key)
	return len(found) > 0 && a.Use(&found[0])
}

func TestApprovalIsUsedOnce(t *testing.T) {
	state := t.TempDir()
	p := pending(t, state, `{"argv":["a"]}`)
	if use(at(state, 0), "key") {
		t.Fatal("a request alone approves")
	}
	if err := at(state, 0).Approve(p, 0, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := at(state, 0).Pending(p.Digest); err == nil {
		t.Error("the request still waits")
	}
	if use(at(state, 0), "another") {
		t.Error("other words are approved")
	}
	found, _ := at(state, 0).Find("key")
	if data, err := at(state, 0).State(&found[0]); err != nil || string(data) != "as it is" {
		t.Errorf("%q, %v", data, err)
	}
	var used atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if use(at(state, time.Minute), "key") {
				used.Add(1)
			}
		})
	}
	wg.Wait()
	if used.Load() != 1 {
		t.Errorf("used %d times", used.Load())
	}
}

// TestApprovalForAWhile: it is not used up, and ends after an hour at most.
func TestApprovalForAWhile(t *testing.T) {
	state := t.TempDir()
	if err := at(state, 0).Approve(pending(t, state, "{}"), 5*time.Hour, []string{"src/**"}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if !use(at(state, 59*time.Minute), "key") {
			t.Error("it was used up")
		}
	}
	if use(at(state, time.Hour), "key") {
		t.Error("it holds after an hour")
	}
}

func TestApprovalExpires(t *testing.T) {
	for _, tt := range []struct {
		wall, boot time.Duration
		id         string
		want       bool
	}{
		{0, 0, "boot", true},
		{ApprovalTime - 1, ApprovalTime - 1, "boot", true},
		{ApprovalTime, 0, "boot", false},
		{0, ApprovalTime, "boot", false}, // the wall's clock stands still
		{time.Hour, time.Hour, "boot", false},
		{-time.Hour, 0, "boot", false}, // it was set back
		{0, -time.Minute, "boot", false},
		{0, 0, "another boot", false},
	} {
		state, _ := approved(t)
		now := OpenApprovals(state, account.Clock{Wall: noon.Add(tt.wall), Boot: time.Hour + tt.boot, BootID: tt.id})
		if got := use(now, "key"); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// TestRecordsThatAreNotOurs: what was not written by tmp, or not where it lies, does
// not count, is named, and is taken away.
func TestRecordsThatAreNotOurs(t *testing.T) {
	rewrite := func(t *testing.T, file string, change func(map[string]any)) {
		data, err := os.ReadFile(file)
		var r map[string]any
		if err == nil {
			err = json.Unmarshal(data, &r)
		}
		change(r)
		data, _ = json.Marshal(r)
		if err == nil {
			err = os.WriteFile(file, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, forge := range map[string]func(t *testing.T, state, file string){
		"readable by others": func(t *testing.T, _, file string) { _ = os.Chmod(file, 0o644) },
		"of another place":   func(t *testing.T, _, file string) { rewrite(t, file, func(r map[string]any) { r["key"] = "other" }) },
		"for a year": func(t *testing.T, _, file string) {
			rewrite(t, file, func(r map[string]any) { r["lasts_ns"] = int64(365 * 24 * time.Hour) })
		},
		"with a date of tomorrow": func(t *testing.T, _, file string) {
			rewrite(t, file, func(r map[string]any) { r["time"] = noon.Add(24 * time.Hour) })
		},
		"with another state": func(t *testing.T, _, file string) {
			rewrite(t, file, func(r map[string]any) { r["state"] = strings.Repeat("0", 64) })
		},
		"for a while now": func(t *testing.T, _, file string) { rewrite(t, file, func(r map[string]any) { r["while"] = true }) },
		"empty":           func(t *testing.T, _, file string) { _ = os.Truncate(file, 0) },
		"without a key":   func(t *testing.T, state, _ string) { _ = os.Remove(filepath.Join(state, keyName)) },
		"a pipe": func(t *testing.T, _, file string) {
			_ = os.Remove(file)
			_ = unix.Mkfifo(file, 0o600)
		},
		"a link": func(t *testing.T, _, file string) {
			to := filepath.Join(t.TempDir(), "x")
			if err := errors.Join(os.Rename(file, to), os.Symlink(to, file)); err != nil {
				t.Fatal(err)
			}
		},
		"a copy": func(t *testing.T, _, file string) {
			data, _ := os.ReadFile(file)
			if err := errors.Join(os.Remove(file), os.WriteFile(file, data, 0o600)); err != nil {
				t.Fatal(err)
			}
		},
		"with a second name": func(t *testing.T, _, file string) { _ = os.Link(file, filepath.Join(t.TempDir(), "x")) },
		"by hand": func(t *testing.T, _, file string) {
			_ = os.Remove(file)
			_ = os.WriteFile(file, []byte(`{"v":2,"key":"key","lasts_ns":600000000000,"nonce":"`+filepath.Base(file)+`","mac":"00"}`), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			state, file := approved(t)
			forge(t, state, file)
			found, wrong := at(state, time.Minute).Find("key")
			if len(found) != 0 || len(wrong) != 1 {
				t.Errorf("%d count, %q", len(found), wrong)
			}
			if _, err := os.Lstat(file); err == nil {
				t.Error("it is still there")
			}
		})
	}
}

// TestPutBack: a record that was used does not come back, neither as a copy nor by
// another name of the same file.
func TestPutBack(t *testing.T) {
	state, file := approved(t)
	data, err := os.ReadFile(file)
	if err != nil || !use(at(state, 0), "key") {
		t.Fatalf("not used: %v", err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if use(at(state, 0), "key") {
		t.Error("a copy is used again")
	}
	state, file = approved(t)
	f, err := os.Open(file)
	if err != nil || !use(at(state, 0), "key") {
		t.Fatalf("not used: %v", err)
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || st.Size() != 0 {
		t.Errorf("what was used still holds its text: %v", err)
	}
}

func TestPending(t *testing.T) {
	state := t.TempDir()
	p := pending(t, state, `{"argv":["<a>&","b"]}`)
	if q, err := at(state, 0).Pending(p.Digest[:8]); err != nil || q.Digest != p.Digest || string(q.State) != "as it is" {
		t.Errorf("%+v, %v", q, err)
	}
	if _, err := at(state, ApprovalTime).Pending(p.Digest); err == nil {
		t.Error("an old request still waits")
	}
	if _, err := at(t.TempDir(), 0).Pending(p.Digest); err == nil {
		t.Error("a request is found where there is none")
	}
	// What is shown must be what the digest binds, and what was asked for.
	file := filepath.Join(state, "pending", p.Digest)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{{`\"b\"`, `\"c\"`}, {"HIGH_RISK", "LOW_RISK"}} {
		if err := os.WriteFile(file, []byte(strings.Replace(string(data), change[0], change[1], 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := at(state, 0).Pending(p.Digest); err == nil {
			t.Errorf("a request with %s is shown", change[1])
		}
	}
}
