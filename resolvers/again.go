package resolvers

import (
	"context"
	"os"
	"syscall"
	"time"
)

// lookTime bounds a look in the background.
const lookTime = 15 * time.Second

// AgainBy returns a Request.Again that starts a program in the background, in a
// session of its own and without a terminal: argv, then the name, the directory
// and the words of the request. The program calls Table.LookAgain with these.
func AgainBy(argv, env []string) func(Request) error {
	return func(r Request) error {
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer null.Close()
		words := append(append(append([]string{}, argv...), r.Name, r.Dir), r.Words...)
		child, err := os.StartProcess(argv[0], words, &os.ProcAttr{
			Dir: "/", Env: env, Files: []*os.File{null, null, null}, Sys: &syscall.SysProcAttr{Setsid: true},
		})
		if err != nil {
			return err
		}
		return child.Release()
	}
}

// LookAgain resolves for what is kept of the answer, with more patience than a
// press of a key has.
func (t Table) LookAgain(r Request) {
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	r.Wait = true
	t.Resolve(ctx, r)
}
