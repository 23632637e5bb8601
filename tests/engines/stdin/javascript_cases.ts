/** How JavaScript programs read standard input; the outcomes are those of the native interpreter. */
import type { InputCase } from "./input_case.ts";

/** The programs. */
export const JAVASCRIPT_CASES: readonly InputCase[] = [
  {
    name: "the whole",
    code: "console.log(JSON.stringify(require('fs').readFileSync(0, 'utf8')))",
    stdin: "a\nb\r\nc\rd",
    stdout: '"a\\nb\\r\\nc\\rd"\n',
  },
  {
    name: "the device",
    code:
      "const fs = require('fs'); console.log(fs.readFileSync('/dev/stdin', 'utf8').length, fs.readFileSync(0).length)",
    stdin: "a\nb",
    stdout: "3 0\n",
  },
  {
    name: "bytes",
    code: "console.log(require('fs').readFileSync(0))",
    stdin: "\u00e9\u0000",
    stdout: "<Buffer c3 a9 00>\n",
  },
  {
    name: "readSync",
    code:
      "const fs = require('fs'); const b = Buffer.alloc(4); for (;;) { const n = fs.readSync(0, b, 0, 4, null); if (n === 0) break; console.log(n, b.toString('latin1', 0, n)) }",
    stdin: "abcdefghij",
    stdout: "4 abcd\n4 efgh\n2 ij\n",
  },
  {
    name: "by character, synchronously",
    code:
      "const fs = require('fs'); const b = Buffer.alloc(1); let s = ''; while (fs.readSync(0, b) === 1) s += b[0] + ' '; console.log(s)",
    stdin: "a\u00e9\n",
    stdout: "97 195 169 10 \n",
  },
  {
    name: "asynchronous reads",
    code:
      "const fs = require('fs'); fs.readFile(0, 'utf8', (e, text) => { console.log(e, text); fs.read(0, Buffer.alloc(3), 0, 3, null, (e, n) => console.log(e, n)) })",
    stdin: "abc",
    stdout: "null abc\nnull 0\n",
  },
  {
    name: "promises of fs",
    code: "const fs = require('fs/promises'); fs.readFile('/dev/stdin', 'utf8').then(console.log)",
    stdin: "abc",
    stdout: "abc\n",
  },
  {
    name: "createReadStream",
    code:
      "require('fs').createReadStream('/dev/stdin', 'utf8').on('data', (c) => console.log(JSON.stringify(c))).on('close', () => console.log('close'))",
    stdin: "abc",
    stdout: '"abc"\nclose\n',
  },
  {
    name: "a stream of the descriptor",
    code:
      "require('fs').createReadStream(null, { fd: 0 }).on('data', (c) => console.log(c)).on('end', () => console.log('end'))",
    stdin: "abc",
    stdout: "<Buffer 61 62 63>\nend\n",
  },
  {
    name: "data and end",
    code:
      "let s = ''; process.stdin.on('data', (c) => { s += c }); process.stdin.on('end', () => console.log(JSON.stringify(s)))",
    stdin: "one\ntwo\nthree",
    stdout: '"one\\ntwo\\nthree"\n',
  },
  {
    name: "chunks are buffers",
    code: "process.stdin.on('data', (c) => console.log(c))",
    stdin: "\u00e9",
    stdout: "<Buffer c3 a9>\n",
  },
  {
    name: "setEncoding",
    code: "process.stdin.setEncoding('utf8').on('data', (c) => console.log(typeof c, c))",
    stdin: "\u00e9\ud834\udd1e",
    stdout: "string \u00e9\ud834\udd1e\n",
  },
  {
    name: "setEncoding hex",
    code: "process.stdin.setEncoding('hex').on('data', (c) => console.log(c))",
    stdin: "\u00e9",
    stdout: "c3a9\n",
  },
  {
    name: "readable",
    code:
      "process.stdin.on('readable', () => { let c; while ((c = process.stdin.read()) !== null) console.log(String(c)) }).on('end', () => console.log('end')).on('close', () => console.log('close'))",
    stdin: "abc",
    stdout: "abc\nend\nclose\n",
  },
  {
    name: "read in pieces",
    code:
      "process.stdin.on('readable', () => { let c; while ((c = process.stdin.read(2)) !== null) console.log(String(c)) }).on('end', () => console.log('end'))",
    stdin: "abcd",
    stdout: "ab\ncd\nend\n",
  },
  {
    name: "for await",
    code:
      "(async () => { for await (const c of process.stdin) console.log(String(c)); console.log('done') })()",
    stdin: "one\ntwo\nthree",
    stdout: "one\ntwo\nthree\ndone\n",
  },
  {
    name: "once",
    code:
      "const { once } = require('events'); (async () => { const [c] = await once(process.stdin, 'data'); console.log(String(c)); process.stdin.destroy() })()",
    stdin: "abc",
    stdout: "abc\n",
  },
  {
    name: "pipe",
    code: "process.stdin.pipe(process.stdout)",
    stdin: "a\nb",
    stdout: "a\nb",
  },
  {
    name: "pipeline through a transform",
    code:
      "const { pipeline, Transform } = require('stream'); pipeline(process.stdin, new Transform({ transform(c, _, done) { done(null, String(c).toUpperCase()) } }), process.stdout, () => {})",
    stdin: "abc\n",
    stdout: "ABC\n",
  },
  {
    name: "consumers",
    code:
      "require('stream/consumers').text(process.stdin).then((t) => console.log(JSON.stringify(t)))",
    stdin: "\u00e9\nb",
    stdout: '"\u00e9\\nb"\n',
  },
  {
    name: "consumers.json",
    code: "require('stream/consumers').json(process.stdin).then(console.log)",
    stdin: '{"a":[1]}',
    stdout: "{ a: [ 1 ] }\n",
  },
  {
    name: "readline: lines",
    code:
      "const rl = require('readline').createInterface({ input: process.stdin }); rl.on('line', (l) => console.log(JSON.stringify(l))); rl.on('close', () => console.log('close'))",
    stdin: "a\r\nb\rc\n\nd\u2028e",
    stdout: '"a"\n"b"\n"c"\n""\n"d\u2028e"\nclose\n',
  },
  {
    name: "readline: for await",
    code:
      "(async () => { for await (const l of require('readline').createInterface({ input: process.stdin, crlfDelay: Infinity })) console.log(l); console.log('done') })()",
    stdin: "one\ntwo\nthree",
    stdout: "one\ntwo\nthree\ndone\n",
  },
  {
    name: "readline: questions",
    code:
      "const rl = require('readline').createInterface({ input: process.stdin, output: process.stdout }); rl.question('a? ', (a) => { rl.question('b? ', (b) => { console.log(a + b); rl.close() }) }); rl.on('close', () => console.log('bye'))",
    stdin: "x\ny\nz\n",
    stdout: "a? b? xy\nbye\n",
  },
  {
    name: "readline: a prompt",
    code:
      "const rl = require('readline').createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' }); rl.prompt(); rl.on('line', (l) => { console.log('[' + l + ']'); rl.prompt() }).on('close', () => console.log('bye'))",
    stdin: "a\nb\n",
    stdout: "> [a]\n> [b]\n> bye\n",
  },
  {
    name: "readline: lines collected",
    code:
      "const lines = []; require('readline').createInterface({ input: process.stdin }).on('line', (l) => lines.push(l)).on('close', () => { const [n, ...rest] = lines.map(Number); console.log(n, rest.reduce((a, b) => a + b)) })",
    stdin: "3\n1\n2\n3",
    stdout: "3 6\n",
  },
  {
    name: "readline: the iterator by hand",
    code:
      "const it = require('readline').createInterface({ input: process.stdin })[Symbol.asyncIterator](); (async () => { const n = Number((await it.next()).value); let s = 0; for (let i = 0; i < n; i++) s += Number((await it.next()).value); console.log(s, await it.next()) })()",
    stdin: "2\n3\n4",
    stdout: "7 { value: undefined, done: true }\n",
  },
  {
    name: "readline: a loop that breaks off",
    code:
      "const rl = require('readline').createInterface({ input: process.stdin }); (async () => { for await (const l of rl) { console.log(l); break } for await (const l of rl) console.log('then', l) })()",
    stdin: "one\ntwo\n",
    stdout: "one\nthen two\n",
  },
  {
    name: "readline: use after the end",
    code:
      "const rl = require('readline').createInterface({ input: process.stdin }); rl.on('line', () => {}).on('close', () => { try { rl.question('?', () => {}) } catch (e) { console.log(e.code) } })",
    stdin: "a\n",
    stdout: "ERR_USE_AFTER_CLOSE\n",
  },
  {
    name: "readline/promises: a question",
    code:
      "const rl = require('readline/promises').createInterface({ input: process.stdin, output: process.stdout }); (async () => { console.log('[' + await rl.question('a? ') + ']'); rl.close() })()",
    stdin: "x\n",
    stdout: "a? [x]\n",
  },
  {
    name: "what it is",
    code:
      "const fs = require('fs'); console.log(process.stdin.isTTY, require('tty').isatty(0), process.stdin.fd, fs.fstatSync(0).isFIFO(), fs.statSync('/dev/stdin').isFIFO(), typeof process.stdin.setRawMode, process.stdin.readable)",
    stdin: "x",
    stdout: "undefined false 0 true true undefined true\n",
  },
  {
    name: "it does not seek",
    code:
      "try { require('fs').readSync(0, Buffer.alloc(1), 0, 1, 0) } catch (e) { console.log(e.code, e.syscall) }",
    stdin: "x",
    stdout: "ESPIPE read\n",
  },
  {
    name: "nothing is left",
    code:
      "const fs = require('fs'); fs.readFileSync(0); console.log(fs.readFileSync(0, 'utf8') === '', fs.readSync(0, Buffer.alloc(3)))",
    stdin: "x",
    stdout: "true 0\n",
  },
  {
    name: "synchronous first, then the stream",
    code:
      "console.log(require('fs').readSync(0, Buffer.alloc(2))); process.stdin.on('data', (c) => console.log(String(c))).on('end', () => console.log('end'))",
    stdin: "abcd",
    stdout: "2\ncd\nend\n",
  },
  {
    name: "BOM, NUL and astral text",
    code: "process.stdin.setEncoding('utf8').on('data', (c) => console.log(JSON.stringify(c)))",
    stdin: "\ufeffa\u0000\ud83d\ude00\u2028\u0085",
    stdout: '"\ufeffa\\u0000\ud83d\ude00\u2028\u0085"\n',
  },
];

/** Where Node would drop lines that nobody listens for yet, or knows no such program. */
export const JAVASCRIPT_OWN_CASES: readonly InputCase[] = [
  {
    name: "readline: a question whose answer has no end of line",
    code:
      "const rl = require('readline').createInterface({ input: process.stdin }); rl.question('', (a) => { console.log(a); rl.close() })",
    stdin: "x",
    stdout: "x\n",
  },
  {
    name: "readline/promises: one question after the other",
    code:
      "const rl = require('readline/promises').createInterface({ input: process.stdin, output: process.stdout })\nconst a = await rl.question('a? ')\nconst b = await rl.question('b? ')\nrl.close()\nconsole.log(a + b)",
    stdin: "x\ny",
    stdout: "a? b? xy\n",
  },
  {
    name: "readline: lines that come before the loop",
    code:
      "const rl = require('readline').createInterface({ input: process.stdin })\nawait new Promise((done) => setTimeout(done, 5))\nfor await (const line of rl) console.log(line)",
    stdin: "x\ny",
    stdout: "x\ny\n",
  },
  {
    name: "top-level for await",
    code:
      "let s = ''\nfor await (const chunk of process.stdin) s += chunk\nconsole.log(s.split('\\n').length)",
    stdin: "x\ny",
    stdout: "2\n",
  },
  {
    name: "modules imported",
    code:
      "import { readFileSync } from 'node:fs'\nimport { stdin } from 'node:process'\nconsole.log(readFileSync(stdin.fd, 'utf8'))",
    stdin: "x",
    stdout: "x\n",
  },
  {
    name: "TypeScript",
    code:
      "const lines: string[] = require('fs').readFileSync(0, 'utf8').split('\\n')\nconsole.log(lines.length as number)",
    stdin: "x\ny",
    stdout: "2\n",
  },
];
