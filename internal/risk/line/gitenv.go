package line

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// givenSettings returns the words of a git command with the settings that the
// line gives it by the environment as if they were options: -c KEY=VALUE for
// --config-env=KEY=NAME where the line sets NAME, and for GIT_CONFIG_KEY_n with
// GIT_CONFIG_VALUE_n (git-config(1), "ENVIRONMENT").
func (r *run) givenSettings(c *command, words []shline.Word) []shline.Word {
	if !names(words[0].Text, "git") {
		return words
	}
	var given []shline.Word
	for k := range c.assigns {
		w := &c.assigns[k]
		rest, ok := strings.CutPrefix(w.Text, "GIT_CONFIG_KEY_")
		number, key, cut := strings.Cut(rest, "=")
		if !ok || !cut {
			continue
		}
		if value, ok := r.assigned(c, "GIT_CONFIG_VALUE_"+number); ok {
			given = append(given, placed([]string{"-c", key + "=" + value}, *w)...)
		}
	}
	for i := 1; i < len(words) && strings.HasPrefix(words[i].Text, "-"); i++ {
		option, setting, attached := strings.Cut(words[i].Text, "=")
		if option != "--config-env" {
			continue
		}
		last := i
		if !attached && i+1 < len(words) {
			last++
			setting = words[last].Text
		}
		k := strings.LastIndexByte(setting, '=')
		if k < 0 {
			continue
		}
		if value, ok := r.assigned(c, setting[k+1:]); ok {
			words = slices.Replace(slices.Clone(words), i, last+1, placed([]string{"-c", setting[:k] + "=" + value}, words[last])...)
			i++
		}
	}
	return slices.Insert(slices.Clip(words), 1, given...)
}

// assigned is the value of a variable that a command is given: by an assignment
// before it, or by the line.
func (r *run) assigned(c *command, name string) (string, bool) {
	for k := range c.assigns {
		if n, value, ok := strings.Cut(c.assigns[k].Text, "="); ok && n == name && !c.assigns[k].Live {
			return value, true
		}
	}
	if fields, ok := r.known(name); ok {
		return strings.Join(fields, " "), true
	}
	return "", false
}
