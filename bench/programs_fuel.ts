/**
 * Programs that use up their fuel, each by repeating one operation that might cost a host or
 * processor more than its price in fuel: `bench/fuel.ts` measures them.
 *
 * @module
 */
import type { BundledLanguage as Language } from "../shared/languages.ts";
import { DISPLAY_PROGRAMS } from "./programs_displays.ts";
import { MEMORY_PROGRAMS } from "./programs_memory.ts";

/** Name of the program that the others are compared with. */
export const EMPTY_LOOP = "empty loop";

const JAVASCRIPT = {
  [EMPTY_LOOP]: "for (;;) ;",
  "slice 8 MiB": "const b = new Uint8Array(1 << 23); for (;;) b.slice();",
  "slice 1 MiB": "const b = new Uint8Array(1 << 20); for (;;) b.slice();",
  "slice 256 KiB": "const b = new Uint8Array(1 << 18); for (;;) b.slice();",
  "slice 64 KiB": "const b = new Uint8Array(1 << 16); for (;;) b.slice();",
  "slice 4 KiB": "const b = new Uint8Array(1 << 12); for (;;) b.slice();",
  "fill 16 MiB": "const b = new Uint8Array(1 << 24); for (;;) b.fill(7);",
  "copyWithin 8 MiB": "const b = new Uint8Array(1 << 24); for (;;) b.copyWithin(1, 0, 1 << 23);",
  "new ArrayBuffer(16 MiB)": "for (;;) new ArrayBuffer(1 << 24);",
  "string + 8 MiB": "const s = 'a'.repeat(1 << 23); for (;;) (s + 'b').charCodeAt(5);",
  "repeat 8 MiB": "for (;;) 'a'.repeat(1 << 23);",
  "array spread": "const a = new Array(1 << 19).fill(1); for (;;) [...a];",
  "array concat": "const a = new Array(1 << 20).fill(1); for (;;) a.concat(a);",
  "array sort":
    "const a = Array.from({ length: 1e5 }, (_, i) => (i * 7919) % 1e5); for (;;) a.slice().sort();",
  "array walk":
    "const n = 3 << 17, a = []; for (let i = 0; i < n; i++) a.push({ i }); let x = 1; for (;;) { x = (x * 1103515245 + 12345) >>> 0; a[x % n].i++; }",
  "buffer walk":
    "const n = 48 << 18, a = new Uint32Array(n); let x = 1; for (;;) { x = (x * 1103515245 + 12345) >>> 0; a[x % n]++; }",
  "JSON":
    "const t = JSON.stringify(Array.from({ length: 1e5 }, (_, i) => [i])); for (;;) JSON.parse(t);",
  "structuredClone":
    "const a = Array.from({ length: 1e4 }, (_, i) => ({ i })); for (;;) structuredClone(a);",
  "regular expression": "const s = 'ab'.repeat(1e5); for (;;) s.replace(/b/g, 'c');",
  "BigInt": "const a = 3n ** 200000n; for (;;) a * a;",
  "denormals": "let x = 5e-324; for (;;) x = (x * 1.5) / 1.4999;",
  "maps": "for (;;) { const m = new Map(); for (let i = 0; i < 1e5; i++) m.set(i * 7919, i); }",
  "collect garbage":
    "const k = []; for (let i = 0; i < 3e5; i++) k.push({}); for (;;) { const a = {}; a.a = a; }",
  "write 1 byte": "for (;;) process.stdout.write('x');",
  "console.log": "for (;;) console.log('x');",
  "Intl.NumberFormat": "const f = new Intl.NumberFormat('de'); for (;;) f.format(1234.5);",
  "new Intl.DateTimeFormat":
    "for (let i = 0;; i++) new Intl.DateTimeFormat('de', { minimumIntegerDigits: 1 + i % 20 }).format(0);",
  "Intl, many":
    "const l = ['de','fr','ja','ar','hi','th','zh','ru','ko','he']; for (let i = 0;; i++) new Intl.NumberFormat(l[i % 10], { minimumFractionDigits: i % 17 }).format(i);",
  "Intl range":
    "const f = new Intl.DateTimeFormat('en'); for (let i = 0;; i++) f.formatRange(0, i * 1e9);",
  "Intl segments":
    "const s = new Intl.Segmenter('th', { granularity: 'word' }), t = 'สวัสดีชาวโลก'.repeat(50); for (;;) [...s.segment(t)];",
  "collate": "const a = 'é'.repeat(1000); for (;;) a.localeCompare(a + 'b');",
  "normalize": "const a = 'é'.repeat(100000); for (;;) a.normalize('NFD');",
  "SHA-256, small":
    "const { createHash } = require('crypto'); for (;;) createHash('sha256').update('a').digest();",
  "SHA-512, 4 MiB":
    "const { createHash } = require('crypto'); const b = Buffer.alloc(1 << 22); for (;;) createHash('sha512').update(b).digest();",
  "SHA-1, 4 MiB":
    "const { createHash } = require('crypto'); const b = Buffer.alloc(1 << 22); for (;;) createHash('sha1').update(b).digest();",
  "AES-CBC, 1 MiB":
    "const c = require('crypto'); const k = Buffer.alloc(16), b = Buffer.alloc(1 << 20); for (;;) c.createCipheriv('aes-128-cbc', k, k).update(b);",
  "PBKDF2": "const c = require('crypto'); for (;;) c.pbkdf2Sync('a', 'b', 1000, 32, 'sha256');",
  "scrypt": "const c = require('crypto'); for (;;) c.scryptSync('a', 'b', 32);",
  "randomUUID": "for (;;) crypto.randomUUID();",
  "getRandomValues 64 KiB": "const b = new Uint8Array(65536); for (;;) crypto.getRandomValues(b);",
  "getRandomValues 1 byte": "const b = new Uint8Array(1); for (;;) crypto.getRandomValues(b);",
  "Math.random": "for (;;) Math.random();",
  "TextEncoder, small": "const e = new TextEncoder(); for (;;) e.encode('a');",
  "TextEncoder, 4 MiB":
    "const e = new TextEncoder(), s = 'é'.repeat(1 << 21); for (;;) e.encode(s);",
  "TextDecoder, 4 MiB":
    "const d = new TextDecoder(), b = new Uint8Array(1 << 22).fill(65); for (;;) d.decode(b);",
  "TextDecoder, broken":
    "const d = new TextDecoder(), b = new Uint8Array(1 << 20).fill(255); for (;;) d.decode(b);",
  "btoa 1 MiB": "const s = 'a'.repeat(1 << 20); for (;;) btoa(s);",
  "atob 1 MiB": "const s = btoa('a'.repeat(1 << 20)); for (;;) atob(s);",
  "Buffer hex": "const b = Buffer.alloc(1 << 18); for (;;) b.toString('hex');",
  "Date": "for (;;) new Date(2020, 1, 1).getTimezoneOffset();",
  "Date.now": "for (;;) Date.now();",
  "performance.now": "for (;;) performance.now();",
  "Date text": "for (;;) new Date().toString();",
  "new Error": "for (;;) new Error('x').stack;",
  "thrown TypeError": "for (;;) { try { undefined.x(); } catch (e) { e.message; } }",
  "eval": "for (;;) (0, eval)('1 + 1');",
  "new Function": "for (;;) new Function('a', 'return a');",
  "memoryUsage": "for (;;) process.memoryUsage();",
  "chdir": "for (;;) process.chdir('/workspace');",
  "fs.stat": "const fs = require('fs'); for (;;) fs.existsSync('/tmp');",
  "fs.stat, long":
    "const fs = require('fs'); const p = '/x'.repeat(400); for (;;) fs.existsSync(p);",
  "fs.stat, deep":
    "const fs = require('fs'); const p = '/workspace' + '/a'.repeat(480); fs.mkdirSync(p, { recursive: true }); for (;;) fs.statSync(p);",
  "fs.stat, dots": "const fs = require('fs'); const p = '/.'.repeat(500); for (;;) fs.statSync(p);",
  "fs.stat, other letters":
    "const fs = require('fs'); const p = '/workspace/' + 'é'.repeat(500); for (;;) fs.existsSync(p);",
  "fs.writeFile 4 MiB":
    "const fs = require('fs'); const b = Buffer.alloc(1 << 22); for (;;) fs.writeFileSync('a', b);",
  "fs.readFile 4 MiB":
    "const fs = require('fs'); fs.writeFileSync('a', Buffer.alloc(1 << 22)); for (;;) fs.readFileSync('a');",
  "fs.readFile utf8":
    "const fs = require('fs'); fs.writeFileSync('a', Buffer.alloc(1 << 22, 'é')); for (;;) fs.readFileSync('a', 'utf8');",
  "fs.readFile base64":
    "const fs = require('fs'); fs.writeFileSync('a', Buffer.alloc(1 << 22)); for (;;) fs.readFileSync('a', 'base64');",
  "fs.copyFile 4 MiB":
    "const fs = require('fs'); fs.writeFileSync('a', Buffer.alloc(1 << 22)); for (;;) fs.copyFileSync('a', 'b');",
  "fs.truncate 4 MiB":
    "const fs = require('fs'); fs.writeFileSync('a', ''); for (;;) { fs.truncateSync('a', 1 << 22); fs.truncateSync('a', 0); }",
  "fs.append 1 byte":
    "const fs = require('fs'); const f = fs.openSync('a', 'a'); for (let i = 0;; i++) { fs.writeSync(f, 'x'); if (i % 1e6 === 0) fs.ftruncateSync(f, 0); }",
  "fs.readdir 4,000":
    "const fs = require('fs'); for (let i = 0; i < 4000; i++) fs.writeFileSync('f' + i, ''); for (;;) fs.readdirSync('.');",
  "fs.readdir, changed":
    "const fs = require('fs'); for (let i = 0; i < 4000; i++) fs.writeFileSync('f' + i, ''); for (;;) { fs.writeFileSync('g', ''); fs.readdirSync('.'); fs.unlinkSync('g'); }",
  "fs.mkdir, rmdir": "const fs = require('fs'); for (;;) { fs.mkdirSync('d'); fs.rmdirSync('d'); }",
  "fs.rename, large":
    "const fs = require('fs'); fs.mkdirSync('d'); for (let i = 0; i < 4000; i++) fs.writeFileSync('d/f' + i, ''); for (;;) { fs.renameSync('d', 'longer'); fs.renameSync('longer', 'd'); }",
  "require":
    "const fs = require('fs'); fs.writeFileSync('m.js', 'module.exports = 1;'); for (;;) { delete require.cache['/workspace/m.js']; require('./m.js'); }",
  "promises": "for (;;) await null;",
  "timers": "const f = () => setTimeout(f, 0); f();",
  "immediates": "const f = () => setImmediate(f); f();",
};

const PYTHON = {
  [EMPTY_LOOP]: "while True: pass",
  "bytearray 64 MiB": "x = bytes(64 << 20)\nwhile True: bytearray(x)",
  "bytearray 1 MiB": "x = bytes(1 << 20)\nwhile True: bytearray(x)",
  "bytearray 256 KiB": "x = bytes(1 << 18)\nwhile True: bytearray(x)",
  "bytearray 64 KiB": "x = bytes(1 << 16)\nwhile True: bytearray(x)",
  "bytearray 16 KiB": "x = bytes(1 << 14)\nwhile True: bytearray(x)",
  "bytearray 4 KiB": "x = bytes(1 << 12)\nwhile True: bytearray(x)",
  "array[:]": "import array\na = array.array('I', bytes(64 << 20))\nwhile True: a[:]",
  "str + b": "s = 'a' * (60 << 20)\nwhile True: s + 'b'",
  "zeroblob":
    "import sqlite3\nc = sqlite3.connect(':memory:')\nwhile True: c.execute('select length(hex(zeroblob(20000000)))').fetchall()",
  "zeroblob, only":
    "import sqlite3\nc = sqlite3.connect(':memory:')\nwhile True: c.execute('select zeroblob(50000000)').fetchall()",
  "sqlite":
    "import sqlite3\nc = sqlite3.connect(':memory:')\nwhile True: c.execute('with recursive t(x) as (select 1 union all select x + 1 from t limit 100000) select sum(x) from t').fetchall()",
  "memoryview, overlapping": "m = memoryview(bytearray(64 << 20))\nwhile True: m[1:] = m[:-1]",
  "memoryview, 1 MiB": "m = memoryview(bytearray(1 << 20))\nwhile True: m[1:] = m[:-1]",
  "bytes(n)": "while True: bytes(100 << 20)",
  "bytes * n": "while True: b'ab' * (30 << 20)",
  "bytes.translate": "t = bytes(range(256))\nx = bytes(16 << 20)\nwhile True: x.translate(t)",
  "bytes.find": "x = bytes(64 << 20)\nwhile True: x.find(b'a')",
  "bytes.count": "x = bytes(64 << 20)\nwhile True: x.count(b'a')",
  "bytes ==": "x = bytes(64 << 20)\ny = bytes(64 << 20)\nwhile True: x == y",
  "list copy": "x = [0] * (10 << 20)\nwhile True: x[:]",
  "list of objects, copy": "x = [float(i) for i in range(2 << 20)]\nwhile True: x[:]",
  "sort": "import random\nx = [random.random() for _ in range(200000)]\nwhile True: sorted(x)",
  "objects walk":
    "import random\nx = [float(i) for i in range(4 << 20)]\nrandom.shuffle(x)\nwhile True: sum(x)",
  "buffer walk":
    "import array\nn = 40 << 20\na = array.array('I', bytes(4)) * n\nx = 1\nwhile True:\n  x = (x * 1103515245 + 12345) & 0xffffffff\n  a[x % n]",
  "dict walk":
    "d = {i * 7919: i for i in range(1 << 20)}\nk = list(d)\nimport random\nrandom.shuffle(k)\nwhile True:\n  for i in map(d.__getitem__, k): pass",
  "sets":
    "a = set(range(0, 1 << 23, 8))\nb = set(i * i for i in range(1 << 19))\nwhile True: a & b",
  "join": "x = [bytes([i % 256]) * 600 for i in range(100000)]\nwhile True: b''.join(x)",
  "all of memory, once": "x = bytearray(200 << 20)",
  "pointer chase":
    "import random, itertools, operator\nn = 1 << 21\nx = [[] for _ in range(n)]\nrandom.shuffle(x)\ny = map(len, x)\nwhile True: sum(map(len, x))",
  "collect garbage": "import gc\nx = [[] for _ in range(1 << 20)]\nwhile True: gc.collect()",
  "int": "x = 3 ** 200000\nwhile True: x * x",
  "division": "x = 3 ** 20000\ny = 7 ** 5000\nwhile True: x // y",
  "denormals": "x = [5e-324] * 100000\nimport math\nwhile True: math.fsum(x), math.prod(x), sum(x)",
  "zlib": "import zlib\nx = bytes(range(256)) * 4096\nwhile True: zlib.compress(x)",
  "sha256": "import hashlib\nx = bytes(1 << 22)\nwhile True: hashlib.sha256(x).digest()",
  "re": "import re\nx = 'ab' * 500000\nwhile True: re.sub('b', 'c', x)",
  "json": "import json\nt = json.dumps([[i] for i in range(100000)])\nwhile True: json.loads(t)",
  "exceptions": "while True:\n  try: int('x')\n  except ValueError: pass",
  "deep exceptions":
    "def f(n):\n  if n == 0: raise ValueError\n  f(n - 1)\nwhile True:\n  try: f(200)\n  except ValueError: pass",
  "C calls": "f = ''.join\nx = ()\nwhile True: f(x)",
  "import": "import sys\nwhile True:\n  import colorsys\n  del sys.modules['colorsys']",
  "compile": "s = 'x = 1\\n' * 1000\nwhile True: compile(s, 'a', 'exec')",
  "write 1 byte": "import os\nwhile True: os.write(1, b'x')",
  "writev to output": "import os\nv = [b'x'] * 1000\nwhile True: os.writev(1, v)",
  "print": "while True: print('x', flush=True)",
  "getcwd, deep":
    "import os\nos.makedirs('/workspace' + '/a' * 480)\nos.chdir('/workspace' + '/a' * 480)\nwhile True: os.getcwd()",
  "getcwd, long":
    "import os\np = '/workspace' + ('/' + 'é' * 120) * 4\nos.makedirs(p)\nos.chdir(p)\nwhile True: os.getcwd()",
  "getcwd": "import os\nwhile True: os.getcwd()",
  "stat": "import os\nwhile True: os.stat('/workspace')",
  "stat, no UTF-8": "import os\nwhile True:\n  try: os.stat(b'\\xff')\n  except OSError: pass",
  "stat, long no UTF-8":
    "import os\np = b'\\xff' * 1000\nwhile True:\n  try: os.stat(p)\n  except OSError: pass",
  "stat, too long":
    "import os\np = 'x' * 60000\nwhile True:\n  try: os.stat(p)\n  except OSError: pass",
  "stat, many parts":
    "import os\np = '/x' * 400\nwhile True:\n  try: os.stat(p)\n  except OSError: pass",
  "stat, slashes": "import os\np = '/' * 1000\nwhile True: os.stat(p)",
  "stat, dots": "import os\np = '/.' * 500\nwhile True: os.stat(p)",
  "stat, deep": "import os\np = '/workspace' + '/a' * 450\nos.makedirs(p)\nwhile True: os.stat(p)",
  "stat, other letters":
    "import os\np = '/workspace/' + 'é' * 120\nwhile True:\n  try: os.stat(p)\n  except OSError: pass",
  "listdir 4,000":
    "import os\nfor i in range(4000): open('/workspace/%04d' % i, 'w').close()\nwhile True: os.listdir('/workspace')",
  "listdir, changed":
    "import os\nfor i in range(4000): open('/workspace/%04d' % i, 'w').close()\nwhile True:\n  open('/workspace/x', 'w').close()\n  os.listdir('/workspace')\n  os.remove('/workspace/x')",
  "listdir, long names":
    "import os\nfor i in range(2000): open('/workspace/%04d' % i + 'é' * 120, 'w').close()\nwhile True: os.listdir('/workspace')",
  "scandir, stat":
    "import os\nfor i in range(1000): open('/workspace/%04d' % i, 'w').close()\nwhile True:\n  for e in os.scandir('/workspace'): e.stat()",
  "writev, 1,000 × 1":
    "import os\nf = os.open('/workspace/a', os.O_RDWR | os.O_CREAT)\nv = [b'x'] * 1000\nwhile True:\n  os.lseek(f, 0, 0)\n  os.writev(f, v)",
  "readv, 1,000 × 1":
    "import os\nf = os.open('/workspace/a', os.O_RDWR | os.O_CREAT)\nos.write(f, bytes(2000))\nv = [bytearray(1) for _ in range(1000)]\nwhile True:\n  os.lseek(f, 0, 0)\n  os.readv(f, v)",
  "readv, 1,000 empty":
    "import os\nf = os.open('/workspace/a', os.O_RDWR | os.O_CREAT)\nv = [bytearray(0) for _ in range(1000)]\nwhile True:\n  os.lseek(f, 0, 0)\n  os.readv(f, v)",
  "write 1 byte to a file":
    "import os\nf = os.open('/workspace/a', os.O_RDWR | os.O_CREAT)\nwhile True: os.pwrite(f, b'x', 0)",
  "write 4 MiB":
    "import os\nf = os.open('/workspace/a', os.O_RDWR | os.O_CREAT)\nx = bytes(4 << 20)\nwhile True: os.pwrite(f, x, 0)",
  "read 4 MiB":
    "import os\nf = os.open('/workspace/a', os.O_RDWR | os.O_CREAT)\nos.write(f, bytes(4 << 20))\nwhile True: os.pread(f, 4 << 20, 0)",
  "ftruncate 4 MiB":
    "import os\nf = os.open('/workspace/a', os.O_RDWR | os.O_CREAT)\nwhile True:\n  os.ftruncate(f, 4 << 20)\n  os.ftruncate(f, 0)",
  "/dev/zero":
    "import os\nf = os.open('/dev/zero', os.O_RDONLY)\nb = [bytearray(16 << 20)]\nwhile True: os.readv(f, b)",
  "/dev/null": "import os\nf = os.open('/dev/null', os.O_WRONLY)\nwhile True: os.write(f, b'x')",
  "open, close":
    "import os\nopen('/workspace/a', 'w').close()\nwhile True: os.close(os.open('/workspace/a', os.O_RDONLY))",
  "open, 1,000 others":
    "import os\nopen('/workspace/a', 'w').close()\nfor i in range(200): os.open('/workspace/a', os.O_RDONLY)\nwhile True: os.close(os.open('/workspace/a', os.O_RDONLY))",
  "create, remove":
    "import os\nwhile True:\n  os.close(os.open('/workspace/a', os.O_CREAT | os.O_WRONLY))\n  os.unlink('/workspace/a')",
  "mkdir, rmdir": "import os\nwhile True:\n  os.mkdir('/workspace/d')\n  os.rmdir('/workspace/d')",
  "rename":
    "import os\nos.mkdir('/workspace/d')\nfor i in range(3000): open('/workspace/d/%d' % i, 'w').close()\nwhile True:\n  os.rename('/workspace/d', '/workspace/longer')\n  os.rename('/workspace/longer', '/workspace/d')",
  "mmap":
    "import mmap, os\nf = os.open('/workspace/a', os.O_RDWR | os.O_CREAT)\nos.write(f, bytes(4 << 20))\nwhile True: mmap.mmap(f, 4 << 20).close()",
  "mmap, flush":
    "import mmap, os\nf = os.open('/workspace/a', os.O_RDWR | os.O_CREAT)\nos.write(f, bytes(4 << 20))\nm = mmap.mmap(f, 4 << 20)\nwhile True: m.flush()",
  "poll 250":
    "import select, os\nopen('/workspace/a', 'w').close()\np = select.poll()\nfor i in range(200): p.register(os.open('/workspace/a', os.O_RDONLY))\nwhile True: p.poll(0)",
  "poll 1": "import select\np = select.poll()\np.register(1)\nwhile True: p.poll(0)",
  "select": "import select\nwhile True: select.select([0], [1], [], 0)",
  "sleep(0)": "import time\nwhile True: time.sleep(0)",
  "time": "import time\nwhile True: time.time()",
  "time_ns, monotonic": "import time\nwhile True: time.monotonic_ns()",
  "gmtime": "import time\nwhile True: time.gmtime(0)",
  "localtime": "import time\nwhile True: time.localtime(0)",
  "mktime": "import time\nx = time.localtime(0)\nwhile True: time.mktime(x)",
  "urandom": "import os\nwhile True: os.urandom(1 << 20)",
  "urandom, 1 byte": "import os\nwhile True: os.urandom(1)",
  "getuid": "import os\nwhile True: os.getuid()",
  "umask": "import os\nwhile True: os.umask(18)",
  "strerror": "import os\nwhile True: os.strerror(2)",
  "socket": "import socket\nwhile True:\n  try: socket.socket()\n  except OSError: pass",
  "getaddrinfo":
    "import socket\nwhile True:\n  try: socket.getaddrinfo('a', 1)\n  except OSError: pass",
  "kill": "import os\nwhile True:\n  try: os.kill(99, 0)\n  except OSError: pass",
  "dup": "import os\nwhile True: os.close(os.dup(1))",
  "isatty": "import os\nwhile True: os.isatty(1)",
  "fstat": "import os\nwhile True: os.fstat(1)",
  "statvfs": "import os\nwhile True: os.statvfs('/workspace')",
  "sigaction": "import signal\nwhile True: signal.signal(2, signal.SIG_DFL)",
};

const PERL = {
  [EMPTY_LOOP]: "while (1) {}",
  "concat 20 MiB": "my $x = 'a' x (20 << 20); my $y; while (1) { $y = $x; substr($y, 0, 1) = 'b' }",
  "concat 1 MiB": "my $x = 'a' x (1 << 20); my $y; while (1) { $y = $x; substr($y, 0, 1) = 'b' }",
  "concat 64 KiB": "my $x = 'a' x (1 << 16); my $y; while (1) { $y = $x; substr($y, 0, 1) = 'b' }",
  "concat 4 KiB": "my $x = 'a' x (1 << 12); my $y; while (1) { $y = $x; substr($y, 0, 1) = 'b' }",
  "repeat": "my $x; while (1) { $x = 'a' x (20 << 20) }",
  "substr replace":
    "my $x = 'a' x (20 << 20); while (1) { substr($x, 0, 1) = 'bb'; substr($x, 0, 2) = 'a' }",
  "join": "my $x = 'a' x (10 << 20); my $y; while (1) { $y = join ',', $x, $x }",
  "array copy": "my @a = (0) x 500_000; while (1) { my @b = @a }",
  "sort":
    "my @a = map { ($_ * 7919) % 100_003 } 1 .. 100_000; while (1) { my @b = sort { $a <=> $b } @a }",
  "hash walk":
    "my %h = map { $_ * 7919 => $_ } 1 .. 200_000; my @k = keys %h; while (1) { $h{$_}++ for @k }",
  "buffer walk":
    "my $v = ''; vec($v, 10 << 20, 32) = 1; my $n = 10 << 20; my $x = 1; while (1) { $x = ($x * 1103515245 + 12345) & 0xffffffff; vec($v, $x % $n, 32) }",
  "match": "my $x = 'ab' x 500_000; while (1) { my $n = () = $x =~ /b/g }",
  "tr": "my $x = 'ab' x 5_000_000; while (1) { $x =~ tr/ab/ba/ }",
  "index": "my $x = 'a' x (20 << 20); while (1) { index $x, 'b' }",
  "eq": "my $x = 'a' x (20 << 20); my $y = $x . ''; while (1) { $x eq $y }",
  "denormals": "my $x = 5e-324; while (1) { $x = $x * 1.5 / 1.4999 }",
  "die": "while (1) { eval { die 'x' } }",
  "eval text": "while (1) { eval '1 + 1' }",
  "sprintf": "while (1) { sprintf '%f %d %s', 1.5, 2, 'a' }",
  "pack": "my @a = (1) x 100_000; while (1) { pack 'N*', @a }",
  "write 1 byte": "while (1) { syswrite STDOUT, 'x' }",
  "print": "$| = 1; while (1) { print 'x' }",
  "stat": "while (1) { stat '/workspace' }",
  "stat, long": "my $p = '/x' x 400; while (1) { stat $p }",
  "stat, no UTF-8": "my $p = chr(255) x 900; while (1) { stat $p }",
  "stat, other letters": "my $p = '/workspace/' . (\"\\xc3\\xa9\" x 120); while (1) { stat $p }",
  "stat, dots": "my $p = '/.' x 500; while (1) { stat $p }",
  "stat, deep":
    "my $p = '/workspace'; for (1 .. 480) { $p .= '/a'; mkdir $p } while (1) { stat $p }",
  "readdir 4,000":
    "for (1 .. 4000) { open my $f, '>', \"/workspace/f$_\" } while (1) { opendir my $d, '/workspace'; my @x = readdir $d }",
  "readdir, changed":
    "for (1 .. 4000) { open my $f, '>', \"/workspace/f$_\" } while (1) { open my $f, '>', '/workspace/g'; close $f; opendir my $d, '/workspace'; my @x = readdir $d; unlink '/workspace/g' }",
  "open, close": "while (1) { open my $f, '<', '/workspace'; close $f }",
  "create, remove":
    "while (1) { open my $f, '>', '/workspace/a'; close $f; unlink '/workspace/a' }",
  "mkdir, rmdir": "while (1) { mkdir '/workspace/d'; rmdir '/workspace/d' }",
  "rename":
    "mkdir '/workspace/d'; for (1 .. 3000) { open my $f, '>', \"/workspace/d/$_\" } while (1) { rename '/workspace/d', '/workspace/longer'; rename '/workspace/longer', '/workspace/d' }",
  "write 4 MiB":
    "open my $f, '>', '/workspace/a'; my $x = 'a' x (4 << 20); while (1) { sysseek $f, 0, 0; syswrite $f, $x }",
  "read 4 MiB":
    "open my $f, '+>', '/workspace/a'; syswrite $f, 'a' x (4 << 20); my $x; while (1) { sysseek $f, 0, 0; sysread $f, $x, 4 << 20 }",
  "write 1 byte to a file":
    "open my $f, '>', '/workspace/a'; while (1) { sysseek $f, 0, 0; syswrite $f, 'x' }",
  "truncate 4 MiB":
    "open my $f, '>', '/workspace/a'; while (1) { truncate $f, 4 << 20; truncate $f, 0 }",
  "/dev/urandom": "open my $f, '<', '/dev/urandom'; my $x; while (1) { sysread $f, $x, 1 << 20 }",
  "select": "while (1) { select undef, undef, undef, 0 }",
  "time": "while (1) { time }",
  "localtime": "while (1) { localtime 0 }",
  "times": "while (1) { times }",
};

const RUBY = {
  [EMPTY_LOOP]: "loop {}",
  "while true": "while true; end",
  "concat 64 MiB": "x = 'a' * (64 << 20)\nloop { y = x + 'b' }",
  "concat 1 MiB": "x = 'a' * (1 << 20)\nloop { y = x + 'b' }",
  "concat 64 KiB": "x = 'a' * (1 << 16)\nloop { y = x + 'b' }",
  "concat 4 KiB": "x = 'a' * (1 << 12)\nloop { y = x + 'b' }",
  "repeat": "loop { 'a' * (32 << 20) }",
  "array copy": "x = Array.new(4 << 20, 1)\nloop { x + x }",
  "array shift": "x = Array.new(1 << 20, 1)\nloop { x.insert(1, 2); x.delete_at(1) }",
  "sort": "x = Array.new(200_000) { |i| (i * 7919) % 100_003 }\nloop { x.sort }",
  "hash walk":
    "h = {}\n400_000.times { |i| h[i * 7919] = i }\nk = h.keys.shuffle\nloop { k.each { |i| h[i] } }",
  "objects walk": "x = Array.new(600_000) { |i| [i] }.shuffle\nloop { x.sum { |a| a[0] } }",
  "buffer walk":
    "n = 64 << 20\ns = 'a' * n\nx = 1\nwhile true\n  x = (x * 1103515245 + 12345) & 0xffffffff\n  s.getbyte(x % n)\nend",
  "collect garbage": "x = Array.new(500_000) { [] }\nloop { GC.start }",
  "gsub": "x = 'ab' * 200_000\nloop { x.gsub('b', 'c') }",
  "tr": "x = 'ab' * 1_000_000\nloop { x.tr('ab', 'ba') }",
  "index": "x = 'a' * (32 << 20)\nloop { x.index('b') }",
  "==": "x = 'a' * (32 << 20)\ny = 'a' * (32 << 20)\nloop { x == y }",
  "Integer": "x = 3 ** 200_000\nloop { x * x }",
  "denormals": "x = 5e-324\nwhile true\n  x = x * 1.5 / 1.4999\nend",
  "exceptions": "loop { begin; raise 'x'; rescue; end }",
  "throw": "loop { catch(:a) { throw :a } }",
  "fibers": "loop { Fiber.new { 1 }.resume rescue nil }",
  "eval": "loop { eval '1 + 1' }",
  "symbols": 'i = 0\nloop { "s#{i += 1}".to_sym }',
  "write 1 byte": "$stdout.sync = true\nloop { $stdout.syswrite('x') }",
  "print": "$stdout.sync = true\nloop { print 'x' }",
  "stat": "loop { File.stat('/workspace') }",
  "stat, long": "p = '/x' * 400\nloop { File.exist?(p) }",
  "stat, no UTF-8": 'p = "\\xff" * 900\nloop { File.exist?(p) }',
  "stat, other letters": "p = '/workspace/' + 'é' * 120\nloop { File.exist?(p) }",
  "stat, dots": "p = '/.' * 500\nloop { File.exist?(p) }",
  "stat, deep": "p = '/workspace'\n480.times { p += '/a'; Dir.mkdir(p) }\nloop { File.exist?(p) }",
  "Dir.pwd":
    "p = '/workspace'\n480.times { p += '/a'; Dir.mkdir(p) }\nDir.chdir(p)\nloop { Dir.pwd }",
  "children 4,000":
    "4000.times { |i| File.write(\"/workspace/f#{i}\", '') }\nloop { Dir.children('/workspace') }",
  "children, changed":
    "4000.times { |i| File.write(\"/workspace/f#{i}\", '') }\nloop { File.write('/workspace/g', ''); Dir.children('/workspace'); File.delete('/workspace/g') }",
  "open, close": "loop { File.open('/workspace/a', 'w').close }",
  "mkdir, rmdir": "loop { Dir.mkdir('/workspace/d'); Dir.rmdir('/workspace/d') }",
  "rename":
    "Dir.mkdir('/workspace/d')\n3000.times { |i| File.write(\"/workspace/d/#{i}\", '') }\nloop { File.rename('/workspace/d', '/workspace/longer'); File.rename('/workspace/longer', '/workspace/d') }",
  "write 4 MiB":
    "f = File.open('/workspace/a', 'w')\nx = 'a' * (4 << 20)\nloop { f.sysseek(0); f.syswrite(x) }",
  "read 4 MiB":
    "File.write('/workspace/a', 'a' * (4 << 20))\nf = File.open('/workspace/a')\nloop { f.sysseek(0); f.sysread(4 << 20) }",
  "write 1 byte to a file":
    "f = File.open('/workspace/a', 'w')\nloop { f.sysseek(0); f.syswrite('x') }",
  "truncate 4 MiB":
    "f = File.open('/workspace/a', 'w')\nloop { f.truncate(4 << 20); f.truncate(0) }",
  "Random.bytes": "loop { Random.urandom(1 << 20) }",
  "Random.urandom 1": "loop { Random.urandom(1) }",
  "Time.now": "loop { Time.now }",
  "clock": "loop { Process.clock_gettime(Process::CLOCK_MONOTONIC) }",
  "sleep 0": "loop { sleep 0 }",
  "IO.select": "loop { IO.select([$stdin], nil, nil, 0) }",
};

/** Sources by language and by the name of what they repeat. */
export const FUEL_PROGRAMS: {
  readonly [L in Language]: Readonly<Record<string, string>>;
} = {
  javascript: { ...JAVASCRIPT, ...MEMORY_PROGRAMS.javascript, ...DISPLAY_PROGRAMS.javascript },
  python: { ...PYTHON, ...MEMORY_PROGRAMS.python, ...DISPLAY_PROGRAMS.python },
  perl: { ...PERL, ...MEMORY_PROGRAMS.perl, ...DISPLAY_PROGRAMS.perl },
  ruby: { ...RUBY, ...MEMORY_PROGRAMS.ruby, ...DISPLAY_PROGRAMS.ruby },
};
