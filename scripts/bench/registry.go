package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// packs is a directory with a registry of n packs of so many maps, and two homes: in
// one 500 of the packs are installed, if there are as many.
func (f *fixtures) packs(n, maps int) string {
	return filepath.Join(f.dir, fmt.Sprintf("packs-%d-%d", n, maps))
}

// registryRows are what packs cost: to install one, to find one among many, and Tab
// where many are installed.
func (p *programs) registryRows(f *fixtures) []row {
	one, many := f.packs(1, 20), f.packs(10_000, 1)
	data := filepath.Join(one, "home", ".local/share/tmp")
	in := func(name, dir, script, want string) command {
		return command{name: name, argv: []string{"sh", "-c", script}, dir: dir, env: homeEnv(filepath.Join(dir, "home")), want: want}
	}
	repo := f.repo(10, false)
	with := p.tabCommand("git checkout ", repo, "some-change")
	without := with
	with.name, without.name = "500 packs installed", "none installed"
	with.dir = many // where both are started does not matter; both directories are made
	with.env = append(homeEnv(filepath.Join(many, "home")), "GOMAXPROCS=1")
	without.env = append(homeEnv(filepath.Join(many, "bare")), "GOMAXPROCS=1")
	return []row{
		{
			name: "registry: install a pack of 20 maps from a directory", goal: "≤ 60 ms of CPU",
			subject: in("tmp registry install, rm -r before it", one, fmt.Sprintf("rm -rf '%s/packs' '%s/packs.tcpdb'; exec '%s' registry install acme/p00000 --yes --from 'dir:%s/registry' 2>&1", data, data, p.tmp, one), "acme/p00000@1.0.0"),
		},
		{
			name: "registry: search among 10000 packs", goal: "≤ 30 ms of CPU",
			subject: in("tmp registry search", many, fmt.Sprintf("exec '%s' registry search p00500t0 --from 'dir:%s/registry' 2>&1", p.tmp, many), "acme/p00500"),
		},
		{
			name: "registry: git checkout, 500 packs installed", goal: "page faults ± 2 %",
			subject: with, beside: []command{without},
		},
	}
}

func homeEnv(home string) []string {
	return []string{
		"HOME=" + home, "XDG_DATA_HOME=" + home + "/.local/share", "XDG_CONFIG_HOME=" + home + "/.config",
		"XDG_STATE_HOME=" + home + "/.local/state", "XDG_CACHE_HOME=" + home + "/.cache",
	}
}

// makePacks publishes n packs, and installs 500 of them where there are as many.
func makePacks(dir, tmp string, n, maps int) error {
	var dirs, names []string
	for i := range n {
		name := fmt.Sprintf("p%05d", i)
		at := filepath.Join(dir, "src", name)
		if err := makePack(at, name, maps); err != nil {
			return err
		}
		dirs = append(dirs, at)
		if i < 500 {
			names = append(names, "acme/"+name)
		}
	}
	home := filepath.Join(dir, "home")
	run := func(args ...string) error {
		cmd := exec.Command(tmp, args...)
		cmd.Env = append(os.Environ(), homeEnv(home)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("tmp %s: %w\n%s", strings.Join(args[:2], " "), err, out)
		}
		return nil
	}
	from := "dir:" + filepath.Join(dir, "registry")
	for _, d := range []string{home, filepath.Join(dir, "bare")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	if err := run(append([]string{"registry", "publish", "--unsigned", "--to", from}, dirs...)...); err != nil {
		return err
	}
	if n < 500 {
		return nil
	}
	return run(append([]string{"registry", "install", "--yes", "--from", from}, names...)...)
}

// makePack writes a pack of so many maps, each of a command with ten sub-commands.
func makePack(dir, name string, maps int) error {
	var tools []string
	files := map[string]string{"LICENSE": "MIT\n", "README.md": "# " + name + "\n"}
	for i := range maps {
		tool := fmt.Sprintf("%st%d", name, i)
		tools = append(tools, fmt.Sprintf(`{"tool":%q,"version_range":""}`, tool))
		var subs []string
		for j := range 10 {
			subs = append(subs, fmt.Sprintf(`{"name":"sub%d","description":"Does the work number %d","flags":[{"names":["--all"]},{"names":["-o","--output"],"value":"required","value_spec":{"file":true}}]}`, j, j))
		}
		if maps == 1 {
			subs = subs[:1]
		}
		files["maps/"+tool+".json"] = fmt.Sprintf(`{"schema":1,"tool":%q,"provenance":"curated","node":{"name":%q,"subcommands":[%s]}}`, tool, tool, strings.Join(subs, ","))
	}
	files["pack.json"] = fmt.Sprintf(`{"v":1,"name":"acme/%s","version":"1.0.0","description":"Maps of %s and its like","license":"MIT","homepage":"","tools":[%s],"platforms":[],"review":"reviewed","provenance":"curated","requires":[]}`, name, name, strings.Join(tools, ","))
	for file, text := range files {
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
