package resolvers

import (
	"context"
	"strings"
)

// maxAuthors is how many commits are looked at for who wrote them.
const maxAuthors = 300

// gitAuthors answers git:authors: the names of those who wrote the last commits
// of the current branch, the most frequent first, as --author takes them.
func gitAuthors(ctx context.Context, r Request) Answer {
	return authors(ctx, r, func(name, mail string) Value {
		return Value{Value: name, Description: mail, Kind: "author"}
	})
}

// gitIdentities answers git:identities: the same as "Name <mail>".
func gitIdentities(ctx context.Context, r Request) Answer {
	return authors(ctx, r, func(name, mail string) Value {
		return Value{Value: name + " <" + mail + ">", Kind: "identity"}
	})
}

func authors(ctx context.Context, r Request, value func(name, mail string) Value) Answer {
	c := newCollector(ctx, r)
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
		for n := 0; n < maxAuthors && id != "" && !c.late(); n++ {
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
	if a.State != Fresh || len(count) == 0 {
		return a
	}
	for author, n := range count {
		name, mail, ok := strings.Cut(author, " <")
		if name = strings.TrimSpace(name); !ok || name == "" {
			continue
		}
		v := value(name, oneLine(strings.TrimSuffix(mail, ">"), 80))
		v.Weight = n
		c.add(v)
	}
	return c.answer()
}
