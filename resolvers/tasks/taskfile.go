package tasks

import (
	"context"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// TaskfileTasks answers task:tasks: the tasks of the nearest Taskfile upwards (-t
// and -d lead elsewhere), with their descriptions, and of those that it includes
// ("docs:serve"); internal ones are left out.
func TaskfileTasks(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	path, err := taskfile(r)
	if err != nil {
		return resolvers.Failure(err)
	}
	f := &File{Path: path}
	if err := f.readTaskfile(); err != nil {
		return resolvers.Failure(err)
	}
	for i, t := range f.Tasks {
		if c.Late() {
			break
		}
		if !t.Private {
			// What is included comes after what is the file's own.
			weight := len(f.Tasks) - i - 1000*t.depth
			c.Add(resolvers.Value{Value: t.Name, Description: resolvers.OneLine(t.Description, 120), Kind: "task", Weight: weight})
		}
	}
	return c.Answer()
}

// taskfile is the one that task would read by its words.
func taskfile(r resolvers.Request) (string, error) {
	dir := r.Dir
	if to, ok := resolvers.Option(r.Words, true, "-d", "--dir"); ok {
		dir = disk.Within(dir, to)
	}
	if path, ok := resolvers.Option(r.Words, true, "-t", "--taskfile"); ok {
		return disk.Within(r.Dir, path), nil
	}
	if resolvers.Has(r.Words, "-g", "--global") {
		dir = r.Env("HOME")
	}
	path, ok := findTaskfile(dir)
	if !ok {
		return "", resolvers.Nowhere("no Taskfile", dir)
	}
	return path, nil
}

// maxTaskIncludes bounds how deep Taskfiles include each other.
const maxTaskIncludes = 8

func findTaskfile(dir string) (string, bool) {
	for filepath.IsAbs(dir) {
		if path, ok := taskfileIn(dir); ok {
			return path, true
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return "", false
}

// taskfileIn looks in one directory.
func taskfileIn(dir string) (string, bool) {
	for _, name := range [...]string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml"} {
		if path := filepath.Join(dir, name); disk.IsFile(path) {
			return path, true
		}
	}
	return "", false
}
