package forging

import (
	"context"
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// packages are a node_modules with zod, date-fns, csv-stringify, lodash and
// drizzle-orm: that of TGP_NODE_MODULES, or what npm installs once for this machine.
func packages(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("TGP_NODE_MODULES"); dir != "" {
		return dir
	}
	npm, err := exec.LookPath("npm")
	if err != nil || testing.Short() {
		t.Skip("npm is not here, or is not to be asked: TGP_NODE_MODULES names a node_modules with zod, date-fns, csv-stringify, lodash, drizzle-orm")
	}
	dir := filepath.Join(os.TempDir(), "tgp-test-packages-1")
	if _, err := os.Stat(filepath.Join(dir, "done")); err == nil {
		return filepath.Join(dir, "node_modules")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "zod@4.1.12", "date-fns@4.1.0", "csv-stringify@6.6.0", "lodash@4.17.21", "drizzle-orm@0.44.7")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("npm cannot install the packages: %v %.500s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "done"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "node_modules")
}

// install gives the project the packages: by links where that can be, since there are
// thousands of files.
func (w *world) install(from string) {
	w.t.Helper()
	to := filepath.Join(w.dir, "node_modules")
	if exec.Command("cp", "-al", from, to).Run() == nil {
		return
	}
	_ = os.RemoveAll(to)
	if out, err := exec.Command("cp", "-r", from, to).CombinedOutput(); err != nil {
		w.t.Fatalf("%v %s", err, out)
	}
}

// TestDrizzle: a tool asks a database through drizzle-orm and the project's own schema,
// named in each of the ways that are allowed.
func TestDrizzle(t *testing.T) {
	from := packages(t)
	w := newWorld(t)
	w.install(from)
	w.write("src/db/schema.ts", `import { sqliteTable, integer, text } from 'drizzle-orm/sqlite-core';
export const orders = sqliteTable('orders', { id: integer('id').primaryKey(), name: text('name').notNull(), cents: integer('cents') });
`)
	w.env["TGP_CONFIG"] = `{"mode":"god","rootDir":"./.tgp","allowedImports":["drizzle-orm"],"db":{"dialect":"sqlite","schemaPath":"./src/db/schema.ts"}}`
	w.env["DATABASE_URL"] = "data.db"
	db, err := sql.Open("sqlite", filepath.Join(w.dir, "data.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("create table orders (id integer primary key, name text, cents integer); insert into orders values (1, 'al', 100), (2, 'bo', 250)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	w.must("init")
	for _, spec := range []string{"tgp:schema", "src/db/schema.ts", "./src/db/schema"} {
		w.write("a.ts", `/**
 * Lists orders.
 * @param {integer} [least=0] cents at least
 */
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { gte, desc } from 'drizzle-orm';
import { orders } from '`+spec+`';
const db = drizzle(tgp.db.proxy);
export default await db.select({ id: orders.id, name: orders.name }).from(orders).where(gte(orders.cents, tgp.args.least)).orderBy(desc(orders.id));
`)
		if out := strings.TrimSpace(w.must("run", "a.ts", "--least=50")); out != `[{"id":2,"name":"bo"},{"id":1,"name":"al"}]` {
			t.Errorf("%s: %s", spec, out)
		}
	}
	w.write("b.ts", `import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { orders } from 'tgp:schema';
await drizzle(tgp.db.proxy).delete(orders);
`)
	if status, _, errs := w.tgp("run", "b.ts"); status != 1 || !strings.Contains(errs, "delete from") { // drizzle's own error, which wraps ours
		t.Errorf("a delete: %d %s", status, errs)
	}
	if out := strings.TrimSpace(w.must("run", "a.ts")); !strings.Contains(out, "bo") {
		t.Errorf("it was deleted: %s", out)
	}
}

func TestRealPackages(t *testing.T) {
	from := packages(t)
	w := newWorld(t)
	w.install(from)
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
