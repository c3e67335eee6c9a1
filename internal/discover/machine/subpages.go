package machine

import (
	"context"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
	"github.com/tool-mapping-protocol/tmp/internal/discover/man"
)

// subPages gathers the manual pages of sub-commands that no other text named:
// restic-backup(1), whose synopsis begins with "restic backup". A page of that name
// may as well be about a topic, or about a program of its own.
func (w *walker) subPages(ctx context.Context) {
	prefix := w.p.Name + "-"
	var pages []string
	for name := range w.m.manuals().pages {
		if strings.HasPrefix(name, prefix) {
			pages = append(pages, name)
		}
	}
	if len(pages) > maxNodes {
		return // of a family, not of a program
	}
	slices.Sort(pages)
	for _, name := range pages {
		if ctx.Err() != nil || len(w.asked) >= maxNodes {
			return
		}
		if _, err := Find(w.m.opts.Getenv("PATH"), name); err == nil {
			continue
		}
		file := w.m.manuals().pages[name].file
		data, err := w.m.readAnyPage(ctx, file)
		if err != nil {
			continue
		}
		include := w.include(ctx)
		words := commandIn(man.Lines(data, include), w.p.Name, strings.TrimPrefix(name, prefix))
		if key := strings.Join(words, " "); words != nil && !w.asked[key] {
			w.asked[key] = true
			w.from["man"]++
			w.keep(discover.Text{Path: words, Man: data, Include: include}, "")
		}
	}
}

// commandIn finds the words of a command in the synopsis of its page, the lines as
// they are printed: those behind the tool's name, options aside, that the page is
// named for, joined by "-". nil if the synopsis is that of something else.
func commandIn(lines []help.Line, tool, named string) []string {
	within := false
	for _, line := range lines {
		text := strings.TrimSpace(marks.Replace(line.Text))
		switch {
		case text == "":
			continue
		case line.Head || line.Indent == 0:
			if within {
				return nil // the next section
			}
			within = strings.EqualFold(text, "synopsis") || strings.EqualFold(text, "usage")
			continue
		case !within:
			continue
		}
		if words := behind(strings.Fields(text), tool, named); words != nil {
			return words
		}
	}
	return nil
}

// marks are those of package help around words of a page.
var marks = strings.NewReplacer(string(help.Open), "", string(help.Close), "", string(help.OpenBold), "", string(help.CloseBold), "")

// behind returns the words after the tool's name that make up a page's name.
func behind(words []string, tool, named string) []string {
	if len(words) == 0 || words[0] != tool {
		return nil
	}
	words = words[1:]
	for depth := 0; len(words) > 0; words = words[1:] {
		w := words[0]
		open := strings.Count(w, "[") + strings.Count(w, "<") - strings.Count(w, "]") - strings.Count(w, ">")
		option := strings.ContainsAny(w[:1], "[<-") || depth > 0
		if depth += open; !option {
			break
		}
	}
	for n := 1; n <= min(len(words), maxDepth); n++ {
		if strings.Join(words[:n], "-") == named && !slices.ContainsFunc(words[:n], badName) {
			return slices.Clone(words[:n])
		}
	}
	return nil
}
