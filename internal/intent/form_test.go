package intent

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func TestCheckType(t *testing.T) {
	of := func(p tcpdb.ParamType) string { return p.Text() }
	for _, c := range []struct {
		kind      string
		good, bad []string
	}{
		{"integer", []string{"0", "-7", "123456789012345678901234567890"}, []string{"", "1.5", "0x1", "1e3", "ten", "1 "}},
		{"number", []string{"0", "-1.5", "1e3", "9007199254740993.1"}, []string{"", "NaN", "inf", "0x1p-2", "1_000", "1,5"}},
		{"boolean", []string{"true", "false", "1"}, []string{"yes", ""}},
		{"enum:a,b", []string{"a", "b"}, []string{"c", "", "a,b"}},
		{of(tcpdb.ParamType{Enum: []string{"a,b", "c d"}}), []string{"a,b", "c d"}, []string{"a", "c"}},
		{of(tcpdb.ParamType{Name: "integer", Minimum: "1", Maximum: "500"}), []string{"1", "500"}, []string{"0", "501", "x", "-1"}},
		{of(tcpdb.ParamType{Name: "number", Maximum: "0.3"}), []string{"0.3", "-1e9"}, []string{"0.30000000000000000001"}},
		{of(tcpdb.ParamType{Format: "date"}), []string{"2026-02-28"}, []string{"2026-02-30", "2026-2-1", "today"}},
		{of(tcpdb.ParamType{Format: "date-time"}), []string{"2026-02-28T10:00:00Z", "2026-02-28T10:00:00.5+01:00"}, []string{"2026-02-28 10:00:00", "2026-02-28"}},
		{of(tcpdb.ParamType{Format: "uuid"}), []string{"123e4567-e89b-12d3-a456-426614174000"}, []string{"123e4567e89b12d3a456426614174000", "x"}},
		{of(tcpdb.ParamType{Format: "ipv4"}), []string{"10.0.0.1"}, []string{"::1", "10.0.0"}},
		{of(tcpdb.ParamType{Format: "ipv6"}), []string{"::1"}, []string{"10.0.0.1", "fe80::1%eth0"}},
		{of(tcpdb.ParamType{Format: "email"}), []string{"a@b.c"}, []string{"A <a@b.c>", "a"}},
		{of(tcpdb.ParamType{Format: "int32", Name: "integer"}), []string{"2147483647"}, []string{"2147483648"}},
		{of(tcpdb.ParamType{Format: "odd"}), []string{"anything"}, nil},
		{"odd", []string{"anything"}, nil},
	} {
		for _, v := range c.good {
			if err := checkType(c.kind, v); err != nil {
				t.Errorf("%q refuses %q: %v", c.kind, v, err)
			}
		}
		for _, v := range c.bad {
			if checkType(c.kind, v) == nil {
				t.Errorf("%q takes %q", c.kind, v)
			}
		}
	}
}
