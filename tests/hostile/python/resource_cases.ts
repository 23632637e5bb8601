/** Programs that want more time, memory, stack or output than they may have. */
import type { HostileCase } from "../cases.ts";

const FUEL = /^Fuel limit reached/;

export const ENDLESS: readonly HostileCase[] = [
  { name: "while True", code: "while True: pass", outcome: "limit", message: FUEL },
  {
    name: "output before an endless loop is kept",
    code: "print('one')\nprint('two')\nwhile True: pass",
    outcome: "limit",
    message: FUEL,
    stdout: ["one", "two"],
  },
  {
    name: "nothing catches a limit",
    code:
      "while True:\n try:\n  while True: pass\n except BaseException: continue\n finally:\n  while True: pass",
    outcome: "limit",
    message: FUEL,
  },
  {
    name: "atexit that loops",
    code: "import atexit\n@atexit.register\ndef f():\n while True: pass",
    outcome: "limit",
    message: FUEL,
  },
  {
    name: "__del__ that loops",
    code: "class A:\n def __del__(self):\n  while True: pass\nA()",
    outcome: "limit",
    message: FUEL,
  },
  {
    name: "a generator that never gives up",
    code:
      "def g():\n while True:\n  try: yield\n  except GeneratorExit: pass\nx = g()\nnext(x)\nx.close()",
    outcome: "error",
    error: /^RuntimeError$/,
  },
  {
    name: "tasks that make tasks",
    code:
      "import asyncio\nasync def f():\n while True:\n  asyncio.ensure_future(asyncio.sleep(0))\n  await asyncio.sleep(0)\nasyncio.run(f())",
    outcome: "limit",
    message: FUEL,
  },
  {
    name: "a coroutine that never settles",
    code: "import asyncio\nawait asyncio.Future()",
    outcome: "error",
    message: /never settles/,
  },
  {
    name: "signal handlers that raise signals",
    code:
      "import signal\ndef f(*a): signal.raise_signal(signal.SIGUSR1)\nsignal.signal(signal.SIGUSR1, f)\nsignal.raise_signal(signal.SIGUSR1)\nwhile True: pass",
    outcome: "either",
  },
  {
    name: "a settrace that loops",
    code: "import sys\ndef t(*a):\n while True: pass\nsys.settrace(t)\n(lambda: 1)()",
    outcome: "limit",
    message: FUEL,
  },
  {
    name: "an excepthook that loops",
    code: "import sys\ndef h(*a):\n while True: pass\nsys.excepthook = h\n1 / 0",
    outcome: "error",
    error: /^ZeroDivisionError$/,
  },
];

/** Loops that run in C and never return to Python. */
export const C_LOOPS: readonly HostileCase[] = [
  "import collections, itertools\ncollections.deque(itertools.repeat(0), maxlen=0)",
  "import itertools\nsum(itertools.count())",
  "max(iter(int, 1))",
  "import itertools\nany(itertools.repeat(0))",
  "1 in iter(int, 1)",
  "import itertools\nfor _ in itertools.repeat(0): pass",
  "import itertools\nlist(zip(itertools.cycle([()]), iter(int, 1))) if 0 else min(itertools.repeat(1))",
  "import re\nre.match(r'(a+)+$', 'a' * 40 + '!')",
  "import re\nre.sub(r'(a*)*b', '', 'a' * 10**6)",
  "import re\nre.search(r'(x+x+)+y', 'x' * 60)",
  "import functools, itertools\nfunctools.reduce(lambda a, b: 0, itertools.count())",
  "import hashlib\nhashlib.pbkdf2_hmac('sha256', b'p', b's', 10**9)",
  "import sqlite3\nsqlite3.connect(':memory:').execute('with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c').fetchall()",
  "import difflib\ndifflib.SequenceMatcher(None, 'ab' * 20000, 'ba' * 20000, False).ratio()",
].map((code) => ({ name: code, code, outcome: "limit", message: FUEL }));

/** Numbers that are too large: CPython refuses some, fuel or memory ends the rest. */
export const NUMBERS: readonly HostileCase[] = [
  "10 ** 10 ** 8",
  "int('9' * 10 ** 6)",
  "str(2 ** 10 ** 7)",
  "pow(3, 10 ** 9)",
  "1 << 10 ** 12",
  "import math\nmath.factorial(10 ** 8)",
  "import decimal\ndecimal.getcontext().prec = decimal.MAX_PREC\ndecimal.Decimal(1) / 3",
  "import sys\nsys.set_int_max_str_digits(0)\nint('9' * 10 ** 7)",
  "from fractions import Fraction\nx = Fraction(1, 3)\nwhile True: x = x * x + Fraction(1, 7)",
].map((code) => ({ name: code, code, outcome: "either" }));

export const MEMORY: readonly HostileCase[] = [
  ...[
    "bytearray(10 ** 9)",
    "[0] * 10 ** 9",
    "'a' * 2 ** 31",
    "held = []\nwhile True: held.append(bytes(1 << 20))",
    "held = []\nwhile True: held.append([held] * 1000)",
    "s = 'x'\nwhile True: s += s",
    "d = {}\ni = 0\nwhile True:\n d[i] = str(i) * 50\n i += 1",
    "import itertools\nlist(itertools.count())",
    "range(10 ** 18).__reversed__().__class__\nlist(range(10 ** 10))",
    "import array\narray.array('d', bytes(8)) * 10 ** 9",
    "f'{1:>2000000000}'",
    "'%2000000000d' % 1",
    "import io\nb = io.BytesIO()\nb.seek(2 ** 31 - 2)\nb.write(b'x')",
    "import mmap\nmmap.mmap(-1, 1 << 30)",
    "from itertools import product\nlist(product(range(100), repeat=8))",
  ].map((code) => ({ name: code, code, outcome: "either" }) as const),
  {
    name: "files beyond the limit of a file",
    code: "with open('big', 'wb') as f:\n while True: f.write(bytes(1 << 20))",
    outcome: "error",
    error: /^OSError$/,
    message: /^\[Errno 27\] File too large \(a file has at most 4194304 bytes\)$/,
  },
  {
    name: "files beyond the limit of all files",
    code: "for n in range(100):\n with open(f'f{n}', 'wb') as f: f.write(bytes(4 << 20))",
    outcome: "error",
    error: /^OSError$/,
    message: /^\[Errno 28\] No space left on device$/,
  },
  {
    name: "more files than there may be",
    code: "n = 0\nwhile True:\n open(f'f{n}', 'w').close()\n n += 1",
    outcome: "error",
    error: /^OSError$/,
    message: /^\[Errno 28\]/,
  },
  {
    name: "more open files than there may be",
    code: "held = []\nwhile True: held.append(open('f', 'w'))",
    outcome: "error",
    message: /^\[Errno 24\] Too many open files: 'f'$/,
  },
];

export const RECURSION: readonly HostileCase[] = [
  {
    name: "a function that calls itself",
    code: "def f(): f()\nf()",
    outcome: "error",
    error: /^RecursionError$/,
  },
  ...[
    "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(): f()\nf()",
    "import sys\nsys.setrecursionlimit(10 ** 9)\nclass A:\n def __getattr__(self, n): return getattr(self, n + 'x')\nA().y",
    "import sys\nsys.setrecursionlimit(10 ** 9)\nclass A:\n def __repr__(self): return repr([self])\nrepr(A())",
    "class A:\n def __eq__(self, o): return self == o\nA() == A()",
    "x = []\nfor _ in range(10 ** 5): x = [x]\nrepr(x)",
    "x = []\nfor _ in range(10 ** 6): x = [x]\nx == eval('[' * 50 + ']' * 50)\nimport copy\ncopy.deepcopy(x)",
    "x = ()\nfor _ in range(10 ** 6): x = (x,)\nhash(x)",
    "import itertools\nx = iter([1])\nfor _ in range(10 ** 5): x = itertools.chain(x, [1])\nlist(x)",
    "import sys\nsys.setrecursionlimit(10 ** 9)\nimport json\nx = []\nfor _ in range(10 ** 5): x = [x]\njson.dumps(x)",
    "import pickle\nx = []\nfor _ in range(10 ** 5): x = [x]\npickle.dumps(x)",
    "import functools\nf = int\nfor _ in range(10 ** 5): f = functools.partial(lambda g: g(), f)\nf()",
  ].map((code) => ({ name: code, code, outcome: "either" }) as const),
];

/** Small data that expand to large ones. */
export const BOMBS: readonly HostileCase[] = [
  "import json\njson.loads('[' * 10 ** 5)",
  "import json\njson.loads('[' * 10 ** 5 + ']' * 10 ** 5)",
  "import pickle\npickle.loads(b'\\x80\\x04' + b'(' * 10 ** 6 + b'l' * 10 ** 6 + b'.')",
  "import pickle\npickle.loads(b'\\x80\\x04X\\xff\\xff\\xff\\x7fx.')",
  "import pickle\npickle.loads(b'\\x80\\x04]' + b'2a' * 10 ** 7 + b'.')[0][0] + 1",
  "import zipfile, io\nb = io.BytesIO()\nwith zipfile.ZipFile(b, 'w', zipfile.ZIP_DEFLATED) as z:\n for n in range(40): z.writestr(str(n), bytes(4 << 20))\nlen(b''.join(zipfile.ZipFile(b).read(str(n)) for n in range(40)) * 4)",
  "import zlib\nx = zlib.compress(bytes(10 ** 7))\nfor _ in range(3): x = zlib.compress(x * 1000)\nwhile True: x = zlib.decompress(x)",
  "import gzip\nheld = []\nx = gzip.compress(bytes(50_000_000))\nwhile True: held.append(gzip.decompress(x))",
  "import bz2\nheld = []\nx = bz2.compress(bytes(20_000_000))\nwhile True: held.append(bz2.decompress(x))",
  "import lzma\nheld = []\nx = lzma.compress(bytes(20_000_000), preset=0)\nwhile True: held.append(lzma.decompress(x))",
  "import xml.etree.ElementTree as e\nd = '<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\">' + ''.join(f'<!ENTITY {chr(98 + n)} \"{(\"&\" + chr(97 + n) + \";\") * 10}\">' for n in range(12)) + ']><x>&m;</x>'\ne.fromstring(d)",
  "import xml.etree.ElementTree as e\nx = e.fromstring('<a>' * 10 ** 5 + '</a>' * 10 ** 5)\ne.tostring(x)",
  "import marshal\nmarshal.loads(b'[' + b'\\xff\\xff\\xff\\x7f')",
  "import struct\nstruct.pack('2000000000x')",
  "import base64\nx = b'x' * 10 ** 6\nwhile True: x = base64.b64encode(x)",
].map((code) => ({ name: code.slice(0, 120), code, outcome: "either" }));

/** Sources that are hard on the compiler. */
export const SOURCES: readonly HostileCase[] = [
  ["brackets", "[".repeat(60_000)],
  ["closed brackets", "[".repeat(30_000) + "]".repeat(30_000)],
  ["parentheses", "(".repeat(60_000)],
  ["signs", "-".repeat(60_000) + "1"],
  ["calls", "f" + "()".repeat(30_000)],
  ["attributes", "a" + ".a".repeat(30_000)],
  ["f-strings", "f'{" + 'f"{'.repeat(2_000)],
  ["blocks", Array.from({ length: 200 }, (_, n) => " ".repeat(n) + "if 1:").join("\n")],
  ["a NUL", "print(1)\0print(2)"],
  ["a lone surrogate escape", "'\\ud800'.encode()"],
  ["lambdas", "lambda:".repeat(9_000) + "1"],
].map(([name, code]) => ({ name: `source of ${name}`, code: code ?? "", outcome: "error" }));

export const OUTPUT: readonly HostileCase[] = [
  {
    name: "output without end",
    code: "while True: print('x' * 100)",
    outcome: "limit",
    message: /^Output limit reached/,
    stdout: ["x".repeat(100)],
  },
  {
    name: "a million empty lines",
    code: "print('\\n' * 10 ** 6)",
    outcome: "limit",
    message: /^Output limit reached/,
  },
  {
    name: "output by the descriptor",
    code: "import os\nwhile True: os.write(2, b'x' * 1000)",
    outcome: "limit",
    message: /^Output limit reached/,
  },
  {
    name: "bytes that are no text",
    code: "import sys\nsys.stdout.buffer.write(b'\\xff\\xfe\\x00\\x1b[31m\\n')\n1",
    outcome: "value",
    stdout: ["\ufffd\ufffd\u0000\u001b[31m"],
  },
  {
    name: "a result beyond the limit",
    code: "'x' * 10 ** 6",
    outcome: "limit",
    message: /^Result limit reached/,
  },
  {
    name: "an exception with a huge message",
    code: "raise ValueError('x' * 50_000_000)",
    outcome: "error",
    error: /^ValueError$/,
  },
];

export const WAITING: readonly HostileCase[] = [
  {
    name: "sleep",
    code: "import time\ntime.sleep(1e9)",
    outcome: "limit",
    message: /^Wall.clock limit reached/,
  },
  {
    name: "sleep in asyncio",
    code: "import asyncio\nasyncio.run(asyncio.sleep(1e6))",
    outcome: "limit",
    message: /^Wall.clock limit reached/,
  },
  {
    name: "select",
    code: "import select\nselect.select([], [], [], 1e6)",
    outcome: "either",
  },
  {
    name: "alarm",
    code: "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.01)\nwhile True: pass",
    outcome: "error",
    error: /^SystemExit$/,
  },
  { name: "pause", code: "import signal\nsignal.pause()", outcome: "any" },
  { name: "input", code: "input()", outcome: "error", error: /^EOFError$/ },
  {
    name: "standard input",
    code: "import sys\nsys.stdin.read()",
    outcome: "value",
    results: [{ text: "''" }],
  },
  {
    name: "a lock taken twice",
    code: "import threading\nl = threading.Lock()\nl.acquire()\nl.acquire()",
    outcome: "any",
  },
  {
    name: "an empty queue",
    code: "import queue\nqueue.Queue().get()",
    outcome: "any",
  },
];
