package machine

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxScript is how much of a completion script is read, in bytes.
const maxScript = 2 << 20

// scripts is where the completion scripts of the shells are, by command.
type scripts struct{ fish, zsh, bash map[string]string }

// findScripts lists the scripts below the data directories.
func findScripts(dataDirs []string) *scripts {
	s := &scripts{map[string]string{}, map[string]string{}, map[string]string{}}
	for _, data := range dataDirs {
		for _, dir := range []string{"fish/vendor_completions.d", "fish/completions"} {
			each(filepath.Join(data, dir), func(name, file string) {
				if command, ok := strings.CutSuffix(name, ".fish"); ok {
					put(s.fish, command, file)
				}
			})
		}
		each(filepath.Join(data, "bash-completion/completions"), func(name, file string) {
			put(s.bash, strings.TrimPrefix(strings.TrimSuffix(name, ".bash"), "_"), file)
		})
		for _, dir := range []string{"zsh/site-functions", "zsh/vendor-completions", "zsh/functions/Completion/*", "zsh/functions/Completion", "zsh/*/functions/Completion/*", "zsh/*/functions"} {
			dirs, _ := filepath.Glob(filepath.Join(data, dir))
			for _, d := range dirs {
				each(d, func(name, file string) {
					if strings.HasPrefix(name, "_") {
						s.compdef(file)
					}
				})
			}
		}
	}
	return s
}

// scriptOf is the script of a program in one shell's: that of its name, else that
// of one of its other names; "" if there is none.
func scriptOf(files map[string]string, p Program) string {
	for _, name := range namesOf(p) {
		if file := files[name]; file != "" {
			return file
		}
	}
	return ""
}

// compdef enters a zsh script under the commands that its first line names.
func (s *scripts) compdef(file string) {
	words := strings.Fields(string(firstLine(file)))
	if len(words) < 2 || words[0] != "#compdef" {
		return
	}
	for _, w := range words[1:] {
		if strings.HasPrefix(w, "-") {
			return // contexts and patterns
		}
		command, _, _ := strings.Cut(w, "=")
		put(s.zsh, command, file)
	}
}

func firstLine(file string) []byte {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	buf := make([]byte, 1024)
	n, _ := io.ReadFull(f, buf)
	line, _, _ := bytes.Cut(buf[:n], []byte("\n"))
	return line
}

func each(dir string, enter func(name, file string)) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() {
			enter(e.Name(), filepath.Join(dir, e.Name()))
		}
	}
}

func put(m map[string]string, command, file string) {
	if m[command] == "" {
		m[command] = file
	}
}

// read reads the script of a command, "" if there is none.
func readScript(file string) string {
	if file == "" {
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return ""
	}
	data, _ := io.ReadAll(io.LimitReader(f, maxScript))
	return string(data)
}
