package term

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// Progress shows on standard error how far a long work is: a bar on a terminal,
// elsewhere a line for each tenth of it.
type Progress struct {
	env         *Env
	mu          sync.Mutex
	done, total int
	bar         bool
	drawn       time.Time
	told        int // tenths
}

// quietBelow is how many steps are too few to be told of where there is no bar.
const quietBelow = 50

// NewProgress shows the progress of so many steps.
func NewProgress(env *Env, total int) *Progress {
	return &Progress{env: env, total: total, bar: env.IsTerminal(2) && env.Getenv("TERM") != "dumb" && total > 1}
}

// Step notes that one more is done, whose name is shown.
func (p *Progress) Step(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.show(name)
}

// Set notes how many are done.
func (p *Progress) Set(done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = max(p.done, done)
	p.show("")
}

func (p *Progress) show(name string) {
	if !p.bar {
		if tenth := 10 * p.done / max(p.total, 1); p.total >= quietBelow && tenth > p.told {
			p.told = tenth
			fmt.Fprintf(p.env.Stderr, "tmp: %d of %d\n", p.done, p.total)
		}
		return
	}
	now := p.env.Now()
	if now.Sub(p.drawn) < 80*time.Millisecond && p.done < p.total {
		return
	}
	p.drawn = now
	const width = 30
	full := width * p.done / max(p.total, 1)
	name = OneLine(name)
	if r := []rune(name); len(r) > 24 {
		name = string(r[:24])
	}
	fmt.Fprintf(p.env.Stderr, "\r[%s%s] %d/%d %s\x1b[K", strings.Repeat("#", full), strings.Repeat(".", width-full), p.done, p.total, name)
}

// Close takes the bar away.
func (p *Progress) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar && !p.drawn.IsZero() {
		fmt.Fprint(p.env.Stderr, "\r\x1b[K")
	}
}
