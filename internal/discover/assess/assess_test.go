package assess

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func TestRate(t *testing.T) {
	const (
		files   = tcpdb.FileModification
		destroy = tcpdb.Destructive | tcpdb.FileModification
		root    = tcpdb.RequiresRoot
	)
	for _, test := range []struct {
		about string
		admin bool
		flags []Flag
		level tcpdb.Level
		caps  tcpdb.Flags
	}{
		// no evidence
		{"", false, nil, tcpdb.Medium, 0},
		{"the frobnicator of gizmos", false, nil, tcpdb.Medium, 0},
		{"", true, nil, tcpdb.Medium, root},
		// it says that it shows
		{"print the names of gizmos", false, nil, tcpdb.Low, 0},
		{"A program to display information about ELF files", false, nil, tcpdb.Low, 0},
		{"list sections", false, []Flag{{ID: "output", Names: []string{"--output"}, Valued: true, Description: "where"}}, tcpdb.Medium, 0},
		{"list sections", false, []Flag{{ID: "all", Names: []string{"--all"}, Description: "all of them"}}, tcpdb.Low, 0},
		{"list sections", false, []Flag{{ID: "purge", Names: []string{"--purge"}}}, tcpdb.Medium, 0},
		{"search for files and delete them", false, nil, tcpdb.Medium, files},
		{"report a bug in bash", false, nil, tcpdb.Medium, files},
		{"show or set the date", false, nil, tcpdb.Medium, files},
		// it says that it changes
		{"convert images", false, nil, tcpdb.Medium, files},
		{"configure gizmos", true, nil, tcpdb.Medium, tcpdb.SystemModification | root},
		{"download pages", false, nil, tcpdb.Medium, tcpdb.NetworkAccess},
		{"check a remote server", false, nil, tcpdb.Medium, tcpdb.NetworkAccess},
		// it says that it destroys
		{"wipe a device", true, nil, tcpdb.High, destroy | root},
		{"create an ext9 filesystem", true, nil, tcpdb.High, destroy | root},
		{"make a file system for gizmos", false, nil, tcpdb.High, destroy | root},
		{"remove unused packages", false, nil, tcpdb.High, destroy},
		{"delete a user", true, nil, tcpdb.High, destroy | root},
		{"remove sections from each line", false, nil, tcpdb.Medium, files},
		{"reboot the machine", false, nil, tcpdb.High, tcpdb.SystemModification | root},
	} {
		r := Rate(Facts{Name: "x", Description: test.about, From: "manual", Admin: test.admin, Flags: test.flags})
		if r.Level != test.level || r.Flags != test.caps {
			t.Errorf("%q: %s %v, want %s %v", test.about, r.Level, r.Flags.Names(), test.level, test.caps.Names())
		}
		if test.about != "" && !strings.Contains(r.Reason, test.about) {
			t.Errorf("%q: the reason is %q", test.about, r.Reason)
		}
	}
}

func TestRaises(t *testing.T) {
	r := Rate(Facts{Name: "x", Flags: []Flag{
		{ID: "delete", Names: []string{"-d", "--delete"}},
		{ID: "wipe-all", Names: []string{"--wipe-all"}},
		{ID: "d", Names: []string{"-delete"}},
		{ID: "no-delete", Names: []string{"--no-delete"}},
		{ID: "undelete", Names: []string{"--undelete"}},
	}})
	var got []string
	for _, x := range r.Raises {
		got = append(got, x.Flag)
	}
	if strings.Join(got, " ") != "delete wipe-all" {
		t.Errorf("raised by %v", got)
	}
}

// TestNeverSafe: no text makes a command safe, and none without a word for
// showing something low.
func TestNeverSafe(t *testing.T) {
	words := []string{"print", "show", "files", "the", "remove", "a", "device", "network", "gizmos", "or", "install", "list", "ünïcode", "-", ""}
	rapid.Check(t, func(t *rapid.T) {
		about := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, "words"), " ")
		r := Rate(Facts{Name: "x", Description: about, From: "manual", Admin: rapid.Bool().Draw(t, "admin")})
		if r.Level < tcpdb.Low {
			t.Fatalf("%q is %s", about, r.Level)
		}
		shown := strings.Contains(about, "print") || strings.Contains(about, "show") || strings.Contains(about, "list")
		if r.Level == tcpdb.Low && (!shown || strings.Contains(about, "remove") || strings.Contains(about, "install")) {
			t.Fatalf("%q is low", about)
		}
	})
}
