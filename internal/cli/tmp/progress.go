package tmp

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// progress shows on standard error how far a long work is: a bar on a terminal,
// elsewhere a line for each tenth of it.
type progress struct {
	env         *Env
	mu          sync.Mutex
	done, total int
	bar         bool
	drawn       time.Time
	told        int // tenths
}

// quietBelow is how many steps are too few to be told of where there is no bar.
const quietBelow = 50

func newProgress(env *Env, total int) *progress {
	return &progress{env: env, total: total, bar: env.IsTerminal(2) && env.Getenv("TERM") != "dumb" && total > 1}
}

// step notes that one more is done, whose name is shown.
func (p *progress) step(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.show(name)
}

// set notes how many are done.
func (p *progress) set(done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = max(p.done, done)
	p.show("")
}

func (p *progress) show(name string) {
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
	name = oneLine(name)
	if r := []rune(name); len(r) > 24 {
		name = string(r[:24])
	}
	fmt.Fprintf(p.env.Stderr, "\r[%s%s] %d/%d %s\x1b[K", strings.Repeat("#", full), strings.Repeat(".", width-full), p.done, p.total, name)
}

// close takes the bar away.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar && !p.drawn.IsZero() {
		fmt.Fprint(p.env.Stderr, "\r\x1b[K")
	}
}
