// The world of a tool, made before any byte of it is read. Everything that is
// used later is taken here, so that nothing a tool does to prototypes changes
// it. __host(operation, text) is the one way out: the host takes a string, and
// answers with one; it never looks at an object of the guest.
(() => {
  'use strict';
  const host = globalThis.__host;
  delete globalThis.__host;
  const { stringify, parse } = JSON;
  const { apply, ownKeys, getOwnPropertyDescriptor, getPrototypeOf, defineProperty } = Reflect;
  const { freeze, create, keys } = Object;
  const { isArray } = Array;
  const objectProto = Object.prototype;
  const arrayProto = Array.prototype;
  const isFrozenKind = (p) => p === objectProto || p === null;
  const TypeErr = TypeError, Err = Error, Str = String, Num = Number, PromiseC = Promise, DateC = Date, MapC = Map, SetC = Set;
  const now = DateC.now;
  const floor = Math.floor, fin = Num.isFinite;
  const call = (f) => (self, ...args) => apply(f, self, args);
  const charCode = call(''.charCodeAt), slice = call(''.slice), push = call([].push), join = call([].join), splice = call([].splice);
  const then = call(PromiseC.prototype.then);
  const fromChar = Str.fromCharCode, fromPoint = Str.fromCodePoint;
  const Function_toString = Function.prototype.toString;
  const btoaF = globalThis.btoa, atobF = globalThis.atob;
  const { encodeURIComponent: encode, decodeURIComponent: decode } = globalThis;

  // ---- plain data, read without running code of the guest
  const plain = (v, depth) => {
    switch (typeof v) {
      case 'string': case 'boolean': return v;
      case 'number': if (!fin(v)) throw new TypeErr('not a finite number'); return v;
      case 'undefined': return undefined;
      case 'object': break;
      default: throw new TypeErr('a ' + typeof v + ' is no plain data');
    }
    if (v === null) return null;
    if (depth > 64) throw new TypeErr('nested too deeply');
    if (isArray(v)) {
      const out = [];
      for (let i = 0; i < v.length; i++) {
        const d = getOwnPropertyDescriptor(v, Str(i));
        if (d && (d.get || d.set)) throw new TypeErr('a getter is no plain data');
        const x = d ? plain(d.value, depth + 1) : null;
        push(out, x === undefined ? null : x);
      }
      return out;
    }
    if (!isFrozenKind(getPrototypeOf(v))) throw new TypeErr('not a plain object');
    const out = create(null);
    for (const k of ownKeys(v)) {
      if (typeof k !== 'string') continue;
      const d = getOwnPropertyDescriptor(v, k);
      if (!d || !d.enumerable) continue;
      if (d.get || d.set) throw new TypeErr('a getter is no plain data');
      const x = plain(d.value, depth + 1);
      if (x !== undefined) out[k] = x;
    }
    return out;
  };
  const text = (v, what) => { if (typeof v !== 'string') throw new TypeErr(what + ' must be a string'); return v; };
  const option = (o, name) => {
    if (o === undefined || o === null) return undefined;
    if (typeof o !== 'object') throw new TypeErr('options must be an object');
    const d = getOwnPropertyDescriptor(o, name);
    if (d && (d.get || d.set)) throw new TypeErr('a getter is no plain data');
    return d ? d.value : undefined;
  };
  const ask = (op, args) => {
    const a = parse(host(op, stringify(args)));
    if (a.error) {
      const e = new Err(a.error.message);
      defineProperty(e, 'code', { value: a.error.code, writable: true, configurable: true, enumerable: true });
      throw e;
    }
    return a.value;
  };

  // ---- output
  const show = (v, depth, seen) => {
    switch (typeof v) {
      case 'string': return depth ? stringify(v) : v;
      case 'bigint': return Str(v) + 'n';
      case 'symbol': return 'Symbol()';
      case 'function': return '[Function]';
      case 'object': break;
      default: return Str(v);
    }
    if (v === null) return 'null';
    for (let i = 0; i < seen.length; i++) if (seen[i] === v) return '[Circular]';
    if (depth > 4) return isArray(v) ? '[Array]' : '[Object]';
    push(seen, v);
    let s;
    if (isArray(v)) {
      const parts = [];
      for (let i = 0; i < v.length && i < 100; i++) push(parts, show(v[i], depth + 1, seen));
      if (v.length > 100) push(parts, '… ' + (v.length - 100) + ' more');
      s = parts.length ? '[ ' + join(parts, ', ') + ' ]' : '[]';
    } else if (v instanceof Err) {
      const d = describe(v);
      s = d.stack && d.stack.includes(d.message) ? d.stack : d.name + ': ' + d.message + (d.stack ? '\n' + d.stack : '');
    } else if (v instanceof DateC) s = v.toISOString();
    else if (v instanceof MapC || v instanceof SetC) s = show([...v], depth, []);
    else {
      const parts = [];
      for (const k of keys(v)) push(parts, k + ': ' + show(v[k], depth + 1, seen));
      s = parts.length ? '{ ' + join(parts, ', ') + ' }' : '{}';
    }
    splice(seen, seen.length - 1, 1);
    return s;
  };
  const line = (args) => { const p = []; for (let i = 0; i < args.length; i++) push(p, show(args[i], 0, [])); return join(p, ' ') + '\n'; };
  const out = (...a) => { host('out', line(a)); };
  const err = (...a) => { host('err', line(a)); };
  const times = new MapC(), counts = create(null);
  const console = {
    log: out, info: err, warn: err, error: err, debug: err, trace: err,
    dir: (v) => err(v), table: (v) => err(v), group: (...a) => { if (a.length) err(...a); }, groupEnd() {},
    assert: (ok, ...a) => { if (!ok) err('Assertion failed', ...a); },
    count: (l = 'default') => { counts[l] = (counts[l] || 0) + 1; err(l + ': ' + counts[l]); },
    time: (l = 'default') => { times.set(l, now()); }, timeEnd: (l = 'default') => { err(l + ': ' + (now() - (times.get(l) ?? now())) + 'ms'); },
  };

  // ---- timers
  let timers = [], ids = 0, seq = 0;
  const later = (fn, ms, args, every) => {
    if (typeof fn !== 'function') throw new TypeErr('a timer takes a function');
    ms = typeof ms === 'number' && ms > 0 ? ms : 0;
    if (ms > 2147483647) ms = 1;
    if (timers.length >= 100000) throw new RangeError('too many timers');
    const t = { id: ++ids, at: now() + ms, seq: seq++, fn, args, every: every ? (ms < 1 ? 1 : ms) : -1 };
    push(timers, t);
    return t.id;
  };
  const clear = (id) => { for (let i = 0; i < timers.length; i++) if (timers[i].id === id) { splice(timers, i, 1); return; } };
  // tick runs the timer that is due, and returns the time until the next one; -1: none.
  const tick = () => {
    let best = -1;
    for (let i = 0; i < timers.length; i++) {
      if (best < 0 || timers[i].at < timers[best].at || (timers[i].at === timers[best].at && timers[i].seq < timers[best].seq)) best = i;
    }
    if (best < 0) return -1;
    const t = timers[best];
    const wait = t.at - now();
    if (wait > 0) return wait;
    if (t.every >= 0) { t.at = now() + t.every; t.seq = seq++; } else splice(timers, best, 1);
    apply(t.fn, undefined, t.args);
    return 0;
  };

  // ---- text and bytes
  const U8 = Uint8Array;
  const utf8 = (s) => {
    const b = [];
    for (let i = 0; i < s.length; i++) {
      let c = charCode(s, i);
      if (c >= 0xd800 && c < 0xe000) {
        const d = c < 0xdc00 && i + 1 < s.length ? charCode(s, i + 1) : 0;
        if (d >= 0xdc00 && d < 0xe000) { c = 0x10000 + ((c - 0xd800) << 10) + (d - 0xdc00); i++; } else c = 0xfffd;
      }
      if (c < 0x80) push(b, c);
      else if (c < 0x800) push(b, 0xc0 | c >> 6, 0x80 | c & 63);
      else if (c < 0x10000) push(b, 0xe0 | c >> 12, 0x80 | c >> 6 & 63, 0x80 | c & 63);
      else push(b, 0xf0 | c >> 18, 0x80 | c >> 12 & 63, 0x80 | c >> 6 & 63, 0x80 | c & 63);
    }
    return new U8(b);
  };
  const fromUTF8 = (b, fatal) => {
    const parts = [];
    let s = '';
    for (let i = 0; i < b.length;) {
      const c = b[i++];
      let n = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
      let p = n === 0 ? c : n === 1 ? c & 31 : n === 2 ? c & 15 : c & 7;
      let bad = n < 0;
      for (let k = 0; k < n; k++) {
        const d = b[i];
        const low = k === 0 && c === 0xe0 ? 0xa0 : k === 0 && c === 0xf0 ? 0x90 : 0x80;
        const high = k === 0 && c === 0xed ? 0x9f : k === 0 && c === 0xf4 ? 0x8f : 0xbf;
        if (d === undefined || d < low || d > high) { bad = true; break; }
        p = p << 6 | d & 63;
        i++;
      }
      if (bad) { if (fatal) throw new TypeErr('the data is not UTF-8'); p = 0xfffd; }
      s += fromPoint(p);
      if (s.length > 4096) { push(parts, s); s = ''; }
    }
    push(parts, s);
    return join(parts, '');
  };
  const bytesOf = (v) => v instanceof U8 ? v : ArrayBuffer.isView(v) ? new U8(v.buffer, v.byteOffset, v.byteLength) : new U8(v);
  class TextEncoder { get encoding() { return 'utf-8'; } encode(s = '') { return utf8(Str(s)); } }
  class TextDecoder {
    #fatal; #bom;
    constructor(label = 'utf-8', o = {}) {
      const l = Str(label).trim().toLowerCase();
      if (l !== 'utf-8' && l !== 'utf8' && l !== 'unicode-1-1-utf-8') throw new RangeError('only utf-8 is known here');
      this.#fatal = !!o.fatal; this.#bom = !!o.ignoreBOM;
    }
    get encoding() { return 'utf-8'; }
    decode(v) {
      if (v === undefined) return '';
      let s = fromUTF8(bytesOf(v), this.#fatal);
      if (!this.#bom && charCode(s, 0) === 0xfeff) s = slice(s, 1);
      return s;
    }
  }
  const latin = (b) => { const p = []; for (let i = 0; i < b.length; i += 4096) push(p, apply(fromChar, null, b.subarray(i, i + 4096))); return join(p, ''); };
  const unlatin = (s) => { const b = new U8(s.length); for (let i = 0; i < s.length; i++) b[i] = charCode(s, i); return b; };

  // ---- what packages that were written for Node take of Buffer
  const hex = (b) => { let s = ''; for (let i = 0; i < b.length; i++) s += (b[i] < 16 ? '0' : '') + b[i].toString(16); return s; };
  const unhex = (s) => { const b = new U8(s.length >> 1); for (let i = 0; i < b.length; i++) b[i] = parseInt(slice(s, 2 * i, 2 * i + 2), 16); return b; };
  const encoded = (s, e) => {
    switch (Str(e ?? 'utf8').toLowerCase()) {
      case 'hex': return unhex(s);
      case 'base64': case 'base64url': return unlatin(atobF(s.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '')));
      case 'latin1': case 'binary': case 'ascii': return unlatin(s);
      default: return utf8(s);
    }
  };
  class Buffer extends U8 {
    static from(v, e, n) {
      if (typeof v === 'string') v = encoded(v, e);
      else if (v instanceof ArrayBuffer) return new Buffer(v, e, n);
      const b = new Buffer(v.length);
      b.set(v);
      return b;
    }
    static alloc(n, fill) { const b = new Buffer(n); if (fill !== undefined) b.fill(typeof fill === 'string' ? charCode(fill, 0) : fill); return b; }
    static allocUnsafe(n) { return new Buffer(n); }
    static isBuffer(b) { return b instanceof Buffer; }
    static isEncoding(e) { return /^(utf-?8|hex|base64(url)?|latin1|binary|ascii)$/i.test(e); }
    static byteLength(s, e) { return typeof s === 'string' ? encoded(s, e).length : s.byteLength; }
    static concat(list, n) {
      n ??= list.reduce((a, b) => a + b.length, 0);
      const out = new Buffer(n);
      let at = 0;
      for (const b of list) { const part = b.subarray(0, n - at); out.set(part, at); at += part.length; }
      return out;
    }
    static compare(a, b) { for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1; return a.length - b.length; }
    equals(b) { return Buffer.compare(this, b) === 0; }
    compare(b) { return Buffer.compare(this, b); }
    slice(a, b) { return this.subarray(a, b); }
    write(s, at = 0, n, e) { const b = encoded(s, e).subarray(0, this.length - at); this.set(b, at); return b.length; }
    copy(to, at = 0, a = 0, b = this.length) { const part = this.subarray(a, b).subarray(0, to.length - at); to.set(part, at); return part.length; }
    toString(e, a = 0, b = this.length) {
      const part = this.subarray(a, b);
      switch (Str(e ?? 'utf8').toLowerCase()) {
        case 'hex': return hex(part);
        case 'base64': return btoaF(latin(part));
        case 'latin1': case 'binary': case 'ascii': return latin(part);
        default: return fromUTF8(part, false);
      }
    }
    toJSON() { return { type: 'Buffer', data: [...this] }; }
  }

  // ---- URL
  const special = { __proto__: null, 'http:': '80', 'https:': '443', 'ftp:': '21', 'ws:': '80', 'wss:': '443', 'file:': '' };
  const escapeWith = (s, safe) => {
    let o = '';
    for (const c of s) o += safe.test(c) ? c : encode(c.isWellFormed() ? c : '\ufffd').replace(/['()*!]/g, (x) => '%' + x.charCodeAt(0).toString(16).toUpperCase());
    return o;
  };
  const pathSafe = /[\w\-.~!$&'()*+,;=:@/%[\]|^\\]/, querySafe = /[\w\-.~!$&()*+,;=:@/?%[\]{}|\\^`]/, hashSafe = /[\w\-.~!$&'()*+,;=:@/?%[\]{}|\\^#]/;
  class URLSearchParams {
    #l = []; _changed;
    constructor(init = '') {
      if (typeof init === 'string') {
        if (init[0] === '?') init = slice(init, 1);
        const un = (x) => { x = x.replace(/\+/g, ' '); try { return decode(x); } catch { return x; } };
        for (const part of init.split('&')) if (part) { const i = part.indexOf('='); this.#l.push(i < 0 ? [un(part), ''] : [un(slice(part, 0, i)), un(slice(part, i + 1))]); }
      } else if (init && typeof init[Symbol.iterator] === 'function') for (const [k, v] of init) this.#l.push([Str(k), Str(v)]);
      else if (init) for (const k of keys(init)) this.#l.push([k, Str(init[k])]);
    }
    #c() { if (this._changed) this._changed(); }
    append(k, v) { this.#l.push([Str(k), Str(v)]); this.#c(); }
    delete(k) { this.#l = this.#l.filter((e) => e[0] !== Str(k)); this.#c(); }
    get(k) { const e = this.#l.find((x) => x[0] === Str(k)); return e ? e[1] : null; }
    getAll(k) { return this.#l.filter((e) => e[0] === Str(k)).map((e) => e[1]); }
    has(k) { return this.#l.some((e) => e[0] === Str(k)); }
    set(k, v) { const i = this.#l.findIndex((e) => e[0] === Str(k)); if (i < 0) this.#l.push([Str(k), Str(v)]); else { this.#l[i][1] = Str(v); this.#l = this.#l.filter((e, j) => j <= i || e[0] !== Str(k)); } this.#c(); }
    sort() { this.#l.sort((a, b) => a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0); this.#c(); }
    forEach(f, self) { for (const [k, v] of this.#l) apply(f, self, [v, k, this]); }
    get size() { return this.#l.length; }
    *entries() { for (const [k, v] of this.#l) yield [k, v]; }
    *keys() { for (const [k] of this.#l) yield k; }
    *values() { for (const [, v] of this.#l) yield v; }
    [Symbol.iterator]() { return this.entries(); }
    toString() {
      const enc = (s) => encode(s.toWellFormed()).replace(/%20/g, '+').replace(/[!'()~]/g, (x) => '%' + x.charCodeAt(0).toString(16).toUpperCase());
      return this.#l.map(([k, v]) => enc(k) + '=' + enc(v)).join('&');
    }
  }
  const bad = (s) => { const e = new TypeErr('Invalid URL'); e.code = 'ERR_INVALID_URL'; e.input = s; return e; };
  class URL {
    #p = ''; #u = ''; #w = ''; #h = ''; #port = ''; #path = ''; #q = ''; #f = ''; #sp;
    constructor(input, base) {
      let s = Str(input).trim().replace(/[\t\n\r]/g, '');
      const m = /^([a-zA-Z][a-zA-Z0-9+.\-]*):(.*)$/s.exec(s);
      let rest;
      if (m && !(base !== undefined && special[m[1].toLowerCase() + ':'] !== undefined && !/^[/\\]/.test(m[2]) && new URL(base).protocol === m[1].toLowerCase() + ':')) {
        this.#p = m[1].toLowerCase() + ':'; rest = m[2];
      } else {
        if (base === undefined) throw bad(s);
        const b = new URL(base);
        if (m) s = m[2];
        this.#p = b.#p; this.#u = b.#u; this.#w = b.#w; this.#h = b.#h; this.#port = b.#port;
        if (/^[/\\]{2}/.test(s)) rest = s;
        else {
          const r = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(s);
          let p = r[1].replace(/\\/g, '/');
          this.#q = r[2] !== undefined ? r[2] : p === '' ? b.#q : '';
          this.#f = r[3] || '';
          if (p === '') p = b.#path; else if (p[0] !== '/') p = b.#path.replace(/[^/]*$/, '') + p;
          this.#tidy(p);
          return;
        }
      }
      const sp = special[this.#p] !== undefined;
      if (sp) rest = rest.replace(/^[^?#]*/, (x) => x.replace(/\\/g, '/'));
      if (sp && this.#p !== 'file:') rest = '//' + rest.replace(/^\/+/, '');
      const r = /^(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(rest);
      if (r[1] !== undefined) {
        let a = r[1];
        const at = a.lastIndexOf('@');
        if (at >= 0) { const [u, ...w] = slice(a, 0, at).split(':'); this.#u = u; this.#w = w.join(':'); a = slice(a, at + 1); }
        const hp = /^(\[[0-9a-fA-F:.]+\]|[^:]*)(?::(\d*))?$/.exec(a);
        if (!hp) throw bad(s);
        let h = hp[1];
        if (sp) {
          try { h = decode(h); } catch { throw bad(s); }
          h = h.toLowerCase();
          if (this.#p !== 'file:' && h === '' || /[\s#%/<>?@\\^|]/.test(h) || (h[0] !== '[' && /[[\]:]/.test(h))) throw bad(s);
        }
        this.#h = h;
        if (hp[2]) { if (+hp[2] > 65535) throw bad(s); this.#port = Str(+hp[2]) === special[this.#p] ? '' : Str(+hp[2]); }
      }
      this.#q = r[3] || ''; this.#f = r[4] || '';
      if (sp || r[1] !== undefined) this.#tidy(r[2]); else this.#path = r[2];
      this.#q = this.#q === '?' ? '' : escapeWith(this.#q, querySafe); this.#f = this.#f === '#' ? '' : escapeWith(this.#f, hashSafe);
    }
    #tidy(p) {
      const o = [];
      const parts = p.split('/');
      if (parts[0] === '') parts.shift();
      parts.forEach((seg, i) => {
        const last = i === parts.length - 1;
        const l = seg.toLowerCase();
        if (l === '..' || l === '%2e%2e' || l === '.%2e' || l === '%2e.') { o.pop(); if (last) o.push(''); } else if (l === '.' || l === '%2e') { if (last) o.push(''); } else o.push(seg);
      });
      this.#path = escapeWith('/' + o.join('/'), pathSafe);
    }
    get protocol() { return this.#p; } set protocol(v) { this.#p = Str(v).replace(/:?$/, ':').toLowerCase(); }
    get username() { return this.#u; } get password() { return this.#w; }
    get hostname() { return this.#h; } set hostname(v) { this.#h = Str(v).toLowerCase(); }
    get port() { return this.#port; } set port(v) { this.#port = Str(v) === special[this.#p] ? '' : Str(v); }
    get host() { return this.#h + (this.#port ? ':' + this.#port : ''); }
    get origin() { return special[this.#p] !== undefined && this.#p !== 'file:' ? this.#p + '//' + this.host : 'null'; }
    get pathname() { return this.#path; } set pathname(v) { this.#tidy(Str(v)); }
    get search() { return this.#q; } set search(v) { v = Str(v); this.#q = v === '' || v === '?' ? '' : escapeWith(v[0] === '?' ? v : '?' + v, querySafe); this.#sp = undefined; }
    get hash() { return this.#f; } set hash(v) { v = Str(v); this.#f = v === '' || v === '#' ? '' : escapeWith(v[0] === '#' ? v : '#' + v, hashSafe); }
    get searchParams() {
      if (!this.#sp) {
        const sp = this.#sp = new URLSearchParams(this.#q);
        defineProperty(sp, '_changed', { enumerable: false, value: () => { const s = sp.toString(); this.#q = s ? '?' + s : ''; } });
      }
      return this.#sp;
    }
    get href() {
      const auth = this.#u || this.#w ? this.#u + (this.#w ? ':' + this.#w : '') + '@' : '';
      return this.#p + (special[this.#p] !== undefined || this.#h ? '//' + auth + this.host : '') + this.#path + this.#q + this.#f;
    }
    toString() { return this.href; }
    toJSON() { return this.href; }
    static canParse(u, b) { try { new URL(u, b); return true; } catch { return false; } }
    static parse(u, b) { try { return new URL(u, b); } catch { return null; } }
  }
  const URLC = URL;

  // ---- structuredClone
  const clone = (v, seen) => {
    if (typeof v === 'function' || typeof v === 'symbol') throw new DOMException('a ' + typeof v + ' cannot be cloned', 'DataCloneError');
    if (typeof v !== 'object' || v === null) return v;
    if (seen.has(v)) return seen.get(v);
    let o;
    if (isArray(v)) { o = new Array(v.length); seen.set(v, o); for (const k of keys(v)) o[k] = clone(v[k], seen); return o; }
    if (v instanceof DateC) return new DateC(+v);
    if (v instanceof RegExp) return new RegExp(v.source, v.flags);
    if (v instanceof MapC) { o = new MapC(); seen.set(v, o); for (const [k, x] of v) o.set(clone(k, seen), clone(x, seen)); return o; }
    if (v instanceof SetC) { o = new SetC(); seen.set(v, o); for (const x of v) o.add(clone(x, seen)); return o; }
    if (v instanceof ArrayBuffer) return v.slice(0);
    if (ArrayBuffer.isView(v)) return new v.constructor(v.buffer.slice(v.byteOffset, v.byteOffset + v.byteLength));
    if (v instanceof Err) { o = new Err(v.message); o.name = v.name; return o; }
    if (v instanceof Boolean || v instanceof Num || v instanceof Str) return Object(v.valueOf());
    o = {}; seen.set(v, o);
    for (const k of keys(v)) o[k] = clone(v[k], seen);
    return o;
  };

  // ---- fetch
  class Headers {
    #m = new MapC();
    constructor(init) {
      if (init instanceof Headers) init = [...init];
      if (isArray(init)) for (const [k, v] of init) this.append(k, v);
      else if (init) for (const k of keys(init)) this.append(k, init[k]);
    }
    append(k, v) { k = Str(k).toLowerCase(); this.#m.set(k, this.#m.has(k) ? this.#m.get(k) + ', ' + Str(v) : Str(v)); }
    set(k, v) { this.#m.set(Str(k).toLowerCase(), Str(v)); }
    get(k) { return this.#m.get(Str(k).toLowerCase()) ?? null; }
    has(k) { return this.#m.has(Str(k).toLowerCase()); }
    delete(k) { this.#m.delete(Str(k).toLowerCase()); }
    forEach(f) { for (const [k, v] of this.#m) f(v, k, this); }
    entries() { return this.#m.entries(); } keys() { return this.#m.keys(); } values() { return this.#m.values(); }
    [Symbol.iterator]() { return this.#m.entries(); }
  }
  class Response {
    #t; #b;
    constructor(r) {
      this.status = r.status; this.statusText = r.statusText; this.ok = r.status >= 200 && r.status < 300;
      this.url = r.url; this.redirected = !!r.redirected; this.headers = new Headers(r.headers); this.bodyUsed = false;
      this.#t = r.text; this.#b = r.base64;
    }
    #use() { if (this.bodyUsed) throw new TypeErr('the body was read before'); this.bodyUsed = true; }
    #bytes() { return this.#b !== undefined ? unlatin(atobF(this.#b)) : utf8(this.#t); }
    async text() { this.#use(); return this.#b !== undefined ? fromUTF8(this.#bytes()) : this.#t; }
    async json() { return parse(await this.text()); }
    async arrayBuffer() { this.#use(); return this.#bytes().buffer; }
    async bytes() { this.#use(); return this.#bytes(); }
  }
  const fetch = async (resource, init) => {
    let url = resource;
    if (typeof url === 'object' && url !== null && url instanceof URLC) url = url.href;
    text(url, 'the URL');
    const headers = [];
    let given = option(init, 'headers');
    if (given instanceof Headers) given = [...given];
    if (isArray(given)) for (const p of plain(given, 0)) push(headers, [text(p[0], 'a header'), text(p[1], 'a header')]);
    else if (given) { const h = plain(given, 0); for (const k of keys(h)) push(headers, [k, Str(h[k])]); }
    let body = option(init, 'body');
    let base64 = false;
    if (body instanceof URLSearchParams) { body = body.toString(); push(headers, ['content-type', 'application/x-www-form-urlencoded;charset=UTF-8']); }
    if (body instanceof U8) { body = btoaF(latin(body)); base64 = true; }
    if (body !== undefined && body !== null) text(body, 'the body');
    const method = option(init, 'method');
    const redirect = option(init, 'redirect');
    return new Response(ask('http', [url, { method: method === undefined ? 'GET' : text(method, 'the method'), headers, body: body ?? null, base64, redirect: redirect === undefined ? 'follow' : text(redirect, 'redirect') }]));
  };

  // ---- the bridge
  const state = { args: create(null), env: create(null), dirs: freeze([]) };
  const tgp = create(null);
  const fs = freeze({
    __proto__: null,
    read: async (path, o) => {
      const encoding = option(o, 'encoding');
      return ask('fs.read', [text(path, 'the path'), encoding === undefined ? 'utf8' : text(encoding, 'the encoding')]);
    },
    write: async (path, data, o) => {
      const encoding = option(o, 'encoding');
      const append = option(o, 'append');
      if (append !== undefined && typeof append !== 'boolean') throw new TypeErr('append must be true or false');
      return ask('fs.write', [text(path, 'the path'), text(data, 'the data'), encoding === undefined ? 'utf8' : text(encoding, 'the encoding'), append === true]);
    },
    list: async (path = '.') => ask('fs.list', [text(path, 'the path')]),
    stat: async (path) => ask('fs.stat', [text(path, 'the path')]),
  });
  const params = (p) => { if (p === undefined || p === null) return []; if (typeof p !== 'object') throw new TypeErr('parameters must be an array or an object'); return plain(p, 0); };
  const db = freeze({
    __proto__: null,
    query: async (q, p) => {
      if (typeof q === 'string') return ask('db', [{ name: q, params: params(p) }]);
      const sql = text(option(q, 'sql'), 'sql');
      return ask('db', [{ sql, params: params(p === undefined ? option(q, 'params') : p) }]);
    },
    proxy: async (sql, p, method) => {
      const rows = ask('db', [{ sql: text(sql, 'sql'), params: params(p), rows: true }]);
      return { rows: method === 'get' ? rows[0] : rows };
    },
  });
  const value = (name, v) => defineProperty(tgp, name, { value: v, enumerable: true });
  const getter = (name, get) => defineProperty(tgp, name, { get, enumerable: true });
  getter('args', () => state.args);
  getter('dirs', () => state.dirs);
  value('env', freeze((name) => { const v = state.env[text(name, 'the name')]; return typeof v === 'string' ? v : undefined; }));
  value('log', freeze((...a) => { host('err', line(a)); }));
  value('fs', fs);
  value('db', db);
  value('http', freeze({ __proto__: null, fetch: freeze(fetch) }));
  for (const o of [fs, db]) for (const k of keys(o)) freeze(o[k]);
  freeze(tgp);

  const process = {
    argv: [], env: create(null),
    stdout: freeze({ write: (s) => { host('out', typeof s === 'string' ? s : s instanceof U8 ? fromUTF8(s) : text(s, 'the text')); return true; } }),
    exit: (code = 0) => { host('exit', Str(typeof code === 'number' && code >= 0 && code < 256 ? floor(code) : 1)); },
  };

  const set = (name, v) => defineProperty(globalThis, name, { value: v, writable: true, configurable: true });
  const crypto = freeze({
    getRandomValues: (a) => {
      if (!ArrayBuffer.isView(a)) throw new TypeErr('not a typed array');
      if (a.byteLength > 65536) throw new DOMException('too many bytes', 'QuotaExceededError');
      bytesOf(a).set(unlatin(atobF(host('random', Str(a.byteLength)))));
      return a;
    },
    randomUUID: () => {
      const b = unlatin(atobF(host('random', '16')));
      b[6] = b[6] & 15 | 64; b[8] = b[8] & 63 | 128;
      let s = '';
      for (let i = 0; i < 16; i++) s += (i === 4 || i === 6 || i === 8 || i === 10 ? '-' : '') + (b[i] < 16 ? '0' : '') + b[i].toString(16);
      return s;
    },
  });
  for (const [k, v] of [['console', console], ['process', process], ['URL', URL], ['URLSearchParams', URLSearchParams],
    ['TextEncoder', TextEncoder], ['Buffer', Buffer], ['TextDecoder', TextDecoder], ['structuredClone', (v) => clone(v, new MapC())], ['crypto', crypto],
    ['fetch', fetch], ['Headers', Headers], ['setTimeout', (f, ms, ...a) => later(f, ms, a, false)], ['setInterval', (f, ms, ...a) => later(f, ms, a, true)],
    ['setImmediate', (f, ...a) => later(f, 0, a, false)], ['clearTimeout', clear], ['clearInterval', clear], ['clearImmediate', clear]]) set(k, v);
  if (!globalThis.queueMicrotask) set('queueMicrotask', (f) => { then(PromiseC.resolve(), f); });
  defineProperty(globalThis, 'tgp', { value: tgp });

  // ---- no code from text
  const refuse = function () { const e = new EvalError('no code is made of text here'); e.code = 'EPERM'; throw e; };
  for (const f of [function () {}, async function () {}, function* () {}, async function* () {}]) {
    const proto = getPrototypeOf(f);
    defineProperty(proto, 'constructor', { value: refuse, writable: false, configurable: false });
  }
  // Packages look at Function.prototype and at instances; what is called refuses.
  refuse.prototype = getPrototypeOf(function () {});
  defineProperty(refuse, 'name', { value: 'Function' });
  set('Function', refuse);
  for (const name of ['eval', 'SharedArrayBuffer', 'Atomics', 'WebAssembly', 'gc', 'navigator', '__loadScript', 'bjson', 'std', 'os', 'scriptArgs', 'print']) delete globalThis[name];

  // ---- what the host calls
  const own = (o, k) => { try { const v = o[k]; return typeof v === 'string' ? v : ''; } catch { return ''; } };
  const describe = (e) => {
    if (e instanceof Err || (typeof e === 'object' && e !== null && typeof own(e, 'message') === 'string' && own(e, 'message') !== '')) {
      return { name: own(e, 'name') || 'Error', message: own(e, 'message'), stack: own(e, 'stack'), code: own(e, 'code') };
    }
    let s;
    try { s = show(e, 1, []); } catch { s = 'something that cannot be shown'; }
    return { name: 'Error', message: s, stack: '', code: '' };
  };

  return {
    start: (json) => {
      const s = parse(json);
      const args = create(null);
      for (const k of keys(s.args)) args[k] = s.args[k];
      state.args = freeze(args);
      for (const k of keys(s.env)) { state.env[k] = s.env[k]; process.env[k] = s.env[k]; }
      state.dirs = freeze(s.dirs);
      for (const a of s.argv) push(process.argv, a);
    },
    tick,
    // finish takes the namespace of the module; its answer is a promise of text.
    finish: async (ns) => {
      let v = ns.default;
      if (typeof v === 'function' && !/^class\b/.test(apply(Function_toString, v, []))) v = v(state.args);
      v = await v;
      if (v === undefined) return '';
      let s;
      try { s = stringify(v); } catch (e) { const x = new TypeErr('the result is no JSON: ' + describe(e).message); x.code = 'OUTPUT_INVALID'; throw x; }
      if (s === undefined) { const x = new TypeErr('the result is no JSON: a ' + typeof v); x.code = 'OUTPUT_INVALID'; throw x; }
      return s;
    },
    describe: (e) => stringify(describe(e)),
  };
})()
