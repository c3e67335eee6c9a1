package tmp

import (
	"os"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
)

type generateOptions struct {
	fromHelp string
	json     bool
}

func newGenerate(env *Env, f *flags) runFunc {
	var o generateOptions
	f.String("from-help", &o.fromHelp)
	f.Bool("json", &o.json)
	return func(in input) error { return o.run(env, in.Args) }
}

// run drafts a tool's map from texts and prints it: the source map, or with
// --json the tree laid out flat.
func (o *generateOptions) run(env *Env, args []string) error {
	if o.fromHelp == "" {
		return usagef("--from-help DIR says where the texts are")
	}
	dir := o.fromHelp
	if !filepath.IsAbs(dir) && env.Dir != "" {
		dir = filepath.Join(env.Dir, dir)
	}
	tool := filepath.Base(dir)
	if len(args) > 0 {
		tool = args[0]
	}
	texts, err := discover.ReadDir(os.DirFS(dir), tool)
	if err != nil {
		return err
	}
	root, gaps := discover.Parse(texts)
	if o.json {
		return env.printJSON(struct {
			V     int                 `json:"v"`
			Tool  string              `json:"tool"`
			Nodes []discover.TreeNode `json:"nodes"`
			Gaps  []discover.TreeGap  `json:"gaps"`
		}{1, tool, discover.Tree(root), discover.TreeGaps(gaps)})
	}
	_, err = env.Stdout.Write(discover.Source(root, gaps).Encode())
	return err
}
