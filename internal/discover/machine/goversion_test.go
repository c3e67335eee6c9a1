package machine

import (
	"runtime/debug"
	"testing"
)

// TestGoVersion: only a release says of itself what it is. A map's range of
// versions is held against it.
func TestGoVersion(t *testing.T) {
	for built, want := range map[string]string{
		"v1.2.3":                               "1.2.3",
		"v2.0.0+incompatible":                  "2.0.0",
		"v1.0.0-rc.1":                          "1.0.0-rc.1",
		"(devel)":                              "",
		"":                                     "",
		"v0.0.0-20260105100000-0123456789ab":   "", // a checkout without tags: not 0.0.0
		"v1.2.4-0.20260105100000-0123456789ab": "", // after 1.2.3
		"v1.2.3+dirty":                         "",
		"release-7":                            "",
	} {
		if got := goVersion(&debug.BuildInfo{Main: debug.Module{Version: built}}); got != want {
			t.Errorf("%q: %q, want %q", built, got, want)
		}
	}
	if goVersion(nil) != "" {
		t.Error("a version of no Go program")
	}
}
