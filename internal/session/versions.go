package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// outOfVersions says that a signature does not verify an operation here: it holds for
// versions of the program, and the installed one is not among them or does not tell
// its own; "" if it does.
func (s *Session) outOfVersions(op *tcpdb.Operation, ranges []string) string {
	if op.Standing != tcpdb.Signed || len(ranges) == 0 || len(op.Template) == 0 {
		return ""
	}
	name := op.Template[0]
	p, err := machine.Find(s.Getenv("PATH"), name)
	if err != nil {
		return "" // said where it is to run: its tool is not there
	}
	version := s.versionOf(p)
	for _, text := range ranges {
		r, err := opmap.ParseRange(text)
		switch {
		case err == nil && r.Holds(version):
		case version == "":
			return fmt.Sprintf("%s is signed for %s %s, and the installed one does not tell its version", op.ID, name, text)
		default:
			return fmt.Sprintf("%s is signed for %s %s, and %s is installed", op.ID, name, text, version)
		}
	}
	return ""
}

// versionOf is the version of a program: as its package or build says it, else what it
// prints for --version in a jail. The answer is kept while the program's file is the
// same.
func (s *Session) versionOf(p machine.Program) string {
	stamp := p.Path + " " + opmap.FileVersion(p.Path)
	if v, ok := s.versions[stamp]; ok {
		return v
	}
	if s.versions == nil {
		s.versions = map[string]string{}
	}
	file := ""
	if s.Paths.Cache != "" {
		sum := sha256.Sum256([]byte(p.Path))
		file = filepath.Join(s.Paths.Cache, "versions", hex.EncodeToString(sum[:8]))
		if data, err := os.ReadFile(file); err == nil {
			if old, version, ok := strings.Cut(string(data), "\n"); ok && old == stamp {
				s.versions[stamp] = version
				return version
			}
		}
	}
	v := machine.New(machine.Options{Getenv: s.Getenv}).AskVersion(context.Background(), p)
	s.versions[stamp] = v
	if file != "" && v != "" && os.MkdirAll(filepath.Dir(file), 0o700) == nil {
		_ = tcpdb.WritePrivateFile(file, []byte(stamp+"\n"+v)) // else it is asked again
	}
	return v
}
