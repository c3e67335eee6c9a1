package shape

import "bytes"

// installs reads what package managers and image builders say: what changed,
// what they warn of, what failed; not what they fetch and unpack.
type installs struct {
	s   *Shaper
	g   *ledger
	etc *spread

	warns few
	list  bool // an indented list of packages follows
	skip  bool // one follows that says nothing new
	usage bool // npm: how a command is called follows
	bad   int
	seen  map[string]int
	steps map[int][]entry // docker build: the last lines of a step
}

func newInstalls(s *Shaper) *installs {
	g := &s.ledger
	return &installs{s: s, g: g, etc: newRecords(g, budget{lines: 60, bytes: 6 << 10, head: 15, tail: 25, alarms: 160}), warns: few{g: g, kind: warnings, max: 10}, seen: map[string]int{}, steps: map[int][]entry{}}
}

func (p *installs) line(l line) {
	b := l.text
	t := trim(b)
	switch {
	case len(t) == 0:
		p.list = false
		p.g.drop(l, blanks)
	case p.list && indented(b):
		p.g.keep(l)
	case p.npm(l, t) || p.apt(l, t) || p.pip(l, t) || p.yarn(l, t) || p.docker(l, t):
	case progressing(t) && !alarming(t):
		p.g.drop(l, progress)
	case p.repeats(t):
		p.g.drop(l, repeated)
	default:
		p.etc.line(l)
	}
}

// repeats reports whether a line of an error came before.
func (p *installs) repeats(t []byte) bool {
	if len(t) < 12 || len(p.seen) > 10_000 {
		return false
	}
	p.seen[string(t)]++
	return p.seen[string(t)] > 3
}

func (p *installs) npm(l line, t []byte) bool {
	low := bytes.HasPrefix(t, []byte("npm "))
	switch {
	case low && hasAny(t, "npm error", "npm ERR!", "npm err!"):
		p.bad++
		rest := trim(t[9:])
		if has(t, "npm ERR!") {
			rest = trim(t[8:])
		}
		p.usage = p.usage && !hasAny(rest, "A complete log", "code ", "errno ") || has(rest, "Usage:")
		switch {
		case len(rest) == 0:
			p.g.drop(l, blanks)
		case p.usage:
			p.g.drop(l, hints)
		case hasAny(rest, "A complete log of this run", "For a full report see:") || contains(rest, "/_logs/") || has(rest, "To see a list of scripts"):
			p.g.drop(l, hints)
		default:
			p.g.keep(l)
		}
	case low && hasAny(t, "npm warn", "npm WARN"):
		p.warns.add(l)
	case low && hasAny(t, "npm notice", "npm http", "npm timing", "npm sill", "npm verb", "npm info"):
		p.g.drop(l, hints)
	case contains(t, "looking for funding") || has(t, "run `npm fund`") || has(t, "Run `npm audit`") || has(t, "To address ") || has(t, "npm audit fix"):
		p.g.drop(l, hints)
	case hasAny(t, "added ", "removed ", "changed ", "up to date", "found ", "audited ") || contains(t, "vulnerabilit"):
		p.g.keep(l)
	default:
		return false
	}
	return true
}

func (p *installs) apt(l line, t []byte) bool {
	switch {
	case hasAny(t, "Get:", "Hit:", "Ign:", "Selecting previously", "Preparing to unpack", "Unpacking ", "Setting up ", "(Reading database", "Reading package lists", "Building dependency tree",
		"Reading state information", "Processing triggers", "Need to get ", "After this operation", "Extracting templates", "Preconfiguring packages", "debconf: delaying", "Scanning ", "Created symlink"):
		p.list = false
		p.g.drop(l, progress)
	case hasAny(t, "The following NEW packages", "The following packages will be REMOVED", "The following packages will be upgraded", "The following packages have unmet", "The following packages will be DOWNGRADED", "The following held packages", "The following packages have been kept back"):
		p.list, p.skip = true, false
		p.g.keep(l)
		return true
	case hasAny(t, "The following additional packages", "Suggested packages:", "Recommended packages:", "The following packages were automatically installed"):
		p.list, p.skip = false, true
		p.g.drop(l, headings)
		return true
	case hasAny(t, "E: ", "W: ", "Err:", "dpkg: ", "N: "):
		if !has(t, "W: ") && !has(t, "N: ") {
			p.bad++
		}
		p.list = false
		p.g.keep(l)
	case contains(t, " upgraded, ") && contains(t, " newly installed"):
		p.list = false
		p.g.keep(l)
	case p.skip && indented(l.text):
		p.g.drop(l, headings)
		return true
	default:
		return false
	}
	p.skip = false
	return true
}

func (p *installs) pip(l line, t []byte) bool {
	switch {
	case hasAny(t, "Collecting ", "Downloading ", "Using cached ", "Requirement already satisfied", "Obtaining ", "Installing build dependencies", "Getting requirements", "Preparing metadata",
		"Building wheel", "Created wheel", "Stored in directory", "Installing collected packages", "Attempting uninstall", "Found existing installation", "Uninstalling ", "Looking in indexes", "Building wheels", "━", "Resolving dependencies",
		"[notice]", "Installing backend dependencies", "Resolved ", "Prepared ", "Audited "):
		p.g.drop(l, progress)
	case hasAny(t, "Successfully ", "Installed "):
		p.g.keep(l)
	case hasAny(t, "ERROR:", "error:", "× ", "╰─>", "│ "):
		p.bad++
		p.g.keep(l)
	case hasAny(t, "WARNING:", "DEPRECATION:"):
		if i := bytes.IndexByte(t, '='); has(t, "WARNING: Retrying (") && i > 0 && p.seen[string(t[:i])] > 0 {
			p.g.drop(l, repeated)
			break
		} else if i > 0 {
			p.seen[string(t[:i])]++
		}
		p.warns.add(l)
	default:
		return false
	}
	return true
}

func (p *installs) yarn(l line, t []byte) bool {
	switch {
	case t[0] == '[' && len(t) > 5 && digit(t[1]) && t[2] == '/' && contains(t, "..."), hasAny(t, "Progress: resolved", "Lockfile is up to date", "Packages: +", "info No lockfile", "info Direct dep", "info All dep", "yarn install v", "yarn add v", "├─", "└─", "Downloading registry", "Already up to date", "++++"):
		p.g.drop(l, progress)
	case has(t, "➤ YN0000:") && !alarming(t), hasAny(t, "➤ YN0013:", "➤ YN0019:", "➤ YN0066:"):
		p.g.drop(l, progress)
	case has(t, "warning ") || has(t, "WARN "):
		p.warns.add(l)
	case hasAny(t, "error ", "ERR_PNPM", "➤ YN"):
		p.bad++
		p.g.keep(l)
	default:
		return false
	}
	return true
}

// docker reads BuildKit's plain progress, "#5 0.123 text", and pulls.
func (p *installs) docker(l line, t []byte) bool {
	if t[0] == '#' {
		n, w := number(t[1:])
		if w == 0 || 1+w >= len(t) || t[1+w] != ' ' {
			return false
		}
		p.step(l, n, trimLeft(t[1+w:]))
		return true
	}
	i := index(t, ": ")
	if i > 0 && i < 70 && hasAny(t[i+2:], "Pulling fs layer", "Waiting", "Downloading", "Verifying Checksum", "Download complete", "Extracting", "Pull complete", "Preparing", "Layer already exists", "Pushing", "Pushed", "Already exists", "Mounted from") {
		p.g.drop(l, progress)
		return true
	}
	return false
}

const stepTail = 30

func (p *installs) step(l line, n int, t []byte) {
	switch {
	case hasAny(t, "DONE", "CACHED", "sha256:", "transferring", "resolve ", "extracting", "exporting", "preparing layers", "writing image", "naming to", "..."):
		p.dropStep(n, progress)
		p.g.drop(l, progress)
	case hasAny(t, "ERROR", "CANCELED"):
		for _, e := range p.steps[n] {
			p.g.keepEntry(e)
		}
		delete(p.steps, n)
		p.bad++
		p.g.keep(l)
	case t[0] == '[':
		p.g.keep(l)
	default:
		held := append(p.steps[n], p.g.entry(l))
		if len(held) > stepTail {
			p.g.dropEntry(held[0], progress)
			held = held[1:]
		}
		p.steps[n] = held
	}
}

func (p *installs) dropStep(n int, k kind) {
	for _, e := range p.steps[n] {
		p.g.dropEntry(e, k)
	}
	delete(p.steps, n)
}

func (p *installs) finish() {
	for _, held := range p.steps {
		for _, e := range held {
			p.g.keepEntry(e)
		}
	}
	p.warns.finish()
	p.etc.finish()
	p.s.found.failures += p.bad
}
