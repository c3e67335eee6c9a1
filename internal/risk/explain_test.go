package risk

import (
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func explainView(t *testing.T) *tcpdb.View {
	t.Helper()
	entry := func(key string, level tcpdb.Level, rule string) tcpdb.Entry {
		return tcpdb.Entry{Key: key, Descriptor: tcpdb.NewDescriptor(key, level, 0, 1, 1, 1), Rule: rule, Reason: "a reason"}
	}
	b := tcpdb.NewBuilder()
	b.Tool(&tcpdb.Node{
		Path: "t", Name: "t", Bits: tcpdb.Interspersed,
		Flags: []tcpdb.Flag{{ID: "help", Names: []string{"--help"}}},
		Subs: []*tcpdb.Node{{
			Path: "t del", Name: "del", Bits: tcpdb.Interspersed,
			Flags: []tcpdb.Flag{{ID: "all", Names: []string{"-a", "--all"}}},
		}},
	})
	b.Entry(entry("t", tcpdb.Low, "t"))
	b.Variant(tcpdb.Variant{Entry: entry("t", tcpdb.Safe, "t.help"), Any: []string{"help"}, Effect: tcpdb.HarmlessEffect})
	b.Variant(tcpdb.Variant{Entry: entry("t", tcpdb.High, "t.second"), ArgClass: "second:x"})
	b.Variant(tcpdb.Variant{Entry: entry("t", tcpdb.High, "t.raise"), ArgClass: "is:del&second:x", Effect: tcpdb.RaiseEffect})
	b.Entry(entry("t del", tcpdb.Medium, "t.del"))
	b.Variant(tcpdb.Variant{Entry: entry("t del", tcpdb.Critical, "t.del.all"), All: []string{"all"}})
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return tcpdb.NewView(im)
}

func TestExplain(t *testing.T) {
	v := explainView(t)
	for _, tt := range []struct {
		line   string
		key    string
		counts string // the rules that count
	}{
		{"t", "t", "t"},
		{"t del y", "t del", "t.del"},
		{"t del -a y", "t del", "t.del.all"},     // overrules the base entry
		{"t del x", "t del", "t.raise t.del"},    // a command above may raise, not set
		{"t del -a --help x", "t del", "t.help"}, // help is all that is left
		{"t other", "", ""},                      // no such sub-command
		{"unknown --flag", "", ""},               // no such tool
		{"t del --all -- -a", "t del", "t.del.all"},
	} {
		x := Explain(v, strings.Fields(tt.line), Facts{})
		var counts []string
		for _, r := range x.Rules {
			if r.Counts {
				counts = append(counts, r.Rule)
			}
			if r.Counts && !r.Holds {
				t.Errorf("%s: %s counts and does not hold", tt.line, r.Rule)
			}
		}
		if x.Key != tt.key || strings.Join(counts, " ") != tt.counts {
			t.Errorf("%s: key %q, rules %v; want %q, %s", tt.line, x.Key, counts, tt.key, tt.counts)
		}
	}
}

// TestExplainAgrees: what counts is what Judge found.
func TestExplainAgrees(t *testing.T) {
	v := tcpdb.NewView(tcpdb.Core())
	for _, line := range []string{
		"git push --force", "aws ec2 terminate-instances --dry-run", "systemctl -H h stop nginx", "ip -br a",
		"kubectl -n p delete pvc x", "zfs destroy -nv a/b", "docker rm -f x", "terraform -chdir=x destroy",
	} {
		words := strings.Fields(line)
		x, got := Explain(v, words, Facts{}), Judge(v, words, Facts{})
		var counts, found []string
		for _, r := range x.Rules {
			if r.Counts {
				counts = append(counts, r.Rule)
			}
		}
		for _, f := range got.Findings {
			found = append(found, f.Rule)
		}
		slices.Sort(counts)
		slices.Sort(found)
		if !slices.Equal(counts, found) {
			t.Errorf("%s: explained by %v, judged by %v", line, counts, found)
		}
	}
}
