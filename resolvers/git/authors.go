package git

import (
	"context"
	"strings"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// maxAuthors is how many commits are looked at for who wrote them.
const maxAuthors = 300

// Authors answers git:authors: the names of those who wrote the last commits
// of the current branch, the most frequent first, as --author takes them.
func Authors(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return authors(ctx, r, func(name, mail string) resolvers.Value {
		return resolvers.Value{Value: name, Description: mail, Kind: "author"}
	})
}

// Identities answers git:identities: the same as "Name <mail>".
func Identities(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return authors(ctx, r, func(name, mail string) resolvers.Value {
		return resolvers.Value{Value: name + " <" + mail + ">", Kind: "identity"}
	})
}

func authors(ctx context.Context, r resolvers.Request, value func(name, mail string) resolvers.Value) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	count := map[string]int{}
	a := withRepo(r, func(_ *listing, repo *gitRepo) error {
		refs, err := openRefs(ctx, repo)
		if err != nil {
			return err
		}
		id := refs.resolve("HEAD")
		refs.close()
		objects := openObjects(repo)
		defer objects.close()
		for n := 0; n < maxAuthors && id != "" && !c.Late(); n++ {
			commit, err := objects.commit(id)
			if err != nil {
				break // a shallow clone ends here
			}
			count[commit.Author]++
			id = ""
			if len(commit.Parents) > 0 {
				id = commit.Parents[0]
			}
		}
		return nil
	})
	if a.State != resolvers.Fresh || len(count) == 0 {
		return a
	}
	for author, n := range count {
		name, mail, ok := strings.Cut(author, " <")
		if name = strings.TrimSpace(name); !ok || name == "" {
			continue
		}
		v := value(name, resolvers.OneLine(strings.TrimSuffix(mail, ">"), 80))
		v.Weight = n
		c.Add(v)
	}
	return c.Answer()
}
