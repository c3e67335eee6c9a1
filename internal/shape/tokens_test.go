package shape

import "testing"

// TestTokens: the counts are those of o200k_base, read with its vocabulary.
func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		file string
		want int
	}{
		{"go_test_fail_v", 4174},
		{"go_test_fail_json", 30646},
		{"pytest_fail", 576},
		{"git_diff", 2896},
		{"git_log", 5248},
		{"node_test_spec", 2767},
		{"apt_install", 1199},
		{"gcc_err", 402},
		{"log_json", 75063},
		{"log_heartbeat", 128050},
	} {
		got := Tokens(real(t, tt.file))
		if off := float64(got)/float64(tt.want) - 1; off < -0.15 || off > 0.15 {
			t.Errorf("%s: %d, want %d (%+.0f %%)", tt.file, got, tt.want, 100*off)
		}
	}
}

func TestTokensDoNotDependOnTheParts(t *testing.T) {
	text := []byte(real(t, "pytest_fail"))
	var c counter
	for _, p := range split(text, 7) {
		c.add(p)
	}
	if got, want := c.total(), Tokens(string(text)); got != want {
		t.Errorf("%d in parts, %d at once", got, want)
	}
}
