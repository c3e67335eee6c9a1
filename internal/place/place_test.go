package place

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"
)

func env(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestFind(t *testing.T) {
	shared := []string{"/usr/local/share/tmp", "/usr/share/tmp"}
	tests := []struct {
		name string
		vars map[string]string
		want Paths
	}{
		{
			"home alone",
			map[string]string{"HOME": "/home/u"},
			Paths{
				Config: "/home/u/.config/tmp", Data: "/home/u/.local/share/tmp", State: "/home/u/.local/state/tmp",
				Cache: "/home/u/.cache/tmp", Home: "/home/u", Shared: shared,
			},
		},
		{
			"XDG before home",
			map[string]string{
				"HOME": "/home/u", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s",
				"XDG_CACHE_HOME": "/k", "XDG_DATA_DIRS": "/opt/share:relative:/x",
			},
			Paths{
				Config: "/c/tmp", Data: "/d/tmp", State: "/s/tmp", Cache: "/k/tmp", Home: "/home/u",
				Shared: []string{"/opt/share/tmp", "/x/tmp"},
			},
		},
		{
			"our own before XDG, taken as they are",
			map[string]string{
				"HOME": "/home/u/", "XDG_CONFIG_HOME": "/c", "TMP_CONFIG_DIR": "/own/c/", "TMP_DATA_DIR": "/own/d",
				"TMP_STATE_DIR": "/own/s", "TMP_CACHE_DIR": "/own/k", "TMP_CEILING_DIRECTORIES": "/a:/b/",
			},
			Paths{
				Config: "/own/c", Data: "/own/d", State: "/own/s", Cache: "/own/k", Home: "/home/u", Shared: shared,
				Ceilings: []string{"/a", "/b"},
			},
		},
		{
			"relative values do not count",
			map[string]string{
				"HOME": "u", "XDG_CONFIG_HOME": "c", "TMP_DATA_DIR": "../d", "XDG_CACHE_HOME": "/k",
			},
			Paths{Cache: "/k/tmp", Shared: shared},
		},
		{"nothing", nil, Paths{Shared: shared}},
		{"TMP and TMPDIR are the system's", map[string]string{"TMP": "/t", "TMPDIR": "/t"}, Paths{Shared: shared}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Find(env(tt.vars))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestFiles(t *testing.T) {
	p := Find(env(map[string]string{"HOME": "/h"}))
	hash := fmt.Sprintf("%016x", xxhash.Sum64String("/src/x"))
	for got, want := range map[string]string{
		p.Schemas():            "/h/.config/tmp/schemas",
		p.Risks():              "/h/.config/tmp/risk.toml",
		p.Settings():           "/h/.config/tmp/config.toml",
		p.SystemMap():          "/h/.local/share/tmp/system.tcpdb",
		p.UserMap():            "/h/.local/share/tmp/user.tcpdb",
		p.ProjectMap("/src/x"): "/h/.cache/tmp/projects/" + hash + ".tcpdb",
		p.Trust("/src/x"):      "/h/.local/state/tmp/trust/" + hash + ".json",
		p.Reviews("jq"):        "/h/.local/state/tmp/reviews/jq.json",
		p.Evidence("abc"):      "/h/.local/state/tmp/evidence/abc.json",
		p.Resolvers():          "/h/.cache/tmp/resolvers",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	none := Find(env(nil))
	for _, got := range []string{none.Schemas(), none.UserMap(), none.ProjectMap("/x"), none.Trust("/x"), none.Resolvers()} {
		if got != "" {
			t.Errorf("without HOME: %q, want nothing", got)
		}
	}
}

// TestNamesHaveOneLength: names of leading zeros are not shortened.
func TestNamesHaveOneLength(t *testing.T) {
	for i := range 2000 {
		if n := name(filepath.Join("/p", fmt.Sprint(i))); len(n) != 16 {
			t.Fatalf("name of %d is %q", i, n)
		}
	}
}

func TestPackMaps(t *testing.T) {
	p := Find(env(map[string]string{"HOME": "/home/u", "XDG_DATA_DIRS": "/opt/share"}))
	if got := p.PackMap(); got != "/home/u/.local/share/tmp/packs.tcpdb" {
		t.Error(got)
	}
	if diff := cmp.Diff([]string{"/opt/share/tmp/packs.tcpdb"}, p.SharedPackMaps()); diff != "" {
		t.Error(diff)
	}
	if got := InstalledPackMap("/opt/tmp/bin/tmp-tab"); got != "/opt/tmp/share/tmp/packs.tcpdb" {
		t.Error(got)
	}
	if got := (Paths{}).PackMap(); got != "" {
		t.Error(got)
	}
}
