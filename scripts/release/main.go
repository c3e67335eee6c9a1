// Command release makes everything that a release consists of, on one machine: an
// archive for each system, packages for dpkg, rpm and apk, a Homebrew formula, a
// PKGBUILD, packages for npm, and the checksums of them all. The same source gives the
// same bytes: nothing in them depends on when, where or by whom they were made.
//
//	go run ./scripts/release --version 0.2.0                        all, into dist
//	go run ./scripts/release --targets linux/amd64 --out /tmp/dist  one system
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

// allTargets are the systems that a release is for, as GOOS/GOARCH.
const allTargets = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch err := run(ctx, os.Args[1:]); {
	case err == nil:
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is one version with where it is made.
type release struct {
	version string    // without a "v"
	source  string    // the module's directory
	out     string    // absolute
	work    string    // scratch
	date    time.Time // of every file in it
	pages   string    // where archives will be fetched from
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	version := flags.String("version", "", "the version, as 0.2.0 (default: the tag of this commit, else 0.0.0-dev)")
	out := flags.String("out", "dist", "the directory to fill; it must be new or empty")
	targets := flags.String("targets", allTargets, "GOOS/GOARCH, …")
	formats := flags.String("packages", "deb,rpm,apk", "the packages to make for Linux; needs the Go proxy for nfpm, once")
	if err := flags.Parse(args); err != nil {
		return err
	}
	r, err := prepare(ctx, *version, *out)
	if err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	var built []*tree
	for target := range strings.SplitSeq(*targets, ",") {
		t, err := r.build(ctx, target)
		if err != nil {
			return err
		}
		built = append(built, t)
	}
	steps := []func(context.Context, []*tree) error{r.archives, r.npm}
	if *formats != "" {
		steps = append(steps, func(ctx context.Context, trees []*tree) error {
			return r.packages(ctx, trees, strings.Split(*formats, ","))
		})
	}
	for _, step := range append(steps, r.recipes, r.checksums) {
		if err := step(ctx, built); err != nil {
			return err
		}
	}
	return nil
}

func prepare(ctx context.Context, version, out string) (*release, error) {
	r := &release{}
	var err error
	if r.source, err = output(ctx, "go", "list", "-m", "-f", "{{.Dir}}"); err != nil {
		return nil, err
	}
	if r.version = strings.TrimPrefix(version, "v"); r.version == "" {
		r.version = "0.0.0-dev"
		if tag, err := output(ctx, "git", "-C", r.source, "describe", "--exact-match", "--match", "v*"); err == nil {
			r.version = strings.TrimPrefix(tag, "v")
		}
	}
	if v := "v" + r.version; semver.Canonical(v) != v {
		return nil, fmt.Errorf("--version %s: want a semantic version, as 0.2.0 or 0.2.0-rc.1", r.version)
	}
	if r.date, err = sourceDate(ctx, r.source); err != nil {
		return nil, err
	}
	module, err := output(ctx, "go", "list", "-m")
	if err != nil {
		return nil, err
	}
	r.pages = "https://" + module
	if r.out, err = filepath.Abs(out); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return nil, err
	}
	if there, err := os.ReadDir(r.out); err != nil || len(there) > 0 {
		return nil, errors.Join(err, fmt.Errorf("--out %s is not empty", out))
	}
	r.work, err = os.MkdirTemp("", "tmp-release")
	return r, err
}

// sourceDate is what SOURCE_DATE_EPOCH says (reproducible-builds.org), else the time of
// the commit, else the day that archives of such sources have.
func sourceDate(ctx context.Context, source string) (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		var err error
		if text, err = output(ctx, "git", "-C", source, "log", "-1", "--format=%ct"); err != nil {
			return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), nil
		}
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH=%q: want seconds since 1970", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// output runs a command and returns what it prints, trimmed.
func output(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(string(exit.Stderr)))
		}
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// show runs a command whose output is for the person.
func show(ctx context.Context, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(os.Environ(), env...), os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

var target = regexp.MustCompile(`^(linux|darwin)/(amd64|arm64)$`)

// checksums writes SHA256SUMS over all that was made, as sha256sum -c reads it.
func (r *release) checksums(context.Context, []*tree) error {
	var files []string
	err := filepath.WalkDir(r.out, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.Sort(files)
	var b strings.Builder
	for _, file := range files {
		sum, err := digest(file)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(r.out, file)
		fmt.Fprintf(&b, "%s  %s\n", sum, filepath.ToSlash(name))
	}
	fmt.Print(b.String())
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(b.String()), 0o644)
}
