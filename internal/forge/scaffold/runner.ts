// Runs a tool: tsx .tgp/core/runner.ts TOOL [--flag value …]
// A thin call of `tgp run`, where the isolate and the configuration are. tgp itself never reads this file.
import { spawnSync } from 'node:child_process';
const r = spawnSync(process.env.TGP_BIN || 'tgp', ['run', ...process.argv.slice(2)], { stdio: 'inherit' });
if (r.error) console.error(`tgp cannot be started: ${r.error.message}`);
process.exit(r.status ?? 1);
