import { testContexts } from "./engine_contexts.ts";

const text = (value: string) => JSON.stringify(value);

testContexts("javascript", {
  survivors: [
    {
      name: "closures",
      make: "let n = 40; const up = () => ++n; const pair = { up, get n() { return n } }; up(); 0",
      probe: "[up(), pair.n]",
      first: "[42,42]",
      second: "[43,43]",
    },
    {
      name: "classes and instances with private fields",
      make:
        `class Base { static made = 0; #x = 1; constructor() { Base.made++ } get x() { return this.#x++ } }
        class Sub extends Base { name = 'sub'; [Symbol.toPrimitive]() { return 7 } } const a = new Sub(); 0`,
      probe: "[a.x, Base.made, a instanceof Base, a.name, +a, new Sub() instanceof Sub]",
      first: '[1,1,true,"sub",7,true]',
      second: '[2,2,true,"sub",7,true]',
    },
    {
      name: "generators in mid-flight",
      make:
        `let ended = []; function* walk() { try { for (const x of [1, 2, 3, 4]) { const y = yield x * 10; ended.push(y) } } finally { ended.push('end') } }
        const g = walk(); g.next(); 0`,
      probe: "[g.next('a').value, ended.length]",
      first: "[20,1]",
      second: "[30,2]",
    },
    {
      name: "pending promises and async functions",
      make:
        `let open; let gate = new Promise((r) => { open = r }); const twice = gate.then((v) => v * 2);
        let calls = 0; async function waits() { const v = await gate; calls++; return [v, calls] } const w = waits(); 0`,
      probe: "open(21); [await twice, ...await w, ...await waits()]",
      first: "[42,21,1,21,2]",
      second: "[42,21,1,21,3]",
    },
    {
      name: "async generators",
      make:
        "const turns = (async function* () { let n = 0; while (true) yield ++n })(); await turns.next(); 0",
      probe: "(await turns.next()).value",
      first: "2",
      second: "3",
    },
    {
      name: "compiled regular expressions",
      make: "const re = /(?<word>a+)b?/giy; re.exec('aabA'); 0",
      probe: "[re.lastIndex, re.exec('aabAab')?.groups.word ?? null, re.flags]",
      first: '[3,"Aa","giy"]',
      second: '[6,null,"giy"]',
    },
    {
      name: "iterators over maps, sets and strings",
      make:
        `const m = new Map([[1, 'a'], [2, 'b'], [3, 'c']]); const entries = m.entries(); entries.next();
        const s = 'äö𝄞x'[Symbol.iterator](); s.next(); s.next(); 0`,
      probe: "m.set(9, 'z'); [entries.next().value, s.next().value]",
      first: '[[2,"b"],"𝄞"]',
      second: '[[3,"c"],"x"]',
    },
    {
      name: "hashes half done",
      make: "const h = require('crypto').createHash('sha256'); h.update('ab'); 0",
      probe: "h.copy().update('c').digest('hex').slice(0, 16)",
      first: "'ba7816bf8f01cfea'",
      second: "'ba7816bf8f01cfea'",
    },
    {
      name: "values of every kind",
      make:
        `const key = Symbol('k'); const weak = new WeakMap(); const held = {}; weak.set(held, 5);
        const all = { big: 2n ** 70n, date: new Date(0), bytes: new Uint8Array([1, 2]), f: new Float64Array([0.1]), [key]: 1, nan: NaN };
        const proxy = new Proxy({}, { get: (_, name) => name + '!' }); all.self = all; let count = 0; 0`,
      probe:
        "[String(all.big), +all.date, all.bytes[1], all.f[0], all[key], all.nan, proxy.x, weak.get(held), all.self === all, ++count]",
      first: '["1180591620717411303424",0,2,0.1,1,null,"x!",5,true,1]',
      second: '["1180591620717411303424",0,2,0.1,1,null,"x!",5,true,2]',
    },
    {
      name: "modules and their listeners",
      make:
        "const { EventEmitter } = require('events'); const e = new EventEmitter(); let got = 0; e.on('x', (v) => { got += v }); 0",
      probe: "e.emit('x', 5); got",
      first: "5",
      second: "10",
    },
    {
      name: "large strings and arrays",
      make:
        "let big = 'x'.repeat(3e6) + 'end'; let list = Array.from({ length: 50000 }, (_, i) => ({ i })); 0",
      probe: "list.push({ i: 1 }); [big.length, big.slice(-3), list.length, list[49999].i]",
      first: '[3000003,"end",50001,49999]',
      second: '[3000003,"end",50002,49999]',
    },
  ],
  define: "let v = 1; v",
  increment: "v += 1; v",
  changeThenLoop: "v = 100; for (;;);",
  changeThenWrite: "v = 100; for (;;) console.log('x')",
  incrementThenFail: "v += 1; throw new Error('x')",
  incrementThenLong: "v += 1; 'x'.repeat(2000)",
  noise: "v = 100; const noise = require('crypto').randomBytes(300000); 1",
  random: "Math.random()",
  fill: (mark) =>
    `let kept = []; for (let i = 0; i < 200; i++) kept.push('${mark}'.split('').join('') + i);
    const bytes = Buffer.from('${mark}'.repeat(3000)); require('fs').writeFileSync('c.txt', '${mark}'); kept.length`,
  enter: "const fs = require('fs'); fs.mkdirSync('d'); process.chdir('d'); 1",
  where: "process.cwd()",
  write: (path, value) => `require('fs').writeFileSync(${text(path)}, ${text(value)});`,
  remove: (path) => `require('fs').unlinkSync(${text(path)});`,
  makeDirectory: (path) => `require('fs').mkdirSync(${text(path)});`,
  removeDirectory: (path) => `require('fs').rmdirSync(${text(path)});`,
  setTime: (path, seconds) => `require('fs').utimesSync(${text(path)}, ${seconds}, ${seconds})`,
  tree:
    `const list = (dir) => require('fs').readdirSync('/workspace/' + dir).sort().flatMap((name) => {
      const path = dir + name, at = '/workspace/' + path, stat = require('fs').statSync(at);
      return stat.isDirectory() ? [[path, null, stat.mtimeMs / 1000], ...list(path + '/')]
        : [[path, require('fs').readFileSync(at, 'utf8'), stat.mtimeMs / 1000]];
    }); list('')`,
});
