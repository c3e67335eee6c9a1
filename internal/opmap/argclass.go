package opmap

import (
	"fmt"
	"path"
	"strings"
)

// checkArgClass says why a condition on positional arguments is not one that
// package risk evaluates: names, some with an operand behind ":", joined by "|"
// and "&", each possibly after "!". A class that is not known would never hold.
func checkArgClass(class string) error {
	for any := range strings.SplitSeq(class, "|") {
		for one := range strings.SplitSeq(any, "&") {
			if err := checkOneClass(strings.TrimPrefix(one, "!")); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkOneClass(class string) error {
	name, operand, has := strings.Cut(class, ":")
	switch name {
	case "none", "some", "one", "two", "after-dash", "device", "root", "home", "tree", "glob", "startup", "account",
		"keys", "kernel", "secret", "url", "remote", "plus-refspec", "delete-refspec", "revision", "assignment", "pathspec", "reads", "source-secret", "vital":
		if has {
			return fmt.Errorf("class %q takes no operand", name)
		}
		return nil
	case "is", "has", "secret-value":
		if operand == "" {
			return fmt.Errorf("class %q needs a word: %s:WORD", name, name)
		}
		return nil
	case "first", "second", "third", "match":
		return checkGlob(class, operand)
	case "last", "source":
		if strings.Contains(operand, ":") {
			return fmt.Errorf("class %q: want last:CLASS of one word", class)
		}
		return checkOneClass(operand)
	case "value":
		id, glob, ok := strings.Cut(operand, "=")
		if !ok || id == "" {
			return fmt.Errorf("class %q: want value:ID=PATTERN", class)
		}
		return checkGlob(class, glob)
	}
	if name != "" && strings.Trim(name, "0123456789") == "" && !has {
		return nil // at least that many
	}
	return fmt.Errorf("class %q of arguments is not known", class)
}

func checkGlob(class, glob string) error {
	if glob == "" {
		return fmt.Errorf("class %q has no pattern", class)
	}
	if _, err := path.Match(glob, ""); err != nil {
		return fmt.Errorf("class %q: bad pattern", class)
	}
	return nil
}

// classFlags are the IDs of the flags whose values a class looks at.
func classFlags(class string) []string {
	var ids []string
	for one := range strings.FieldsFuncSeq(class, func(r rune) bool { return r == '|' || r == '&' }) {
		if operand, ok := strings.CutPrefix(strings.TrimPrefix(one, "!"), "value:"); ok {
			id, _, _ := strings.Cut(operand, "=")
			ids = append(ids, id)
		}
	}
	return ids
}
