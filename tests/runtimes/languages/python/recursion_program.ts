/**
 * Runs deep recursions and prints how each ended, as JSON. A program of its own, as its stack must
 * be as large as an isolate's.
 */
import { run } from "./support.ts";

const UNBOUNDED = "import sys\nsys.setrecursionlimit(10**9)\n";

/** Programs that must raise RecursionError, with a traceback, in the guest. */
export const RAISING: Readonly<Record<string, string>> = {
  calls: "def f(n): return f(n + 1)\nf(0)",
  repr: "a = []\nfor i in range(100000): a = [a]\nrepr(a)",
  ownRepr: `${UNBOUNDED}class A:\n    def __repr__(self): return repr(self)\nrepr(A())`,
  lessThan:
    `${UNBOUNDED}class A:\n    def __lt__(self, o): return sorted([A(), A()])\nsorted([A(), A()])`,
  jsonLoads: "import json\njson.loads('[' * 100000)",
  jsonDumps: "import json\na = []\nfor i in range(100000): a = [a]\njson.dumps(a)",
  compile: "eval('1' + '+1' * 50000)",
  pickle: "import pickle\na = []\nfor i in range(100000): a = [a]\npickle.dumps(a)",
  deepcopy: "import copy\na = []\nfor i in range(100000): a = [a]\ncopy.deepcopy(a)",
  getattr: `${UNBOUNDED}class A:\n    def __getattr__(self, n): return getattr(self, n)\nA().x`,
  equality: "a = []; a.append(a)\nb = []; b.append(b)\na == b",
  cached:
    `${UNBOUNDED}import functools\n@functools.lru_cache(None)\ndef f(n): return f(n + 1)\nf(1)`,
  map: `${UNBOUNDED}def f(x): return list(map(f, [x]))\nf(1)`,
  sort: `${UNBOUNDED}def f(x): return sorted([1, 2], key=f)\nf(1)`,
  hash: `${UNBOUNDED}class A:\n    def __hash__(self): return hash(self)\nhash(A())`,
  format: `${UNBOUNDED}class A:\n    def __format__(self, s): return f'{self}'\nf'{A()}'`,
  add: `${UNBOUNDED}class A:\n    def __add__(self, o): return self + o\nA() + A()`,
  pattern: "import re\nre.compile('(' * 3000 + ')' * 3000)",
};

/** Recursions that must succeed. */
export const WORKING: Readonly<Record<string, string>> = {
  memoized:
    "import functools\n@functools.lru_cache(None)\ndef f(n): return n if n < 2 else f(n - 1) + f(n - 2)\nf(900) > 0",
  raised:
    "import sys\nsys.setrecursionlimit(20000)\ndef f(n): return 0 if n == 0 else 1 + f(n - 1)\nf(15000) == 15000",
  caught:
    "try:\n    a = []\n    for i in range(100000): a = [a]\n    repr(a)\nexcept RecursionError: ok = True\nok",
  freed: "a = []\nfor i in range(300000): a = [a]\ndel a\nTrue",
  freedNodes:
    "class N:\n    def __init__(self, n): self.n = n\nh = None\nfor i in range(100000): h = N(h)\nh = None\nTrue",
  generators:
    "def g(n):\n    if n: yield from g(n - 1)\n    yield n\nsum(1 for _ in g(900)) == 901",
  nestedXml:
    "import xml.etree.ElementTree as E\nE.fromstring('<a>' * 10000 + '</a>' * 10000).tag == 'a'",
};

/** Calls of `f` through C, each of which must reach a depth of 3,000 and give 3,000. */
const DEEP: Readonly<Record<string, string>> = {
  cache: "@functools.cache\ndef f(n): return n and 1 + f(n - 1)",
  cachedTwice:
    "@functools.lru_cache(10)\ndef f(n): return n if n < 2 else (f(n - 2), f(n - 1) + 1)[1]",
  call: "class F:\n    def __call__(self, n): return n and 1 + self(n - 1)\nf = F()",
  generatorInMax: "def f(n): return n and 1 + max(f(m) for m in [n - 1])",
  generatorInSum: "def f(n): return n and 1 + sum(f(m) for m in [n - 1])",
  map: "def f(n): return n and 1 + list(map(f, [n - 1]))[0]",
  reduce: "def f(n, _=0): return n and 1 + functools.reduce(f, [n - 1, 0])",
  partial: "def f(n): return n and 1 + functools.partial(f, n - 1)()",
  keyOfMax: "def f(n): return n and (max([n - 1], key=f), n)[1]",
  attribute:
    "class F:\n    def __getattr__(self, n): return int(n) and 1 + getattr(self, str(int(n) - 1))\ndef f(n): return getattr(F(), str(n))",
  item:
    "class F(dict):\n    def __missing__(self, n): return n and 1 + self[n - 1]\nf = F().__getitem__",
  iteration:
    "class F:\n    def __init__(self, n): self.n = n\n    def __iter__(self): return iter([0] if self.n == 0 else [1 + list(F(self.n - 1))[0]])\ndef f(n): return list(F(n))[0]",
};

/** Recursions of native code, which Python does not end; the next run must not notice. */
const OVERFLOWING: readonly string[] = [
  "x = None\nfor i in range(400000): x = (x,)\nhash(x)",
  "import itertools\nx = iter([1])\nfor i in range(400000): x = itertools.chain(x)\nnext(x)",
  ...[60_000, 80_000, 400_000].map((count) =>
    `x = iter([1])\nfor i in range(${count}): x = map(int, x)\nnext(x)`
  ),
  ...[40_000, 60_000, 100_000, 400_000].flatMap((count) => [
    `x = iter([1])\nfor i in range(${count}): x = map(lambda y: y, x)\nnext(x)`,
    `x = iter([1])\nfor i in range(${count}): x = map(abs, x)\nnext(x)`,
  ]),
];

/** Depths whose traceback must be shown, for little fuel: by the library, and without it. */
const DEPTHS: readonly number[] = [15_000, 60_000];

async function tracebackOf(depth: number): Promise<string | undefined> {
  const code = `import sys\nsys.setrecursionlimit(${depth})\ndef f(n):\n    return f(n + 1)\nf(0)`;
  const { ending } = await run(code, { limits: { fuel: 10_000_000_000 } });
  const told = ending.kind === "error" && ending.error.lineNumber === 4 &&
    ending.error.traceback.at(-2) === `  [Previous line repeated ${depth - 4} more times]` &&
    ending.error.traceback.filter((line) => line === "    return f(n + 1)").length === 3;
  return told ? undefined : `${depth}: ${JSON.stringify(ending).slice(0, 400)}`;
}

if (import.meta.main) {
  const problems: string[] = [];
  for (const depth of DEPTHS) {
    const problem = await tracebackOf(depth);
    if (problem !== undefined) problems.push(problem);
  }
  for (const [name, code] of Object.entries(RAISING)) {
    const { ending } = await run(code);
    const raised = ending.kind === "error" && ending.error.name === "RecursionError" &&
      ending.error.traceback.length > 0;
    if (!raised) problems.push(`${name}: ${JSON.stringify(ending).slice(0, 200)}`);
  }
  for (const [name, code] of Object.entries(WORKING)) {
    const { ending } = await run(code);
    if (ending.kind !== "text" || ending.text !== "True") {
      problems.push(`${name}: ${JSON.stringify(ending).slice(0, 200)}`);
    }
  }
  for (const [name, definition] of Object.entries(DEEP)) {
    const code = `import functools, sys\nsys.setrecursionlimit(20_000)\n${definition}\nf(3000)`;
    const { ending } = await run(code);
    if (ending.kind !== "text" || ending.text !== "3000") {
      problems.push(`${name}: ${JSON.stringify(ending).slice(0, 200)}`);
    }
  }
  for (const code of OVERFLOWING) {
    const { ending } = await run(code, { limits: { fuel: 4_000_000_000 } });
    const told = ending.kind === "limit" ||
      (ending.kind === "error" && ending.error.name === "RecursionError");
    const next = await run("1 + 1");
    if (!told || next.ending.kind !== "text") {
      problems.push(`${code}: ${JSON.stringify(ending).slice(0, 200)}`);
    }
  }
  await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(problems)));
}
