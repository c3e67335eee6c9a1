package build

import (
	"context"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// NinjaTargets answers ninja:targets: the outputs of the phony edges of
// build.ninja first, then the others.
func NinjaTargets(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	dir := r.Dir
	if to, ok := resolvers.Option(r.Words, true, "-C"); ok {
		dir = disk.Within(dir, to)
	}
	file := "build.ninja"
	if to, ok := resolvers.Option(r.Words, true, "-f"); ok {
		file = to
	}
	err := disk.EachLine(disk.Within(dir, file), func(line string) {
		rest, ok := strings.CutPrefix(line, "build ")
		if !ok || c.Late() {
			return
		}
		outputs, rule, ok := strings.Cut(rest, ": ")
		if !ok {
			return
		}
		v := resolvers.Value{Kind: "target"}
		if strings.HasPrefix(rule, "phony") {
			v.Weight = 1
		}
		for name := range strings.FieldsSeq(outputs) {
			if name != "|" && name != "||" && !strings.Contains(name, "$") {
				v.Value = name
				c.Add(v)
			}
		}
	})
	if err != nil {
		return resolvers.Failure(err)
	}
	return c.Answer()
}
