package hook

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Answer is what the program gives back.
type Answer struct {
	Stdout, Stderr string
	Status         int
}

const (
	maxReason = 600 // bytes
	maxPart   = 80  // characters
	maxLines  = 3
)

// Reason is the text of an answer: what would happen, what to type instead, how
// a person allows it. Mask hides what is secret.
func Reason(f *Found, safer, approve string, mask func(string) string) string {
	first := "tmp: " + f.Level.String() + ": " + shorten(printable(mask(f.Part)), maxPart) + ": " + printable(mask(f.Why))
	var rest []string
	if approve != "" {
		rest = append(rest, "A person allows it once: tmp approve "+approve)
	}
	if s := printable(safer); s != "" && s == safer && len(s) <= 240 && mask(s) == s {
		rest = append([]string{"Instead: " + s}, rest...)
	}
	left := maxReason
	for _, l := range rest {
		left -= len(l) + 1
	}
	return strings.Join(append([]string{shortenBytes(first, left)}, rest...), "\n")
}

// printable makes one line of a text, without control characters and without
// those that change what a person sees.
func printable(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			return '\uFFFD'
		}
		return r
	}, s))
}

// shorten cuts a text to so many characters.
func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

func shortenBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// Silent is the answer of a harness that says nothing.
func Silent(h *Harness, e *Event) Answer {
	if h.None == "" || e.Form == Flat {
		return Answer{}
	}
	return Answer{Stdout: h.None + "\n"}
}

// Write puts a ruling into the form that an event is answered in. Input is the
// changed input of the call, nil for none. A harness that cannot ask denies.
func Write(h *Harness, e *Event, r *Ruling, reason string, input []byte) Answer {
	if r.Told && h.Message {
		return one(member("systemMessage", reason))
	}
	v := r.Verdict
	if v == Asked && !h.Asks {
		v = Denied
	}
	if v == Allowed && !h.Allows {
		v = None
	}
	if v >= Asked {
		input = nil
	} else {
		reason = ""
	}
	if h.Rewrite == WithAllow && input != nil {
		v = Allowed
	}
	if v == None && input == nil {
		return Silent(h, e)
	}
	switch e.Form {
	case Specific:
		return specific(v, reason, input)
	case Flat:
		return one(decision("permissionDecision", v), member("permissionDecisionReason", reason), object("modifiedArgs", input))
	case Permission:
		return one(decision("permission", v), member("user_message", reason), member("agent_message", reason), object("updated_input", input))
	case Cancel:
		return one(`"cancel":true`, member("errorMessage", reason))
	case Status:
		return Answer{Stderr: reason + "\n", Status: 2}
	}
	if h.Rewrite == Args {
		return one(decision("decision", v), member("reason", reason), object("args", input))
	}
	specific := ""
	if input != nil {
		specific = `"hookSpecificOutput":{` + object("tool_input", input) + "}"
	}
	return one(decision("decision", v), member("reason", reason), specific)
}

func specific(v Verdict, reason string, input []byte) Answer {
	inner := one(`"hookEventName":"PreToolUse"`, decision("permissionDecision", v), member("permissionDecisionReason", reason), object("updatedInput", input))
	return one(`"hookSpecificOutput":` + strings.TrimSuffix(inner.Stdout, "\n"))
}

// one writes an object of the members that are not empty.
func one(members ...string) Answer {
	kept := members[:0]
	for _, m := range members {
		if m != "" {
			kept = append(kept, m)
		}
	}
	return Answer{Stdout: "{" + strings.Join(kept, ",") + "}\n"}
}

func decision(key string, v Verdict) string {
	if v == None {
		return ""
	}
	return member(key, v.String())
}

func member(key, value string) string {
	if value == "" {
		return ""
	}
	return quote(key) + ":" + quote(value)
}

func object(key string, raw []byte) string {
	if raw == nil {
		return ""
	}
	return quote(key) + ":" + compact(raw)
}

// quote writes a JSON string (RFC 8259 §7).
func quote(s string) string {
	const hex = "0123456789abcdef"
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r < 0x20 || r == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return string(append(b, '"'))
}

// compact takes the blanks between the tokens of sound JSON away.
func compact(raw []byte) string {
	out := make([]byte, 0, len(raw))
	quoted := false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\' && i+1 < len(raw):
			out = append(out, c, raw[i+1])
			i++
			continue
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			continue
		}
		out = append(out, raw[i])
	}
	return string(out)
}
