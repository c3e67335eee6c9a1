package git

import (
	"context"
	"strings"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Restore answers git:restore: the files that git restore can change, which
// its options decide. They are those that differ from the index, with --staged
// those that are staged, with both --staged and --worktree either, and with
// --source all that are tracked.
func Restore(ctx context.Context, r resolvers.Request) resolvers.Answer {
	staged, worktree, source := restoreOptions(r.Words)
	switch {
	case source:
		return Files(ctx, r)
	case !staged:
		return Modified(ctx, r)
	case !worktree:
		return Staged(ctx, r)
	}
	a, more := Staged(ctx, r), Modified(ctx, r)
	if a.State != resolvers.Fresh {
		return a
	}
	seen := make(map[string]bool, len(a.Values))
	for _, v := range a.Values {
		seen[v.Value] = true
	}
	for _, v := range more.Values {
		if !seen[v.Value] {
			a.Values = append(a.Values, v)
		}
	}
	a.Omitted += more.Omitted
	a.State, a.Message = more.State, more.Message
	return a
}

// restoreOptions reads the words of a git restore as far as they decide which
// files it can change: -SW bundled and abbreviations included.
func restoreOptions(words []string) (staged, worktree, source bool) {
	for i := 0; i < len(words) && words[i] != "--"; i++ {
		w := words[i]
		name, _, attached := strings.Cut(w, "=")
		switch {
		case w == "-C" || w == "-c": // git's own
			i++
		case len(name) > 3 && strings.HasPrefix("--staged", name):
			staged = true
		case len(name) > 2 && strings.HasPrefix("--worktree", name):
			worktree = true
		case len(name) > 3 && strings.HasPrefix("--source", name):
			source = true
			if !attached {
				i++
			}
		case strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--"):
			flags, value, given := strings.Cut(w[1:], "s")
			staged = staged || strings.Contains(flags, "S")
			worktree = worktree || strings.Contains(flags, "W")
			if given {
				source = true
				if value == "" {
					i++
				}
			}
		}
	}
	return staged, worktree, source
}
