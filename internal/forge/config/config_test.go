package config

import "testing"

const seed = `{
  "app": { "root": "/app", "env": "production" },
  "db": { "dialect": "postgres",
    "schemaPath": "/app/src/db/schema.ts", // Agent imports this dynamically
    "connectionVar": "DATABASE_URL" },
  "filesystem": { "allowedDirs": ["/app/exports", "/tmp"], "maxWriteSizeMB": 50 },
  "libs": { "whitelist": ["drizzle-orm", "date-fns", "pdfkit", "zod"] }
}`

func TestSeedForm(t *testing.T) {
	c, err := Read(seed, "c", "/x", "/home/u")
	if err != nil {
		t.Fatal(err)
	}
	if c.Mode != "gatekeeper" || c.App.Root != "/app" || c.DB.EnvVar != "DATABASE_URL" || c.FS.AllowedDirs[1] != "/tmp" || c.AllowedImports[3] != "zod" || c.Limits.MemoryMB != 512 {
		t.Errorf("%+v", c)
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{`{"modes":"god"}`, `c:1:2: unknown key "modes"; the nearest is "mode"`},
		{`{"fs":{"allowedDir":[]}}`, `c:1:8: unknown key "fs.allowedDir"; the nearest is "fs.allowedDirs"`},
		{"{\n  \"fs\": {\"allowedDirs\": \"x\"}}", `c:2:10: fs.allowedDirs must be a list of strings`},
		{`{"mode":"loose"}`, `c:1:2: mode is "loose"; it is one of god, gatekeeper`},
		{`{"allowedImports":["a"],"libs":{"whitelist":["b"]}}`, `c:1:33: allowedImports and libs.whitelist are the same key with two values`},
		{`{"allowedImports":["a"],"libs":{"whitelist":["a"]}}`, ``},
		{`{"limits":{"memoryMB":"x"}}`, `c:1:12: limits.memoryMB must be a whole number`},
		{`{"mode":"god"`, `c:1:14: unexpected end`},
		{`{"janitor":{"customPrefixes":["x_",],},}`, ``},
		{`{"db":5}`, `c:1:2: unknown key "db"; the nearest is "env"`},
	} {
		_, err := Read(tt.source, "c", "/x", "")
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.source, got, tt.want)
		}
	}
}
