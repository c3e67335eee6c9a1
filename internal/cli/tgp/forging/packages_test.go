package forging

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// packages are a node_modules with zod, date-fns, csv-stringify, lodash and
// drizzle-orm: TGP_NODE_MODULES names it, and tests that need it are skipped without.
func packages(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TGP_NODE_MODULES")
	if dir == "" {
		t.Skip("TGP_NODE_MODULES names no node_modules with zod, date-fns, csv-stringify, lodash, drizzle-orm")
	}
	return dir
}

func TestRealPackages(t *testing.T) {
	from := packages(t)
	w := newWorld(t)
	if out, err := exec.Command("cp", "-r", from, filepath.Join(w.dir, "node_modules")).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	w.env["TGP_CONFIG"] = `{"mode":"god","allowedImports":["zod","date-fns","csv-stringify","lodash"]}`
	w.write("a.ts", `import { z } from 'zod';
import { format, addDays } from 'date-fns';
import { stringify } from 'csv-stringify/sync';
import _ from 'lodash';
const s = z.object({ a: z.number() });
export default [s.parse({ a: 1 }), format(addDays(new Date(0), 1), 'yyyy-MM-dd'), stringify([[1, 2]]), _.chunk([1, 2, 3], 2)];
`)
	if out := strings.TrimSpace(w.must("run", "a.ts")); out != `[{"a":1},"1970-01-02","1,2\n",[[1,2],[3]]]` {
		t.Error(out)
	}
	// A link in node_modules that leads out of the project brings nothing in.
	outside := filepath.Join(filepath.Dir(w.dir), "evil")
	if err := os.MkdirAll(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "index.js"), []byte("export default 1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(w.dir, "node_modules/zod")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(w.dir, "node_modules/zod")); err != nil {
		t.Fatal(err)
	}
	w.write("b.ts", "import z from 'zod'; export default z;\n")
	if status, _, errs := w.tgp("run", "b.ts"); status != 125 {
		t.Errorf("%d %s", status, errs)
	}
}

// TestSDK runs the small SDK under Node.
func TestSDK(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not here")
	}
	bin := filepath.Join(t.TempDir(), "tgp")
	if self, err := os.Executable(); err != nil || os.Symlink(self, bin) != nil {
		t.Skip("the test cannot start itself")
	}
	w := newWorld(t).god("")
	w.must("init")
	w.write("d.ts", greet)
	w.must("add", "d.ts", "greet/hello", "-m", "greet")
	w.write("sdk.mjs", `import { TGP } from './.tgp/core/index.mjs';
const t = new TGP({ bin: process.env.BIN });
const names = (await t.list('greet')).map((x) => x.path);
const result = await t.run('hello', { name: 'ann' });
let code;
try { await t.run('hello', {}) } catch (e) { code = e.code }
await t.close();
console.log(JSON.stringify([names, result, code]));
`)
	cmd := exec.Command(node, "sdk.mjs")
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "BIN="+bin, "TGP_TEST_MAIN=1", "HOME="+w.env["HOME"], "TMP_CACHE_DIR="+w.env["TMP_CACHE_DIR"], "TGP_CONFIG="+w.env["TGP_CONFIG"])
	out, err := cmd.CombinedOutput()
	if want := `[["tools/greet/hello.ts"],["hi ann"],"USAGE"]`; err != nil || strings.TrimSpace(string(out)) != want {
		t.Errorf("%v %s, want %s", err, out, want)
	}
}
