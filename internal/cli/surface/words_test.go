package surface_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fed is tmp with a text on standard input.
func (h *home) fed(text string, args ...string) (string, int) {
	h.t.Helper()
	cmd := exec.Command(filepath.Join(programs(h.t), "tmp"), args...)
	cmd.Dir, cmd.Env, cmd.Stdin = h.dir, h.env, strings.NewReader(text)
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

// TestWordsTakeWhatAnIDTakes: an operation that is asked for in words takes the API's own
// names and a whole body, and says the place of what is wrong, as by its ID.
func TestWordsTakeWhatAnIDTakes(t *testing.T) {
	server, asked := shop(t)
	h := newHome(t)
	h.shopMap(server.URL)
	body := h.write("body.json", `{"customer":"a@b.example","count":1}`)
	for _, c := range []struct {
		status int
		text   string
		args   []string
	}{
		{0, "--set limit=2", []string{"resolve", "list orders of the shop", "--set", "Limit=2"}},
		{1, "query limit: 11 is more than 10", []string{"resolve", "list orders of the shop", "--set", "limit=11"}},
		{0, "a@b.example", []string{"run", "create of the shop", "--set", "customer=a@b.example", "--dry-run"}},
		{0, `{"count":1,"customer":"a@b.example"}`, []string{"run", "create of the shop", "--body", body, "--dry-run"}},
		{125, "body body.customer: a value is needed", []string{"run", "create of the shop"}},
		{125, "body: the operation takes none", []string{"run", "list orders of the shop", "--body", body}},
		{0, "id,state\n1,open\n2,paid\n", []string{"run", "shop.list_orders", "--csv"}},
		{0, `{"id":1,"state":"open"}` + "\n" + `{"id":2,"state":"paid"}` + "\n", []string{"run", "shop.list_orders", "--ndjson"}},
	} {
		if out, status := h.tmp(c.args...); status != c.status || !strings.Contains(out, c.text) {
			t.Errorf("%q: %d %s, want %d and %q", c.args, status, out, c.status, c.text)
		}
	}

	const piped = `{"customer":"p@b.example","count":7}`
	sent := `{"count":7,"customer":"p@b.example"}`
	if out, status := h.fed(piped, "run", "shop.create", "--body", "-", "--dry-run"); status != 0 || !strings.Contains(out, sent) {
		t.Errorf("a body on standard input is not shown: %d %s", status, out)
	}
	n := len(*asked)
	if out, status := h.fed(piped, "run", "shop.create", "--body", "-"); status != 0 || len(*asked) != n+1 || !strings.Contains((*asked)[n], sent) {
		t.Errorf("a body on standard input is not sent: %d %s %q", status, out, *asked)
	}
	if one, _ := h.fed(piped, "run", "shop.create", "--body", "-", "--dry-run"); strings.Contains(one, digestOf(h, `{"customer":"q@b.example"}`)) {
		t.Error("an approval is not for what came on standard input")
	}
}

// digestOf is the digest of a request with a body on standard input.
func digestOf(h *home, body string) string {
	h.t.Helper()
	out, _ := h.fed(body, "run", "shop.create", "--body", "-", "--dry-run")
	_, rest, found := strings.Cut(out, "digest")
	if !found {
		h.t.Fatalf("no digest: %s", out)
	}
	return strings.Fields(rest)[0]
}
