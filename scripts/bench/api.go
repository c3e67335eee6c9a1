package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// apiOperations is how many operations the map of the measured API has.
const apiOperations = 1000

// apiRows are completion beside the map of an API with many operations: what is
// completed of it, and what is not.
func (p *programs) apiRows(f *fixtures) ([]row, error) {
	env, err := p.apiHome()
	if err != nil {
		return nil, err
	}
	project := f.project("project")
	with := func(line, want string) command {
		c := p.tabCommand(line, project, want)
		c.name += fmt.Sprintf(", %d operations of an API", apiOperations)
		c.env = append(env, "GOMAXPROCS=1")
		return c
	}
	git := p.tabCommand("git commit --", project, "amend")
	return []row{
		{name: "git commit -- beside the map of an API", goal: "≤ 1.4 × go+os", subject: with("git commit --", "amend"), beside: []command{git}},
		{name: "tmp run shop.order_500 --set", goal: "what git commit -- costs", subject: with("tmp run shop.order_500 --set ", "limit="), beside: []command{git}},
		{name: "tmp run shop.order_500 --set state=", goal: "what git commit -- costs", subject: with("tmp run shop.order_500 --set state=", "open"), beside: []command{git}},
	}, nil
}

// apiHome is a home like the other one, with the map of an API, and the environment
// that names it.
func (p *programs) apiHome() (env []string, err error) {
	home := filepath.Join(p.dir, "home-api")
	env = []string{
		"HOME=" + home, "XDG_DATA_HOME=" + home + "/.local/share", "XDG_CONFIG_HOME=" + home + "/.config",
		"XDG_STATE_HOME=" + home + "/.local/state", "XDG_CACHE_HOME=" + home + "/.cache",
	}
	schemas, data := filepath.Join(home, ".config/tmp/schemas"), filepath.Join(home, ".local/share/tmp")
	for _, dir := range []string{schemas, data} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	system, err := os.ReadFile(filepath.Join(p.home, ".local/share/tmp/system.tcpdb"))
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(map[string]any{"operations": apiMap()})
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{filepath.Join(data, "system.tcpdb"): system, filepath.Join(schemas, "shop.json"): text} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(p.tmp, "compile")
	cmd.Dir, cmd.Env = home, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("tmp compile: %w\n%s", err, out)
	}
	return env, nil
}

// apiMap are operations with as many parameters as those of large APIs have.
func apiMap() []map[string]any {
	var out []map[string]any
	for i := range apiOperations {
		params := []map[string]any{
			{"name": "limit", "type": "integer", "minimum": 1, "maximum": 100, "description": "How many orders are listed"},
			{"name": "state", "enum": []string{"open", "paid", "sent"}, "description": "Only orders in this state"},
		}
		path := fmt.Sprintf("/orders/%d?limit=<limit>&state=<state>", i)
		for k := range 8 {
			name := "field_" + strconv.Itoa(k)
			params = append(params, map[string]any{"name": name, "type": "string", "description": "A field of an order that is looked for"})
			path += "&" + name + "=<" + name + ">"
		}
		out = append(out, map[string]any{
			"id": fmt.Sprintf("shop.order_%d", i), "surface": "api", "intent": []string{fmt.Sprintf("list shop orders %d", i)},
			"api":        map[string]any{"server": "https://shop.example", "method": "GET", "path": path},
			"parameters": params, "effect": "network + read-only", "risk": "low",
		})
	}
	return out
}
