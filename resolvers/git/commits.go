package git

import (
	"context"
	"strings"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// maxCommits is how many commits are offered.
const maxCommits = 50

// Commits answers git:commits: the last commits of the current branch
// (first parents from HEAD), then what HEAD's reflog tells of others, such as
// those that a rebase left behind. Described by subject and age.
func Commits(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return withRepo(r, func(l *listing, repo *gitRepo) error {
		refs, err := openRefs(ctx, repo)
		if err != nil {
			return err
		}
		id := refs.resolve("HEAD")
		refs.close()
		c := commitListing{listing: l, time: now()}
		c.lead, c.r.Filter.Text = revisionLead(r.Filter.Text)
		// More digits than are shown were typed or pasted: then all are.
		c.digits = shortHash
		if len(c.r.Filter.Text) > shortHash {
			c.digits = repo.hexLen
		}
		objects := openObjects(repo)
		defer objects.close()
		for n := 0; n < maxCommits && id != ""; n++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			commit, err := objects.commit(id)
			if err != nil {
				break // a shallow clone ends here, and so does a partial one
			}
			c.addCommit(id, commit.Subject, commit.When)
			id = ""
			if len(commit.Parents) > 0 {
				id = commit.Parents[0]
			}
		}
		c.fromReflog(repo)
		return nil
	})
}

type commitListing struct {
	*listing
	time   int64
	digits int
	seen   []string
}

// addCommit adds a commit once.
func (c *commitListing) addCommit(id, subject string, when int64) {
	for _, s := range c.seen {
		if s == id {
			return
		}
	}
	weight := 2*maxCommits - len(c.seen)
	c.seen = append(c.seen, id)
	short := id[:c.digits]
	if !c.r.Filter.Keep(short) {
		return
	}
	v := resolvers.Value{Value: c.lead + short, Description: subject, Kind: "commit", Weight: weight}
	if ago := age(when, c.time); ago != "" {
		v.Description = strings.TrimPrefix(v.Description+", "+ago, ", ")
	}
	c.add(v)
}

func (c *commitListing) fromReflog(repo *gitRepo) {
	reflogFromEnd(repo.gitDir+"/logs/HEAD", recentTail, func(line []byte) bool {
		e, ok := parseReflogLine(line, repo.hexLen)
		if !ok {
			return true
		}
		if subject := reflogSubject(e.Message); subject != "" {
			c.addCommit(e.New, subject, e.When)
		}
		return len(c.seen) < 2*maxCommits
	})
}
