package layers

import (
	"fmt"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

type initOptions struct{ json bool }

// NewInit is tmp init.
func NewInit(env *term.Env, f *command.Flags) command.Run {
	var o initOptions
	f.Bool("json", &o.json)
	return func(command.Input) error { return o.run(env) }
}

func (o *initOptions) run(env *term.Env) error {
	if env.Dir == "" {
		return term.Failf("the working directory cannot be read").Hint("it may have been removed: cd to another one")
	}
	if env.Dir == env.Places().Home {
		return term.Failf("the home directory is no project").Hint("your own maps go to %s", env.Places().Schemas())
	}
	made, err := opmap.InitProject(env.Dir)
	if err != nil {
		return err
	}
	if o.json {
		type file struct {
			Path    string `json:"path"`
			Created bool   `json:"created"`
		}
		answer := struct {
			V         int    `json:"v"`
			Directory string `json:"directory"`
			Files     []file `json:"files"`
		}{V: 1, Directory: env.Dir}
		for _, m := range made {
			answer.Files = append(answer.Files, file{m.Path, !m.Existed})
		}
		return env.PrintJSON(answer)
	}
	for _, m := range made {
		word := "created"
		if m.Existed {
			word = "exists"
		}
		fmt.Fprintf(env.Stdout, "%-8s %s\n", word, m.Path)
	}
	return nil
}
