package intent

import (
	"fmt"
	"math/big"
	"net/mail"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// isNumber reports whether a text is a number of JSON: no hexadecimal digits, no
// underscores, no infinity.
func isNumber(value string) bool {
	return value != "" && strings.Trim(value, "+-.0123456789eE") == "" && len(value) < 400 && exact(value) != nil
}

// exact is a number with all its digits, nil if the text is none.
func exact(value string) *big.Float {
	f, _, err := big.ParseFloat(value, 10, 512, big.ToNearestEven)
	if err != nil {
		return nil
	}
	return f
}

// checkRange holds a number against the bounds of its type.
func checkRange(t tcpdb.ParamType, value string) error {
	if t.Minimum == "" && t.Maximum == "" {
		return nil
	}
	v := exact(value)
	if v == nil {
		return fmt.Errorf("%q is not of type number", value)
	}
	if least := exact(t.Minimum); t.Minimum != "" && least != nil && v.Cmp(least) < 0 {
		return fmt.Errorf("%s is less than %s", value, t.Minimum)
	}
	if most := exact(t.Maximum); t.Maximum != "" && most != nil && v.Cmp(most) > 0 {
		return fmt.Errorf("%s is more than %s", value, t.Maximum)
	}
	return nil
}

// forms are the formats of JSON Schema that a value is held against; others say what
// a value means and not how it is written.
var forms = map[string]func(string) bool{
	"date":      func(v string) bool { _, err := time.Parse(time.DateOnly, v); return err == nil },
	"date-time": func(v string) bool { _, err := time.Parse(time.RFC3339Nano, v); return err == nil },
	"time": func(v string) bool {
		_, err := time.Parse("15:04:05.999999999Z07:00", v)
		return err == nil
	},
	"uuid":  isUUID,
	"email": func(v string) bool { a, err := mail.ParseAddress(v); return err == nil && a.Address == v },
	"ipv4":  func(v string) bool { a, err := netip.ParseAddr(v); return err == nil && a.Is4() },
	"ipv6":  func(v string) bool { a, err := netip.ParseAddr(v); return err == nil && a.Is6() && a.Zone() == "" },
	"uri":   func(v string) bool { u, err := url.Parse(v); return err == nil && u.IsAbs() },
	"int32": func(v string) bool { return within(v, -1<<31, 1<<31-1) },
	"int64": func(v string) bool { return within(v, -1<<63, 1<<63-1) },
}

func within(v string, least, most int64) bool {
	n, ok := new(big.Int).SetString(v, 10)
	return ok && n.Cmp(big.NewInt(least)) >= 0 && n.Cmp(big.NewInt(most)) <= 0
}

func isUUID(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (v[i] == '-') || !dash && !strings.ContainsRune("0123456789abcdefABCDEF", rune(v[i])) {
			return false
		}
	}
	return true
}
