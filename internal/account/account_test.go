package account

import (
	"testing"
	"time"
)

func TestEntry(t *testing.T) {
	for line, want := range map[string]string{
		"u:x:1000:1000:U,,,:/home/u:/bin/sh":   "/home/u",
		"u:x:1000:1000::/home/u/:/bin/sh":      "/home/u",
		"u:*:1000:20::0:0:U:/Users/u:/bin/zsh": "/Users/u", // of id -P
		"u:x:1001:1000::/home/u:/bin/sh":       "",
		"u:x:1000:1000::home/u:/bin/sh":        "",
		"u:x:1000:1000::/home/u":               "",
		"1000:x:0:0::/home/u:/bin/sh":          "",
		"":                                     "",
	} {
		if got := entry(line, "1000"); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	if State("") != "" || State("/h") != "/h/.local/state/tmp" {
		t.Error("the state directory of an account")
	}
}

// TestClock: the boot's clock goes on, and the boot has a name.
func TestClock(t *testing.T) {
	a := At(time.Now())
	time.Sleep(2 * time.Millisecond)
	b := At(time.Now())
	if b.Boot <= a.Boot || a.BootID == "" || a.BootID != b.BootID {
		t.Errorf("%+v, then %+v", a, b)
	}
}

// TestEnvironmentHasNoSay: HOME and USER change nothing.
func TestEnvironmentHasNoSay(t *testing.T) {
	was := Home()
	t.Setenv("HOME", "/nowhere")
	t.Setenv("USER", "nobody")
	if got := Home(); got != was {
		t.Errorf("%q, it was %q", got, was)
	}
}
