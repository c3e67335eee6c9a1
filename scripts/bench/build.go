package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// programs are the built subjects and baselines.
type programs struct {
	dir                             string
	emptyC, emptyGo, goOS           command
	tab, enter, tmp, te, tgp, forge string
	home                            string
	bash, zsh, fish, git, carapace  string // "" if not installed
}

const (
	emptyC  = "int main(void){return 0;}\n"
	emptyGo = "package main\n\nfunc main() {}\n"
	goOS    = "package main\n\nimport \"os\"\n\nfunc main() {\n\tif len(os.Args) > 99 {\n\t\tos.Stdout.WriteString(os.Args[0])\n\t}\n}\n"
)

// build makes the programs of this repository and the baselines with the same
// flags, and a home whose system map is compiled.
func build(dir string) (*programs, error) {
	p := &programs{dir: dir, home: filepath.Join(dir, "home")}
	for name, target := range map[string]*string{"tmp": &p.tmp, "tmp-tab": &p.tab, "tmp-enter": &p.enter, "te": &p.te, "tgp": &p.tgp, "tgp-forge": &p.forge, "tmp-registry": new(string)} {
		*target = filepath.Join(dir, name)
		if err := goBuild(*target, "./cmd/"+name); err != nil {
			return nil, err
		}
	}
	for name, source := range map[string]string{"empty-go": emptyGo, "go+os": goOS} {
		src := filepath.Join(dir, name+".go")
		if err := os.WriteFile(src, []byte(source), 0o600); err != nil {
			return nil, err
		}
		if err := goBuild(filepath.Join(dir, name), src); err != nil {
			return nil, err
		}
	}
	p.emptyGo = command{name: "empty Go", argv: []string{filepath.Join(dir, "empty-go")}}
	p.goOS = command{name: "go+os", argv: []string{filepath.Join(dir, "go+os")}}
	if cc, err := exec.LookPath("cc"); err == nil {
		src, bin := filepath.Join(dir, "empty.c"), filepath.Join(dir, "empty-c")
		if err := os.WriteFile(src, []byte(emptyC), 0o600); err != nil {
			return nil, err
		}
		if out, err := exec.Command(cc, "-O2", "-static", "-o", bin, src).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "bench: no empty C program: %s\n", out)
		} else {
			p.emptyC = command{name: "empty C, static", argv: []string{bin}}
		}
	}
	for name, path := range map[string]*string{
		"bash": &p.bash, "zsh": &p.zsh, "fish": &p.fish, "git": &p.git, "carapace": &p.carapace,
	} {
		*path, _ = exec.LookPath(name)
	}
	return p, p.prepareHome()
}

func goBuild(out, target string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, target)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if b, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", target, err, b)
	}
	return nil
}

// prepareHome compiles the system map into a home of its own, so that the
// measured programs map what an installed one does.
func (p *programs) prepareHome() error {
	if err := os.MkdirAll(p.home, 0o700); err != nil {
		return err
	}
	cmd := exec.Command(p.tmp, "db", "build")
	cmd.Env = append(os.Environ(), p.env()...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("tmp db build: %w\n%s", err, out)
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		text, err := exec.Command(p.tmp, "hook", shell).Output()
		if err != nil {
			return fmt.Errorf("tmp hook %s: %w", shell, err)
		}
		if err := os.WriteFile(p.hook(shell), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// hook is the file that a start-up file would source.
func (p *programs) hook(shell string) string { return filepath.Join(p.home, "hook."+shell) }

// hookEnv is the environment that a hook starts a program of ours with.
func (p *programs) hookEnv() []string {
	return append(p.env(), "GOMAXPROCS=1")
}

func (p *programs) env() []string {
	return []string{
		"HOME=" + p.home, "XDG_DATA_HOME=" + p.home + "/.local/share", "XDG_CONFIG_HOME=" + p.home + "/.config",
		"XDG_STATE_HOME=" + p.home + "/.local/state", "XDG_CACHE_HOME=" + p.home + "/.cache",
	}
}
