// Package pattern holds regular expressions that are compiled when they are first
// used: a program that runs a tool uses hardly any, and would pay for all of them at
// every start.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression.
type Pattern struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

// New names an expression; a bad one panics when it is first used.
func New(text string) *Pattern { return &Pattern{text: text} }

func (p *Pattern) compiled() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.text) })
	return p.re
}

// MatchString reports whether s contains a match.
func (p *Pattern) MatchString(s string) bool { return p.compiled().MatchString(s) }

// FindString returns the first match, or "".
func (p *Pattern) FindString(s string) string { return p.compiled().FindString(s) }

// FindStringSubmatch returns the first match and its groups, or nil.
func (p *Pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

// FindAllString returns the first n matches, all of them for -1.
func (p *Pattern) FindAllString(s string, n int) []string { return p.compiled().FindAllString(s, n) }
