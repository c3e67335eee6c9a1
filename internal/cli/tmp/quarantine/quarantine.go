// Package quarantine holds the commands of tmp quarantine, which puts files away
// in place of deleting them.
package quarantine

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/quarantine"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

// quarantined is the JSON of an item.
type quarantined struct {
	ID      string `json:"id"`
	Path    string `json:"path"`
	Deleted string `json:"deleted"` // RFC 3339, "" if the record does not say
	Held    string `json:"held"`
	Size    int64  `json:"size"` // bytes, -1 for a directory
	Kind    string `json:"kind"`
}

func itemJSON(it quarantine.Item) quarantined {
	q := quarantined{ID: it.ID, Path: it.Path, Held: it.Held(), Size: it.Size, Kind: "file"}
	switch {
	case it.Mode.IsDir():
		q.Kind = "directory"
	case it.Mode&fs.ModeSymlink != 0:
		q.Kind = "link"
	}
	if !it.Deleted.IsZero() {
		q.Deleted = it.Deleted.Format(time.RFC3339)
	}
	return q
}

type itemsAnswer struct {
	V        int           `json:"v"`
	Items    []quarantined `json:"items"`
	Problems []string      `json:"problems"`
}

func answerItems(items []quarantine.Item, problems []error) itemsAnswer {
	a := itemsAnswer{V: 1, Items: []quarantined{}, Problems: []string{}}
	for _, it := range items {
		a.Items = append(a.Items, itemJSON(it))
	}
	for _, p := range problems {
		a.Problems = append(a.Problems, p.Error())
	}
	return a
}

// done tells what became of several items: the answer, then each problem. With
// a problem the status is 1, whatever else went well.
func done(e *term.Env, asJSON bool, verb string, items []quarantine.Item, problems []error) error {
	if asJSON {
		if err := e.PrintJSON(answerItems(items, problems)); err != nil {
			return err
		}
	} else {
		for _, it := range items {
			fmt.Fprintf(e.Stdout, "%s %s\n", verb, term.OneLine(it.Path))
		}
	}
	for _, p := range problems {
		e.Notice("%s", p)
	}
	if len(problems) > 0 {
		return term.ExitStatus(1)
	}
	return nil
}

// NewPut is tmp quarantine put.
func NewPut(env *term.Env, f *command.Flags) command.Run {
	var asJSON bool
	f.Bool("json", &asJSON)
	return func(in command.Input) error {
		paths := slices.Concat(in.Args, in.Rest)
		if len(paths) == 0 {
			return term.Usagef("say what is to be put away").Hint("tmp quarantine put FILE…")
		}
		store := quarantine.Find(env.Getenv)
		var items []quarantine.Item
		var problems []error
		for _, p := range paths {
			path, err := env.Path(p)
			if err == nil {
				var it quarantine.Item
				if it, err = store.Put(path, env.Now()); err == nil {
					items = append(items, it)
					continue
				}
			}
			problems = append(problems, err)
		}
		return done(env, asJSON, "put away", items, problems)
	}
}

// NewList is tmp quarantine list.
func NewList(env *term.Env, f *command.Flags) command.Run {
	var asJSON bool
	f.Bool("json", &asJSON)
	return func(in command.Input) error {
		items, problems := quarantine.Find(env.Getenv).List()
		for _, p := range problems {
			if !asJSON {
				env.Notice("%s", p)
			}
		}
		if len(in.Args) > 0 {
			dir, err := env.Path(in.Args[0])
			if err != nil {
				return err
			}
			items = slices.DeleteFunc(items, func(it quarantine.Item) bool { return !under(it.Path, filepath.Clean(dir)) })
		}
		if asJSON {
			return env.PrintJSON(answerItems(items, problems))
		}
		for _, it := range items {
			when := "                "
			if !it.Deleted.IsZero() {
				when = it.Deleted.Format("2006-01-02 15:04")
			}
			fmt.Fprintf(env.Stdout, "%s  %8s  %s\n", when, screen.Size(it.Size), term.OneLine(it.Path))
		}
		if len(items) == 0 {
			env.Notice("nothing is in the trash")
		}
		return nil
	}
}

// under reports whether path is dir or lies below it.
func under(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+"/")
}

type restoreOptions struct {
	to   string
	json bool
}

// NewRestore is tmp quarantine restore.
func NewRestore(env *term.Env, f *command.Flags) command.Run {
	var o restoreOptions
	f.String("to", &o.to)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, slices.Concat(in.Args, in.Rest)) }
}

func (o *restoreOptions) run(env *term.Env, words []string) error {
	if o.to != "" && len(words) > 1 {
		return term.Usagef("--to takes one item")
	}
	store := quarantine.Find(env.Getenv)
	items, _ := store.List()
	var restored []quarantine.Item
	var problems []error
	for _, word := range words {
		match := quarantine.Match(items, env.Dir, word)
		if len(match) == 0 {
			problems = append(problems, fmt.Errorf("%s is not in the trash; tmp quarantine list shows what is", word))
			continue
		}
		to := ""
		if o.to != "" {
			var err error
			if to, err = env.Path(o.to); err != nil {
				return err
			}
		}
		// Of several with one path the last that was put away is meant.
		it := match[0]
		at, err := store.Restore(it, to)
		if at != "" {
			it.Path = at
			restored = append(restored, it)
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		items = slices.DeleteFunc(items, func(x quarantine.Item) bool { return x.ID == it.ID && x.Dir == it.Dir })
	}
	return done(env, o.json, "restored", restored, problems)
}

type purgeOptions struct {
	olderThan      time.Duration
	all, yes, json bool
}

// NewPurge is tmp quarantine purge.
func NewPurge(env *term.Env, f *command.Flags) command.Run {
	var o purgeOptions
	f.Duration("older-than", &o.olderThan)
	f.Bool("all", &o.all)
	f.Bool("yes", &o.yes)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, slices.Concat(in.Args, in.Rest)) }
}

func (o *purgeOptions) run(env *term.Env, words []string) error {
	chosen := 0
	for _, is := range []bool{o.all, o.olderThan > 0, len(words) > 0} {
		if is {
			chosen++
		}
	}
	if chosen != 1 {
		return term.Usagef("say what is to be deleted for good: items, --older-than or --all").Hint("tmp quarantine purge --older-than 720h")
	}
	store := quarantine.Find(env.Getenv)
	items, problems := store.List()
	switch {
	case o.olderThan > 0:
		items = quarantine.Older(items, env.Now().Add(-o.olderThan))
	case len(words) > 0:
		items, problems = meant(env, items, words)
	}
	if len(items) > 0 {
		if err := o.consent(env, items); err != nil {
			return err
		}
	}
	var purged []quarantine.Item
	for _, it := range items {
		if err := store.Purge(it); err != nil {
			problems = append(problems, err)
			continue
		}
		purged = append(purged, it)
	}
	return done(env, o.json, "deleted", purged, problems)
}

// meant are all items that the words name: of several with one path, each.
func meant(env *term.Env, items []quarantine.Item, words []string) (chosen []quarantine.Item, problems []error) {
	for _, word := range words {
		match := quarantine.Match(items, env.Dir, word)
		if len(match) == 0 {
			problems = append(problems, fmt.Errorf("%s is not in the trash; tmp quarantine list shows what is", word))
		}
		for _, it := range match {
			if !slices.Contains(chosen, it) {
				chosen = append(chosen, it)
			}
		}
	}
	return chosen, problems
}

// consent asks the person: what is deleted here does not come back. An agent
// cannot say --yes for a person.
func (o *purgeOptions) consent(env *term.Env, items []quarantine.Item) error {
	if env.Agent() != "" {
		return term.Failf("an agent cannot delete what is in the trash").Hint("TMP_AGENT_ID is set: a person does this in a terminal of their own")
	}
	if o.yes {
		return nil
	}
	question := fmt.Sprintf("  %s\n  it cannot be had back\nDelete it for good? [y/N] ", term.OneLine(items[0].Path))
	if len(items) > 1 {
		question = fmt.Sprintf("  %s, the first %s\n  they cannot be had back\nType \"delete\" to delete them for good: ", screen.Count(len(items), "item"), term.OneLine(items[0].Path))
	}
	answer, err := term.Ask(env, question)
	if err != nil {
		return term.Failf("the terminal cannot be asked: %s", err).Hint("--yes deletes without asking")
	}
	if len(items) > 1 && answer != "delete" || len(items) == 1 && !term.IsYes(answer) {
		return term.Failf("nothing was deleted")
	}
	return nil
}
