/** Hostile runs in a context of JavaScript. */
import type { ContextCase, ContextWords } from "./case.ts";

const fs = "var fs = require('fs');";

const LIMITS: readonly ContextCase[] = [
  {
    name: "endless loop after changes",
    runs: [`canary = 1; ${fs} fs.writeFileSync('safe.txt', 'x'); while (true) {}`],
    outcome: "rolled back",
    message: /Fuel limit/,
  },
  {
    name: "sleeping past the wall clock",
    runs: ["canary = 1; await new Promise((done) => setTimeout(done, 1e6))"],
    outcome: "rolled back",
    message: /Wall clock limit/,
  },
  {
    name: "writing without end",
    runs: ["canary = 1; for (;;) console.log('x'.repeat(1000))"],
    outcome: "rolled back",
    message: /Output limit/,
  },
  {
    name: "memory without end",
    runs: ["globalThis.hoard = []; for (;;) hoard.push(new Uint8Array(1 << 20).fill(1))"],
    outcome: "any",
  },
  { name: "recursion", runs: ["function f() { return f() + 1 } f()"], outcome: "any" },
  {
    name: "40 MiB of noise",
    runs: [
      "var noise = Buffer.alloc(40 << 20); for (let i = 0; i < 40 << 20; i += 65536) crypto.getRandomValues(noise.subarray(i, i + 65536)); 1",
    ],
    outcome: "rolled back",
    message: /Snapshot limit/,
  },
  {
    name: "40 MiB of one byte",
    runs: ["var same = new Uint8Array(40 << 20).fill(7); 1", "delete globalThis.same; same = 0"],
    outcome: "kept",
  },
];

const FILES: readonly ContextCase[] = [
  {
    name: "more files than there can be",
    runs: [`${fs} for (let i = 0; i < 5000; i++) fs.writeFileSync('f' + i, 'x')`],
    outcome: "failed",
  },
  {
    name: "as many files as there can be, then none",
    runs: [
      `${fs} for (let i = 0; i < 4095; i++) fs.writeFileSync('f' + i, '' + i); 1`,
      `for (let i = 0; i < 4095; i++) fs.unlinkSync('f' + i); 1`,
    ],
    outcome: "kept",
  },
  {
    name: "directories as deep as they go, and the working directory in them",
    runs: [
      `${fs} for (let i = 0; i < 600; i++) { fs.mkdirSync('d'); process.chdir('d') }`,
      "process.cwd().length; process.chdir('/workspace'); 1",
    ],
    outcome: "kept",
  },
  {
    name: "16 MiB of files, and one byte more",
    runs: [
      `${fs} for (let i = 0; i < 3; i++) fs.writeFileSync('big' + i, Buffer.alloc(4 << 20, i)); fs.writeFileSync('big3', Buffer.alloc((4 << 20) - 4)); 1`,
      "fs.writeFileSync('more', 'xx')",
    ],
    outcome: "failed",
  },
  {
    name: "names of every kind",
    runs: [
      `${fs} for (const name of ['a\\nb', '\\u0001', '__proto__', 'constructor', '\\ufeff', 'é', 'e\\u0301', '\\\\', '"', ' ', '...', '\\u202e', '😀'.repeat(63)]) { fs.mkdirSync(name); fs.writeFileSync(name + '/' + name, name) } fs.readdirSync('.').length`,
    ],
    outcome: "kept",
  },
  {
    name: "files become directories and back",
    runs: [
      `${fs} fs.writeFileSync('t', 'x'); fs.mkdirSync('u'); 1`,
      "fs.unlinkSync('t'); fs.mkdirSync('t/in', { recursive: true }); fs.rmdirSync('u'); fs.writeFileSync('u', 'x'); 1",
      "fs.rmSync('t', { recursive: true }); fs.writeFileSync('t', 'y'); fs.readFileSync('t', 'utf8')",
    ],
    outcome: "kept",
  },
  {
    name: "modes, and the time of the last day",
    runs: [
      `${fs} fs.writeFileSync('m', 'x'); try { fs.chmodSync('m', 0) } catch {} fs.utimesSync('m', 8e15, 8e15); 1`,
      "fs.readFileSync('m', 'utf8')",
    ],
    outcome: "any",
  },
  {
    name: "handles in globals",
    runs: [
      `${fs} globalThis.handles = []; for (let i = 0; i < 100; i++) handles.push(fs.openSync('h' + i, 'w')); fs.writeSync(handles[0], 'x'); 1`,
      "let failed = 0; for (const h of handles) try { fs.writeSync(h, 'y') } catch { failed++ } failed",
    ],
    outcome: "kept",
  },
  {
    name: "the workspace taken away",
    runs: [
      `${fs} process.chdir('/workspace'); try { fs.rmSync('/workspace', { recursive: true, force: true }) } catch {} fs.writeFileSync('/workspace/safe.txt', 'safe'); 1`,
    ],
    outcome: "any",
  },
];

const POISON: readonly ContextCase[] = [
  {
    name: "timers, intervals and promises left pending",
    runs: [
      "globalThis.t = setInterval(() => console.log('tick'), 1).unref(); globalThis.p = new Promise(() => {}); 1",
      "globalThis.q = []; for (let i = 0; i < 10000; i++) q.push(setTimeout(() => {}, 1e9).unref()); 1",
    ],
    outcome: "any",
  },
  {
    name: "generators that never end",
    runs: [
      "globalThis.gens = []; for (let i = 0; i < 1000; i++) { const g = (function* () { try { for (;;) yield 1 } finally { for (;;) yield 2 } })(); g.next(); gens.push(g) } 1",
      "gens.reduce((sum, g) => sum + g.next().value, 0)",
    ],
    outcome: "kept",
  },
  {
    name: "built-ins replaced by what throws",
    runs: [
      "for (const o of [Array, Object, String, Promise, Map, Set, JSON, Reflect, Function]) for (const t of [o, o.prototype]) if (t) for (const k of Reflect.ownKeys(t)) try { if (k !== 'constructor' && k !== 'prototype') t[k] = () => { throw 1 } } catch {} 1",
    ],
    outcome: "any",
  },
  {
    name: "setters and getters on every prototype",
    runs: [
      "for (const k of ['get', 'set', 'value', 'env', 'cwd', 'then', 'kind', 'name', 'line', '0', 'length', 'writable', 'toJSON']) Object.defineProperty(Object.prototype, k, { get() { for (;;); }, set() { for (;;); }, configurable: true }); 1",
    ],
    outcome: "any",
    losesVariable: true,
  },
  {
    name: "every global deleted",
    runs: [
      "for (const k of Reflect.ownKeys(globalThis)) if (k !== 'canary') try { delete globalThis[k] } catch {} 1",
    ],
    outcome: "any",
    losesVariable: true,
  },
  {
    name: "the global object frozen",
    runs: ["Object.freeze(globalThis); 1"],
    outcome: "any",
  },
  {
    name: "process and its streams replaced",
    runs: [
      "process.stdout.write = process.stderr.write = () => { throw 1 }; process.exit = process.cwd = process.emit = () => { for (;;); }; process.on('exit', () => { for (;;); }); 1",
    ],
    outcome: "any",
    losesVariable: true,
  },
  {
    name: "handlers of what nobody caught, which throw",
    runs: [
      "process.on('uncaughtException', () => { throw new Error('again') }); process.on('exit', () => { throw 2 }); throw 1",
    ],
    outcome: "any",
    losesVariable: true,
  },
  {
    name: "finalizers that never end",
    runs: [
      "globalThis.reg = new FinalizationRegistry(() => { for (;;); }); for (let i = 0; i < 100; i++) reg.register({}, i); 1",
    ],
    outcome: "any",
    losesVariable: true,
  },
];

export const JAVASCRIPT_CONTEXT: ContextWords = {
  make: "var canary = 41; require('fs').writeFileSync('safe.txt', 'safe'); canary",
  show: "[canary, require('fs').readFileSync('/workspace/safe.txt', 'utf8')]",
  alive: "1",
  count: "globalThis.runs = (globalThis.runs ?? 0) + 1; runs",
  cases: [...LIMITS, ...FILES, ...POISON],
};
