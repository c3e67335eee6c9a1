package screen

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// Count writes a number of things: "1 line", "3 lines".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Size writes a number of bytes in four signs or so: "512 B", "1.4 MB"; a
// negative one stands for a directory, "dir".
func Size(n int64) string {
	if n < 0 {
		return "dir"
	}
	units := "BKMGTP"
	x := float64(n)
	for x >= 1000 && len(units) > 1 {
		x, units = x/1000, units[1:]
	}
	if units[0] == 'B' {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %cB", x, units[0])
}

// Plain is an error in words for a person: what is wrong with which file, without
// the name of the system call that met it ("lstat x: no such file or directory").
func Plain(err error) string {
	text := err.Error()
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		var raw, lines []string
		for _, e := range several.Unwrap() {
			raw, lines = append(raw, e.Error()), append(lines, Plain(e))
		}
		if strings.Join(raw, "\n") == text { // else it is one text that wraps them all
			return strings.Join(lines, "\n")
		}
	}
	var p *fs.PathError
	if !errors.As(err, &p) {
		return text
	}
	plain := p.Path + ": " + p.Err.Error()
	switch {
	case errors.Is(p.Err, fs.ErrNotExist):
		plain = "there is no file " + p.Path
	case errors.Is(p.Err, fs.ErrPermission):
		plain = p.Path + ": permission denied"
	case errors.Is(p.Err, syscall.ENOTDIR):
		plain = p.Path + ": something on the way to it is no directory"
	case errors.Is(p.Err, syscall.EISDIR):
		plain = p.Path + " is a directory"
	case errors.Is(p.Err, syscall.ELOOP):
		plain = p.Path + ": a symbolic link that leads nowhere, or none may stand here"
	}
	return strings.Replace(text, p.Error(), plain, 1)
}

// PlainArgs are arguments of a format with errors as Plain has them.
func PlainArgs(args []any) []any {
	out := args
	for i, a := range args {
		if err, ok := a.(error); ok && err != nil {
			if &out[0] == &args[0] {
				out = append([]any{}, args...)
			}
			out[i] = Plain(err)
		}
	}
	return out
}
