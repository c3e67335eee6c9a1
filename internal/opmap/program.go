package opmap

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// ProgramVersion returns what stands for the version of the program that an
// operation runs: of a script of the project in dir the hash of its content, of
// any other program, looked for in path (a PATH) or, with a slash, in dir, the
// size and time of change of its file. Asking the program itself would mean to
// run it unreviewed, and some do not stop at --version. It is "" if there is no
// such file.
func ProgramVersion(path, dir string, op *Operation) string {
	words := strings.Fields(op.Template)
	if len(words) == 0 {
		return ""
	}
	version := ""
	for _, s := range scripts(dir, op) {
		version += "sha256:" + s.SHA256 + " "
	}
	if version != "" && strings.Contains(words[0], "/") {
		return strings.TrimSpace(version)
	}
	return strings.TrimSpace(version + FileVersion(program(path, dir, words[0])))
}

// ProgramOf is the program that an operation runs, or with a nil op that of the
// map; "" if there is none.
func (s *Source) ProgramOf(op *Operation) string {
	if op == nil {
		return s.Tool
	}
	if words := strings.Fields(op.Template); len(words) > 0 && op.Surface != "workflow" {
		return words[0]
	}
	return ""
}

func program(path, dir, word string) string {
	if strings.Contains(word, "/") {
		if filepath.IsAbs(word) || dir == "" {
			return word
		}
		return filepath.Join(dir, word)
	}
	for _, d := range filepath.SplitList(path) {
		if !filepath.IsAbs(d) {
			continue
		}
		name := filepath.Join(d, word)
		if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			return name
		}
	}
	return ""
}

// scripts are the files of the project in dir that an operation runs, as its
// template names them: as the program, or as the first word that is no option
// after an interpreter. None of them without a project.
func scripts(dir string, op *Operation) []workflow.Source {
	words := strings.Fields(op.Template)
	if dir == "" || len(words) == 0 {
		return nil
	}
	file := words[0]
	if !strings.Contains(file, "/") {
		file = ""
		if interpreter(words[0]) {
			for _, w := range words[1:] {
				if !strings.HasPrefix(w, "-") {
					file = w
					break
				}
			}
		}
	}
	file = path.Clean(file)
	if file == "." || filepath.IsAbs(file) || !filepath.IsLocal(file) || strings.ContainsAny(file, "<>") {
		return nil
	}
	sum, err := HashFile(filepath.Join(dir, file))
	if err != nil {
		return nil
	}
	return []workflow.Source{{File: file, SHA256: sum}}
}

// interpreter reports whether a program runs the file that is its first argument,
// whatever version of it the name says.
func interpreter(name string) bool {
	core := coreView()
	for _, name := range []string{path.Base(name), strings.TrimRight(path.Base(name), "0123456789.")} {
		if n := core.Root(name); n != nil && n.Language() != "" {
			return true
		}
	}
	return false
}

// coreView reads what ships with the program: what is an interpreter decides
// what is bound, so no other layer has a say in it.
var coreView = sync.OnceValue(func() *tcpdb.View { return tcpdb.NewView(tcpdb.Core()) })

// HashFile returns the hex SHA-256 of a regular file of at most 4 MiB; symbolic
// links are followed.
func HashFile(name string) (string, error) {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	data, err := readRegular(target)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}
