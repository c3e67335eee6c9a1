package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// name is what the packages are called: "tmp" alone would be taken for the directory.
const name = "tool-mapping-protocol"

// tree is what is installed below a prefix on one system: bin and share.
type tree struct {
	os, arch string
	dir      string // holds bin, share, README.md …
	archive  string // file name in the release
	sum      string // of that, SHA-256 in hex
}

// build fills a tree for a target, "GOOS/GOARCH".
func (r *release) build(ctx context.Context, to string) (*tree, error) {
	if !target.MatchString(to) {
		return nil, fmt.Errorf("--targets %s: want GOOS/GOARCH of %s", to, allTargets)
	}
	goos, arch, _ := strings.Cut(to, "/")
	t := &tree{os: goos, arch: arch, dir: filepath.Join(r.work, fmt.Sprintf("tmp-%s-%s-%s", r.version, goos, arch))}
	fmt.Fprintf(os.Stderr, "building for %s …\n", to)
	bin := filepath.Join(t.dir, "bin") + "/"
	env := []string{"CGO_ENABLED=0", "GOOS=" + goos, "GOARCH=" + arch, "GOAMD64=v1", "GOFLAGS="}
	if err := show(ctx, r.source, env, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags="+r.ldflags(), "-o", bin, "./cmd/..."); err != nil {
		return nil, err
	}
	return t, r.share(ctx, t)
}

// share fills a tree's share with what is the same on every system. It is printed by
// the tmp of this machine, of the same source.
func (r *release) share(ctx context.Context, t *tree) error {
	common := filepath.Join(r.work, "share")
	if _, err := os.Stat(common); err != nil {
		bin := ""
		if t.os == runtime.GOOS && t.arch == runtime.GOARCH {
			bin = filepath.Join(t.dir, "bin")
		}
		if err := r.common(ctx, common, bin); err != nil {
			return err
		}
	}
	if err := os.CopyFS(filepath.Join(t.dir, "share"), os.DirFS(common)); err != nil {
		return err
	}
	for _, file := range []string{"README.md", "CHANGELOG.md", "LICENSE", "scripts/install.sh", "scripts/build.sh", "scripts/try.sh"} {
		if err := copyFile(filepath.Join(t.dir, file), filepath.Join(r.source, file)); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) common(ctx context.Context, dir, bin string) error {
	host := []string{"CGO_ENABLED=0", "GOFLAGS="}
	if bin == "" {
		bin = filepath.Join(r.work, "host")
		if err := show(ctx, r.source, host, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags="+r.ldflags(), "-o", bin+"/", "./cmd/..."); err != nil {
			return err
		}
	}
	tmp := filepath.Join(bin, "tmp")
	own := filepath.Join(dir, "tmp")
	if err := os.MkdirAll(own, 0o755); err != nil {
		return err
	}
	if err := r.manual(ctx, bin, filepath.Join(dir, "man", "man1")); err != nil {
		return err
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		hook, err := output(ctx, tmp, "hook", shell)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(own, "hook."+shell), []byte(hook+"\n"), 0o644); err != nil {
			return err
		}
	}
	if err := show(ctx, r.source, host, "go", "run", "-trimpath", "./scripts/genpacks", filepath.Join(own, "packs.tcpdb")); err != nil {
		return err
	}
	packs, err := filepath.Glob(filepath.Join(r.source, "internal/opmap/packs/*/pack.json"))
	if err != nil {
		return err
	}
	for _, pack := range packs {
		from := filepath.Dir(pack)
		if err := os.CopyFS(filepath.Join(own, "packs", "tmp", filepath.Base(from)), os.DirFS(from)); err != nil {
			return err
		}
	}
	// Where no hook is loaded the shell still completes tmp itself.
	for file, text := range map[string]string{
		"bash-completion/completions/tmp": "complete -C tmp tmp\n",
		"zsh/site-functions/_tmp": "#compdef tmp\nlocal line=${(j: :)words[1,CURRENT]}\n" +
			"compadd -- ${(f)\"$(COMP_LINE=$line COMP_POINT=${#line} tmp tmp \"${words[CURRENT]}\" \"${words[CURRENT-1]}\")\"}\n",
		"fish/vendor_completions.d/tmp.fish": "complete -c tmp -f -a '(COMP_LINE=(commandline -cp) tmp tmp (commandline -ct) \"\")'\n",
	} {
		path := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) ldflags() string {
	return "-s -w -buildid= -X github.com/tool-mapping-protocol/tmp/internal/version.release=" + r.version
}

// manual writes the pages of tmp's commands, and one of each other program that people
// start: its help.
func (r *release) manual(ctx context.Context, bin, dir string) error {
	if _, err := output(ctx, filepath.Join(bin, "tmp"), "man", "--dir", dir); err != nil {
		return err
	}
	for _, program := range []string{"te", "tgp", "tmp-agent"} {
		help, err := output(ctx, filepath.Join(bin, program), "--help")
		if err != nil {
			return err
		}
		title, rest, _ := strings.Cut(help, "\n")
		page := fmt.Sprintf(".TH %s 1 \"\" \"tmp %s\" \"User Commands\"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n%s\n.fi\n.SH SEE ALSO\n.BR tmp (1)\n",
			strings.ToUpper(program), r.version, program, roff(title), roff(rest))
		if err := os.WriteFile(filepath.Join(dir, program+".1"), []byte(page), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// roff escapes text for groff(7): backslashes, hyphens that are to be copied, and lines
// that would be requests.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

// archives writes a tar.gz of each tree.
func (r *release) archives(_ context.Context, trees []*tree) error {
	for _, t := range trees {
		t.archive = filepath.Base(t.dir) + ".tar.gz"
		path := filepath.Join(r.out, t.archive)
		if err := r.pack(path, t.dir, filepath.Base(t.dir)); err != nil {
			return err
		}
		sum, err := digest(path)
		if err != nil {
			return err
		}
		t.sum = sum
	}
	return nil
}

// pack writes a directory as a tar.gz below the name top: sorted, of one date, of root.
func (r *release) pack(path, dir, top string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	zipped := gzip.NewWriter(f)
	out := tar.NewWriter(zipped)
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, file)
		h := &tar.Header{Name: filepath.ToSlash(filepath.Join(top, rel)), ModTime: r.date, Format: tar.FormatUSTAR}
		info, err := d.Info()
		switch {
		case err != nil:
			return err
		case d.IsDir():
			h.Typeflag, h.Name, h.Mode = tar.TypeDir, h.Name+"/", 0o755
			return out.WriteHeader(h)
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is no regular file", file)
		}
		h.Typeflag, h.Size, h.Mode = tar.TypeReg, info.Size(), mode(info)
		if err := out.WriteHeader(h); err != nil {
			return err
		}
		in, err := os.Open(file)
		if err != nil {
			return err
		}
		defer in.Close()
		_, err = io.Copy(out, in)
		return err
	})
	if err != nil {
		return err
	}
	for _, c := range []io.Closer{out, zipped} {
		if err := c.Close(); err != nil {
			return err
		}
	}
	return f.Close()
}

// mode is a file's, without what an umask made of it.
func mode(info fs.FileInfo) int64 {
	if info.Mode()&0o111 != 0 {
		return 0o755
	}
	return 0o644
}

func copyFile(to, from string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, info.Mode().Perm())
}

// digest is the SHA-256 of a file, in hex.
func digest(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
