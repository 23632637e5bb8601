/** Hostile runs in a context of Python. */
import type { ContextCase, ContextWords } from "./case.ts";

const LIMITS: readonly ContextCase[] = [
  {
    name: "endless loop after changes",
    runs: ["canary = 1\nopen('safe.txt', 'w').write('x')\nwhile True: pass"],
    outcome: "rolled back",
    message: /Fuel limit/,
  },
  {
    name: "sleeping past the wall clock",
    runs: ["import time\ncanary = 1\ntime.sleep(1e6)"],
    outcome: "rolled back",
    message: /Wall clock limit/,
  },
  {
    name: "writing without end",
    runs: ["canary = 1\nwhile True: print('x' * 1000)"],
    outcome: "rolled back",
    message: /Output limit/,
  },
  {
    name: "memory without end",
    runs: ["hoard = []\nwhile True: hoard.append(bytearray(1 << 23))"],
    outcome: "any",
  },
  { name: "recursion", runs: ["def f(): return f() + 1\nf()"], outcome: "failed" },
  {
    name: "40 MiB of noise",
    runs: ["import os\nnoise = [os.urandom(1 << 20) for _ in range(40)]\n1"],
    outcome: "rolled back",
    message: /(?:Snapshot|Fuel) limit/,
  },
  {
    name: "60 MiB of one byte",
    runs: ["same = b'\\7' * (60 << 20)\n1", "del same\n1"],
    outcome: "kept",
  },
];

const FILES: readonly ContextCase[] = [
  {
    name: "more files than there can be",
    runs: ["for i in range(5000): open(f'f{i}', 'w').close()"],
    outcome: "failed",
  },
  {
    name: "as many files as there can be, then none",
    runs: [
      "import os\nfor i in range(4095): open(f'f{i}', 'w').close()\n1",
      "for i in range(4095): os.remove(f'f{i}')\n1",
    ],
    outcome: "kept",
  },
  {
    name: "directories as deep as they go, and the working directory in them",
    runs: [
      "import os\nfor i in range(600): os.mkdir('d'); os.chdir('d')",
      "len(os.getcwd())\nos.chdir('/workspace')\n1",
    ],
    outcome: "kept",
  },
  {
    name: "16 MiB of files, and one byte more",
    runs: [
      "for i in range(3): open(f'big{i}', 'wb').write(bytes(4 << 20))\nopen('big3', 'wb').write(bytes((4 << 20) - 4))\n1",
      "open('more', 'w').write('xx')",
    ],
    outcome: "any",
  },
  {
    name: "names of every kind",
    runs: [
      "import os\nfor name in ['a\\nb', '\\x01', '__proto__', 'constructor', '\\ufeff', 'é', 'e\\u0301', '\\\\', '\"', ' ', '...', '\\u202e', '😀' * 63]:\n  os.mkdir(name)\n  open(name + '/' + name, 'w').write(name)\nlen(os.listdir())",
    ],
    outcome: "kept",
  },
  {
    name: "names that are no UTF-8",
    runs: ["open(b'\\xff\\xfe', 'w').write('x')\n1"],
    outcome: "any",
  },
  {
    name: "files become directories and back",
    runs: [
      "import os, shutil\nopen('t', 'w').close()\nos.mkdir('u')\n1",
      "os.remove('t')\nos.makedirs('t/in')\nos.rmdir('u')\nopen('u', 'w').close()\n1",
      "shutil.rmtree('t')\nopen('t', 'w').write('y')\nopen('t').read()",
    ],
    outcome: "kept",
  },
  {
    name: "modes, and the time of the last day",
    runs: [
      "import os\nopen('m', 'w').write('x')\ntry: os.chmod('m', 0)\nexcept OSError: pass\ntry: os.utime('m', (8e15, 8e15))\nexcept (OSError, OverflowError): pass\n1",
      "open('m').read()",
    ],
    outcome: "any",
  },
  {
    name: "handles in globals",
    runs: [
      "handles = [open(f'h{i}', 'w') for i in range(100)]\nhandles[0].write('x')\nimport os\nraw = os.open('r', os.O_CREAT | os.O_WRONLY)\n1",
      "failed = 0\nfor h in handles:\n  try: h.write('y')\n  except ValueError: failed += 1\ntry: os.write(raw, b'y')\nexcept OSError: failed += 1\nfailed",
    ],
    outcome: "kept",
  },
];

const POISON: readonly ContextCase[] = [
  {
    name: "tasks, threads and generators left",
    runs: [
      "import asyncio\nasync def never():\n  while True: await asyncio.sleep(1)\ntask = asyncio.ensure_future(never())\nawait asyncio.sleep(0)\ndef g():\n  try:\n    while True: yield 1\n  finally:\n    while True: yield 2\ngens = [g() for _ in range(1000)]\nsum(next(x) for x in gens)",
      "sum(next(x) for x in gens)",
    ],
    outcome: "any",
  },
  {
    name: "built-ins replaced by what throws",
    runs: [
      "import builtins\nfor name in list(vars(builtins)):\n  if name not in ('setattr', 'builtins', '__build_class__', 'list', 'vars'): setattr(builtins, name, None)\n1",
    ],
    outcome: "any",
    losesVariable: true,
  },
  {
    name: "modules taken out of sys.modules, __main__ replaced",
    runs: [
      "import sys, types\nmine = dict(globals())\nsys.modules['__main__'] = types.ModuleType('other')\nfor name in list(sys.modules):\n  if name not in ('sys', '__main__'): del sys.modules[name]\n1",
    ],
    outcome: "any",
  },
  {
    name: "names of __main__ taken away",
    runs: ["for name in list(globals()):\n  if name != 'canary': globals().pop(name, None)\n1"],
    outcome: "any",
  },
  {
    name: "streams, hooks and traces",
    runs: [
      "import sys\nsys.stdout = sys.stderr = sys.stdin = None\nsys.excepthook = sys.displayhook = sys.unraisablehook = lambda *a: 1 / 0\nsys.settrace(lambda *a: 1 / 0)",
    ],
    outcome: "any",
  },
  {
    name: "modules the driver uses, broken",
    runs: [
      "import ast, traceback, json, linecache, asyncio, types, inspect, os, io, gc, random\nfor m in (ast, traceback, json, linecache, asyncio, types, inspect, io, gc, random):\n  for name in list(vars(m)):\n    if not name.startswith('__'): setattr(m, name, 1)\n1",
    ],
    outcome: "any",
  },
  {
    name: "what is done at exit never ends",
    runs: [
      "import atexit\nclass D:\n  def __del__(self):\n    while True: pass\nd = D()\natexit.register(lambda: any(iter(int, 1)))",
    ],
    outcome: "rolled back",
  },
  {
    name: "an object that is freed in a later run and never ends",
    runs: ["class D:\n  def __del__(self):\n    while True: pass\nd = D()\n1", "d = None"],
    outcome: "rolled back",
  },
  {
    name: "recursion limits and a garbage collector that is off",
    runs: ["import sys, gc\ngc.disable()\ngc.set_threshold(1)\nsys.setrecursionlimit(10 ** 9)\n1"],
    outcome: "any",
  },
  {
    name: "memory written through ctypes, where there is one",
    runs: ["import ctypes\nctypes.memset(0, 255, 1 << 22)"],
    outcome: "any",
  },
];

export const PYTHON_CONTEXT: ContextWords = {
  make: "canary = 41\nwith open('safe.txt', 'w') as file: file.write('safe')\ncanary",
  show: "[canary, open('/workspace/safe.txt').read()]",
  alive: "1",
  count: "runs = globals().get('runs', 0) + 1\nruns",
  cases: [...LIMITS, ...FILES, ...POISON],
};
