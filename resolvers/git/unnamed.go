package git

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// unnamedRevisions are revisions that no ref is the name of: commits by their
// hash, of which two digits are typed, and former values of a ref, "HEAD@{1}".
// Text is what is typed after lead.
func unnamedRevisions(ctx context.Context, r resolvers.Request, lead, text string) resolvers.Answer {
	name, rest, at := strings.Cut(text, "@")
	switch {
	case at && (rest == "" || rest[0] == '{'):
		return formerValues(r, lead, name)
	case len(text) > 1 && isHex([]byte(text)):
		r.Filter.Text = lead + text
		return Commits(ctx, r)
	}
	return resolvers.Answer{State: resolvers.Fresh}
}

// maxFormer is how many former values of a ref are offered.
const maxFormer = 30

// formerValues lists the reflog of HEAD ("" too) or of a branch, latest first, and
// for a branch what it follows.
func formerValues(r resolvers.Request, lead, name string) resolvers.Answer {
	return withRepo(r, func(l *listing, repo *gitRepo) error {
		l.lead = lead
		logs := []string{repo.gitDir + "/logs/HEAD"}
		if name != "" && name != "HEAD" {
			if !filepath.IsLocal(name) {
				return nil
			}
			logs = []string{repo.commonDir + "/logs/refs/heads/" + name, repo.commonDir + "/logs/refs/remotes/" + name, repo.commonDir + "/logs/refs/" + name}
		}
		number, moment := 0, now()
		for _, log := range logs {
			reflogFromEnd(log, recentTail, func(line []byte) bool {
				e, ok := parseReflogLine(line, repo.hexLen)
				if !ok {
					return true
				}
				v := resolvers.Value{Value: lead + name + "@{" + strconv.Itoa(number) + "}", Description: e.Message, Kind: "ref", Weight: maxFormer - number}
				if ago := age(e.When, moment); ago != "" {
					v.Description = strings.TrimPrefix(v.Description+", "+ago, ", ")
				}
				l.former(v)
				number++
				return number < maxFormer
			})
			if number > 0 {
				break
			}
		}
		for _, of := range [...]string{"upstream", "push"} {
			if name != "HEAD" && number > 0 {
				l.former(resolvers.Value{Value: lead + name + "@{" + of + "}", Kind: "ref", Weight: -1})
			}
		}
		return nil
	})
}

// former adds a value that goes on as it is typed behind the lead.
func (l *listing) former(v resolvers.Value) {
	if l.r.Filter.Keep(strings.TrimPrefix(v.Value, l.lead)) {
		l.add(v)
	}
}
