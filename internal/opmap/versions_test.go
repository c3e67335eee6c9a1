package opmap

import (
	"testing"

	"pgregory.net/rapid"
)

func TestRangeHolds(t *testing.T) {
	for _, tt := range []struct {
		text, version string
		want          bool
	}{
		{"", "anything", true},
		{"*", "", true},
		{">=2.20", "2.39.5", true},
		{">=2.20", "2.20", true},
		{">=2.20", "2.20.0", true},
		{">=2.20", "2.3", false}, // 3 < 20
		{">=2.20", "", false},
		{">=2.20", "unknown", false},
		{">=2.20", "1:2.39.5-0+deb12u2", true},
		{">=2.20", "v2.39", true},
		{">=1.2 <2", "1.9", true},
		{">=1.2 <2", "2.0", false},
		{">=1.2,<2", "1.1", false},
		{">= 1.2, < 2", "1.5", true},
		{"1.x", "1.44", true},
		{"1.x", "2.0", false},
		{"1.2", "1.2.7", true},
		{"1.2", "1.20", false},
		{"=1.2", "1.2.7", false},
		{"=1.2", "1.2.0", true},
		{"^1.4", "1.9.2", true},
		{"^1.4", "2.0", false},
		{"^1.4", "1.3", false},
		{"^0.3.1", "0.3.9", true},
		{"^0.3.1", "0.4.0", false},
		{"~1.4.2", "1.4.9", true},
		{"~1.4.2", "1.5", false},
		{"1.2 || >=3", "3.1", true},
		{"1.2 || >=3", "2.9", false},
		{">=2.0", "2.0-rc1", false},
		{">=2.0", "2.0~beta2", false},
		{"<2.0", "2.0rc1", true},
		{">=2.0.0-rc.2", "2.0.0-rc.1", false}, // semver.org, 11.4
		{">=2.0.0-rc.2", "2.0.0-rc.10", true},
		{">=2.0.0-rc.2", "2.0.0", true},
		{"<2.0rc1", "2.0.0-beta.11", true},
		{"<2.0rc1", "2.0~rc1-1", false},
		{"=2.0-rc1", "2.0.0-rc.1+build.5", true},
		{"=2.0-rc1", "2.0rc2", false},
		{"=2.0-alpha.beta", "2.0-alpha.1", false},
		{">1", "99999999999999999999999.0", true},
	} {
		r, err := ParseRange(tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if got := r.Holds(tt.version); got != tt.want {
			t.Errorf("%q holds %q: %v, want %v", tt.text, tt.version, got, tt.want)
		}
	}
	for _, bad := range []string{">=", "new", ">=1 ||", "=>1", ">=x", "<<2", "||"} {
		if _, err := ParseRange(bad); err == nil {
			t.Errorf("%q is read as a range", bad)
		}
	}
}

// TestCompareVersions: an order by numbers, in which each version equals itself.
func TestCompareVersions(t *testing.T) {
	version := rapid.StringMatching(`v?[0-9]{1,3}(\.[0-9]{1,3}){0,3}(-rc[0-9]|rc[0-9]{1,2}|-alpha\.[0-9a-z]{1,3}|~beta|\+dfsg|-1ubuntu2)?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := version.Draw(t, "a"), version.Draw(t, "b"), version.Draw(t, "c")
		if CompareVersions(a, a) != 0 || CompareVersions(a, b) != -CompareVersions(b, a) {
			t.Fatalf("%s and %s: %d, %d", a, b, CompareVersions(a, b), CompareVersions(b, a))
		}
		if CompareVersions(a, b) <= 0 && CompareVersions(b, c) <= 0 && CompareVersions(a, c) > 0 {
			t.Fatalf("%s ≤ %s ≤ %s, and yet %s > %s", a, b, c, a, c)
		}
	})
}

func FuzzParseRange(f *testing.F) {
	for _, s := range []string{">=2.20", "^1.4", "~1", "1.x || >=3", "<<", "=", "1:2-3"} {
		f.Add(s, s)
	}
	f.Fuzz(func(_ *testing.T, text, version string) {
		if r, err := ParseRange(text); err == nil {
			r.Holds(version)
		}
	})
}
