package te

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"time"
)

// identify finds out who calls: an agent that says so, a person at a terminal, or
// nobody knows.
func (c *call) identify() {
	for _, name := range [...]string{"TE_AGENT_ID", "TMP_AGENT_ID"} {
		if c.agent = c.Getenv(name); c.agent != "" {
			return
		}
	}
	if c.isTerminal(c.Stdout) || c.isTerminal(c.Stderr) || c.isTerminal(c.Stdin) {
		c.agent, c.person = "human-cli", true
		return
	}
	c.agent = "unknown"
}

// budget is how many characters the answer may have; 0 for no limit.
func (c *call) budget(command string) int {
	if c.options.maxChars == 0 {
		return 0
	}
	n := c.usualBudget(command)
	if c.options.maxChars > 0 {
		n = min(n, c.options.maxChars)
	}
	return n
}

// usualBudget is that of the agent and the command.
func (c *call) usualBudget(command string) int {
	n, ok := c.settings.Budgets[c.agent]
	if !ok {
		n = c.settings.Budgets["default"]
	}
	return min(n, c.settings.Of(command).MaxChars)
}

// session names the session in which handles hold, as a hash: the caller's word for
// it, the login session, the audit session, or the boot. The process group would not
// do: agents start each command in one of its own.
func (c *call) session() string {
	for _, name := range [...]string{"TE_SESSION_ID", "XDG_SESSION_ID"} {
		if v := c.Getenv(name); v != "" {
			return hashed(name + "=" + v)
		}
	}
	if b, err := os.ReadFile("/proc/self/sessionid"); err == nil {
		if id := strings.TrimSpace(string(b)); id != "" && id != "4294967295" {
			return hashed("audit=" + id)
		}
	}
	return hashed("boot=" + bootID())
}

func hashed(s string) string {
	sum := sha256.Sum256([]byte("te session\x00" + s))
	return hex.EncodeToString(sum[:12])
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// newHandle is "res_" and a ULID: the time in milliseconds and 80 random bits.
func newHandle(now time.Time) string {
	var b [16]byte
	ms := uint64(now.UnixMilli())
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	_, _ = rand.Read(b[6:]) // never fails, see crypto/rand
	out := make([]byte, 26)
	// 128 bits in 26 digits of five, the first of which has three.
	hi, lo := uint64(0), uint64(0)
	for i := range 8 {
		hi, lo = hi<<8|uint64(b[i]), lo<<8|uint64(b[8+i])
	}
	for i := 25; i >= 0; i-- {
		out[i] = crockford[lo&31]
		lo = lo>>5 | hi<<59
		hi >>= 5
	}
	return "res_" + string(out)
}

// isHandle reports whether a text has the form of a handle.
func isHandle(s string) bool {
	id, ok := strings.CutPrefix(s, "res_")
	if !ok || len(id) != 26 || id[0] > '7' {
		return false
	}
	for i := range len(id) {
		if strings.IndexByte(crockford, id[i]) < 0 {
			return false
		}
	}
	return true
}
