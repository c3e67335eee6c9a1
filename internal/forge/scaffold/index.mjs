// The small SDK of tgp for Node: it starts `tgp serve` and talks to it in lines of JSON.
// It has no dependency and uses no registry. tgp itself never reads this file.
import { spawn } from 'node:child_process';

export const defineTGPConfig = (config) => config;

class TGPError extends Error {
  constructor(e) {
    super(e.message);
    this.name = 'TGPError';
    Object.assign(this, e);
  }
}

export class TGP {
  #child; #next = 1; #waiting = new Map(); #rest = ''; #options; #closed;

  /** configFile: the configuration, the host's word; root, bin, cwd, env: as their names say. */
  constructor({ configFile, root, bin, cwd, env, userContext } = {}) {
    void userContext; // the host's own business
    this.#options = { configFile, root, bin: bin || process.env.TGP_BIN || 'tgp', cwd: cwd || process.cwd(), env: { ...process.env, ...env } };
  }

  #start() {
    if (this.#child) return;
    const o = this.#options;
    const args = ['serve'];
    if (o.root) args.unshift('--root', o.root);
    if (o.configFile) args.unshift('--config', o.configFile);
    const child = (this.#child = spawn(o.bin, args, { cwd: o.cwd, env: o.env, stdio: ['pipe', 'pipe', 'pipe'] }));
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (d) => { said = (said + d).slice(-4096); });
    child.stdout.setEncoding('utf8').on('data', (d) => this.#read(d));
    const ended = (why) => {
      for (const { reject } of this.#waiting.values()) reject(new TGPError({ code: 'INTERNAL', message: `tgp serve ended: ${why}` }));
      this.#waiting.clear();
      this.#child = undefined;
    };
    child.on('error', (e) => ended(e.message));
    this.#closed = new Promise((resolve) => child.on('close', (code) => { ended(said.trim() || `status ${code}`); resolve(); }));
    child.stdin.on('error', () => {});
  }

  #read(data) {
    this.#rest += data;
    for (let i; (i = this.#rest.indexOf('\n')) >= 0;) {
      const line = this.#rest.slice(0, i);
      this.#rest = this.#rest.slice(i + 1);
      let m;
      try { m = JSON.parse(line); } catch { continue; }
      const w = this.#waiting.get(m.id);
      if (!w) continue;
      this.#waiting.delete(m.id);
      if (m.error) w.reject(new TGPError(m.error)); else w.resolve(m.result);
    }
  }

  #call(method, params) {
    this.#start();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.stdin.write(JSON.stringify({ id, method, params }) + '\n');
    });
  }

  /** The tools, ranked by the query. */
  async list(query = '') { return (await this.#call('list', { query })).tools; }

  /** What breaks the laws in a file. */
  async check(file) { return this.#call('check', { file }); }

  /** The result of a tool; an Error with .code where it has none. */
  async run(tool, args = {}, { env } = {}) {
    const r = await this.#call('run', { tool, args, env });
    if (r.error) throw new TGPError(r.error);
    return r.result;
  }

  /** Signs a tool with a key. */
  async approve(tool, { key, unattended } = {}) { return this.#call('approve', { tool, key, unattended }); }

  /** Ends the process beside. */
  async close() {
    if (!this.#child) return;
    this.#child.stdin.end();
    await this.#closed;
  }
}
