package facts

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// branch tells what the deletion of a branch loses.
func (w *World) branch(name, remote string) ask.Loss {
	repo := w.repo(w.Dir)
	if repo == nil {
		return ask.Loss{}
	}
	switch merged, there := repo.Merged(name, remote); {
	case !there && remote == "":
		return ask.Loss{Fate: ask.Nothing}
	case merged:
		return ask.Loss{Fate: ask.InGit}
	}
	return ask.Loss{Path: name, Why: "on no other branch"}
}

// hasRemote reports whether a URL leads where a remote of the repository does.
func (w *World) hasRemote(url string) bool {
	repo := w.repo(w.Dir)
	return repo != nil && repo.HasRemote(url)
}

// ownProcess reports whether a process is the user's own, or there is none. The
// directory of a process belongs to whom it runs for (proc(5)).
func (w *World) ownProcess(id string) bool {
	st, err := os.Stat("/proc/" + id)
	if err != nil {
		_, mounted := os.Stat("/proc/self")
		return mounted == nil
	}
	if !w.owns(st) {
		return false
	}
	if w.UID != 0 {
		return true
	}
	// Of root's, those that the system does not hang on: started from a terminal.
	data, err := os.ReadFile("/proc/" + id + "/stat")
	i := bytes.LastIndexByte(data, ')')
	if err != nil || i < 0 {
		return false
	}
	fields := strings.Fields(string(data[i+1:]))
	if len(fields) < 5 {
		return false
	}
	tty, err := strconv.Atoi(fields[4])
	return err == nil && tty != 0
}

// rights returns the permissions of a file.
func (w *World) rights(t line.Target) (uint32, bool) {
	p := w.absolute(t)
	if p == "" || !t.Known || t.Glob {
		return 0, false
	}
	st, err := os.Stat(p)
	if err != nil {
		return 0, false
	}
	return uint32(st.Mode().Perm()), true
}

// overwritten tells what becomes of a file that is written anew.
func (w *World) overwritten(t line.Write, all bool) ask.Loss {
	p := w.absolute(t.Target)
	if p == "" || !t.Known || t.Glob {
		return ask.Loss{Fate: ask.Nothing} // what is not known by its name is not looked for
	}
	st, err := os.Stat(p)
	switch {
	case err != nil:
		return ask.Loss{Fate: ask.Nothing}
	case st.IsDir() && len(t.From) > 0:
		return w.into(p, t.From, all, false)
	case !st.Mode().IsRegular() || st.Size() == 0:
		return ask.Loss{Fate: ask.Nothing}
	}
	return w.replaced(p, st, t.From, t.Same, all)
}

// into is overwritten for what is copied or moved into a directory; only looks no
// further than whether a file of value is there.
func (w *World) into(dir string, from []line.Target, all, only bool) ask.Loss {
	worst := ask.Loss{Fate: ask.Nothing}
	for _, f := range from {
		src := w.absolute(f)
		if f.Glob || src == "" {
			continue
		}
		p := strings.TrimSuffix(dir, "/") + "/" + filepath.Base(src)
		st, err := os.Stat(p)
		if err != nil || !st.Mode().IsRegular() || st.Size() == 0 {
			continue
		}
		if only { // whether there is one
			if all || valued(p) {
				return ask.Loss{}
			}
			continue
		}
		loss := w.replaced(p, st, []line.Target{f}, false, all)
		if loss.Fate == ask.Lost && loss.Path != "" {
			return loss
		}
		worst = loss
	}
	return worst
}

// replaced tells what is lost of a file that another takes the place of.
func (w *World) replaced(p string, st fs.FileInfo, from []line.Target, same, all bool) ask.Loss {
	if !all && !valued(p) || w.equal(p, st, from, same) || w.justMade(st) && regular(p) {
		return ask.Loss{Fate: ask.Nothing}
	}
	real := physical(p)
	if real == "" {
		return ask.Loss{Fate: ask.Nothing}
	}
	loss := ask.Loss{}
	if repo := w.repo(filepath.Dir(real)); repo != nil {
		loss = w.inGit(repo, real)
	} else if w.temporary(real) {
		return ask.Loss{Fate: ask.Temporary}
	}
	if loss.Fate == ask.Lost && loss.Path == "" {
		loss.Path, loss.Why = w.relative(p), "in no repository"
	}
	return loss
}

// equal reports whether the one file that is copied there is equal. A file that is
// written over itself is so only where same does not say that it is changed.
func (w *World) equal(p string, st fs.FileInfo, from []line.Target, same bool) bool {
	const most = 1 << 20
	if len(from) != 1 || from[0].Glob || st.Size() > most {
		return false
	}
	src := w.absolute(from[0])
	if src == "" {
		return false
	}
	other, err := os.Stat(src)
	if err != nil || other.Size() != st.Size() || !other.Mode().IsRegular() {
		return false
	}
	if os.SameFile(st, other) {
		return !same // cp refuses
	}
	a, err := os.ReadFile(p)
	if err != nil {
		return false
	}
	b, err := os.ReadFile(src)
	return err == nil && bytes.Equal(a, b)
}

// moment is how long ago something was made a moment ago.
const moment = 10 * time.Minute

// justMade reports whether a file was changed a moment ago.
func (w *World) justMade(st fs.FileInfo) bool { return time.Since(st.ModTime()) < moment }

// regular reports whether a file is by its name data that programs put out, and
// that nobody writes by hand.
func regular(p string) bool {
	return strings.Contains(dataEnds, " "+ext(p)+" ") && !syspath.IsSecret(p)
}

// valued reports whether a file is by its name one that somebody would miss: a
// secret, settings, data, a document, a source. What is left is the output of runs.
func valued(p string) bool {
	base := filepath.Base(p)
	return strings.HasPrefix(p, "/etc/") || syspath.IsSecret(p) || strings.HasPrefix(base, ".") && !strings.HasSuffix(base, ".log") ||
		strings.Contains(dataEnds+settingsEnds+writtenEnds, " "+ext(p)+" ") || base == "Makefile" || base == "Dockerfile" || strings.HasPrefix(base, "README")
}

func ext(p string) string {
	e := strings.ToLower(filepath.Ext(p))
	if e == ".gz" || e == ".xz" || e == ".zst" || e == ".bz2" {
		e = strings.ToLower(filepath.Ext(strings.TrimSuffix(p, filepath.Ext(p))))
		if e == "" {
			e = ".tar"
		}
	}
	return e
}

// The ends of names of files that are data, settings, written by hand.
const (
	dataEnds     = " .csv .tsv .parquet .feather .arrow .xlsx .xls .ods .db .sqlite .sqlite3 .sql .dump .npy .npz .h5 .hdf5 .pkl .pickle .rds .rdata .sav .dta .json .jsonl .ndjson .geojson .xml .yaml .yml .tar .tgz .tbz .tbz2 .txz .tzst .rar .zip .7z .pt .pth .onnx .safetensors .ckpt .joblib .mat .nc .tfstate .bak .img .qcow2 .hprof .jfr .pcap .pcapng "
	settingsEnds = " .conf .cfg .cnf .ini .toml .properties .env .pem .key .crt .p12 .pfx .service .rules .netrc .plist .kdbx .gpg .asc "
	writtenEnds  = " .md .rst .tex .bib .doc .docx .odt .ppt .pptx .odp .ipynb .py .r .rmd .jl .c .h .cpp .cc .hpp .rs .go .java .kt .js .ts .jsx .tsx .css .html .sh .bash .zsh .pl .rb .php .lua .s .ld .dts .dtsi .tf .jpg .jpeg .png .raw .cr2 .mp4 .mov .wav .svg .psd .xcf "
)

// AtRisk reports whether a line below HIGH may call for anything: a file that it
// writes anew is there and somebody would miss it, or a secret is let out. Only then
// are settings and repositories worth reading.
func (w *World) AtRisk(findings []line.Finding) bool {
	for i := range findings {
		g := &findings[i]
		switch g.Stake.Fact {
		case tcpdb.WritesFact, tcpdb.EditsFact:
			for _, t := range g.Writes {
				if t.Handed || w.there(t, g.Stake.Fact == tcpdb.EditsFact) {
					return true
				}
			}
			if g.Stake.Fact == tcpdb.EditsFact && len(g.Writes)+len(g.Targets) == 0 {
				return true // they are handed over, or not told by words
			}
			for k := range g.Targets {
				if g.Stake.Fact == tcpdb.EditsFact && (g.Targets[k].Glob || w.there(line.Write{Target: g.Targets[k]}, true)) {
					return true
				}
			}
		default:
			if g.Stake.Loss >= tcpdb.Content {
				return true
			}
		}
	}
	return false
}

// there reports whether a file that is written anew is there and of value.
func (w *World) there(t line.Write, all bool) bool {
	p := w.absolute(t.Target)
	if p == "" || !t.Known || t.Glob {
		return false
	}
	st, err := os.Stat(p)
	switch {
	case err != nil:
		return false
	case st.IsDir():
		return w.into(p, t.From, all, true).Fate == ask.Lost
	}
	return st.Mode().IsRegular() && st.Size() > 0 && (all || valued(p))
}
