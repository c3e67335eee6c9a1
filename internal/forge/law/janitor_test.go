package law

import (
	"strings"
	"testing"
)

func TestJanitor(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{`const a = "ann@acme.io"`, "pii/email"},
		{`const a = "ann@" + "acme.io"`, "pii/email"},
		{`const a = ["ann@", "acme.io"].join("")`, "pii/email"},
		{`// written for ann@acme.io`, "pii/email"},
		{`/* call +49 30 1234567 */`, "pii/phone"},
		{`const a = "+1 555 010 9999"`, "pii/phone"},
		{`const a = "4111111111111111"`, "pii/id"},
		{`const a = "DE89370400440532013000"`, "pii/id"},
		{`const a = 48291736`, "pii/id"},
		{`const a = 86400000, b = 1048576, c = 1000000, d = 2147483647, e = 604800, f = 3600000`, ""},
		{`const user_48291736 = 1`, "pii/id"},
		{`const a = "sk_live_abc123"`, "pii/secret"},
		{`row.custom_region`, "schema/custom"},
		{`const a = { cf_tier: 1 }; a`, "schema/custom"},
		{`const a = [` + strings.Repeat("1,", 33) + `]`, "data/table"},
		{`const a = { ` + strings.Repeat("a: 1,", 33) + `}`, "data/table"},
		{`f(` + strings.Repeat("1,", 33) + `)`, "data/table"},
		{`const a = [` + strings.Repeat("1,", 32) + `]`, ""},
		{`const { users } = await import("tgp:schema"); users.name; users.regionCode`, "schema/unknown"},
		{`export default (await tgp.db.query("revenue", [tgp.args.month])).map((r) => r.total / 100)`, ""},
	} {
		var got []string
		for _, f := range Janitor(tt.source, JanitorOptions{File: "a.ts", Prefixes: []string{"custom_", "cf_"}, Schema: SchemaNames("users name")}) {
			got = append(got, f.Rule)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %q", tt.source, got, tt.want)
		}
	}
}
