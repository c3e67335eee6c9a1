// Checks a tool: node .tgp/core/linter.js FILE
// A thin call of `tgp check`, which holds the laws. tgp itself never reads this file.
const { spawnSync } = require('node:child_process');
const r = spawnSync(process.env.TGP_BIN || 'tgp', ['check', ...process.argv.slice(2)], { stdio: 'inherit' });
if (r.error) console.error(`tgp cannot be started: ${r.error.message}`);
process.exit(r.status ?? 1);
