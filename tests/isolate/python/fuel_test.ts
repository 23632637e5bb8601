import { assert, assertEquals, assertLess } from "@std/assert";
import { FUEL } from "../../../wire/limits.ts";
import { anotherEngine, LIMITS, run, runIn } from "./support.ts";

const WORK = `
import collections, json, re
d = {f"k{i}": [i, str(i)] for i in range(500)}
text = json.dumps(d, sort_keys=True)
words = collections.Counter(re.findall(r"[a-z0-9]+", text))
class P:
    def __init__(self, x): self.x = x
    def __lt__(self, other): return self.x < other.x
ordered = sorted(P(i * 7919 % 503) for i in range(300))
try:
    ordered[999]
except IndexError as error:
    caught = str(error)
print(len(text), words.most_common(3), ordered[0].x, caught)
`;

Deno.test("fuel: the same program costs the same in 20 runs and in another engine", async () => {
  const costs = new Set<number>();
  for (let turn = 0; turn < 20; turn++) costs.add((await run(WORK)).fuelConsumed);
  const other = await anotherEngine();
  for (let turn = 0; turn < 3; turn++) {
    other.reset();
    costs.add(runIn(other, WORK).fuelConsumed);
  }
  // what a run costs at its start varies by some 50 units in rare runs; the program does not
  const spread = Math.max(...costs) - Math.min(...costs);
  assertLess(spread, 100, `costs differ: ${[...costs]}`);
});

Deno.test("fuel: is the same after runs that trapped, grew or were stopped", async () => {
  const { fuelConsumed } = await run(WORK);
  for (
    const before of [
      "while True: pass",
      "bytearray(100_000_000)",
      "import os\nos.abort()",
      "import os\nos._exit(1)",
    ]
  ) {
    await run(before);
    assertEquals((await run(WORK)).fuelConsumed, fuelConsumed, before);
  }
});

const ENDLESS: readonly string[] = [
  "while True: pass",
  "while True:\n    try:\n        while True: pass\n    except BaseException: continue\n    finally: continue",
  "import re\nre.match(r'(a+)+$', 'a' * 40 + '!')",
  "10 ** 10 ** 8",
  "pow(3, 10 ** 9)",
  "sum(range(10 ** 12))",
  "import itertools\nsum(itertools.count())",
  "max(iter(int, 1))",
  "import itertools, collections\ncollections.deque(itertools.repeat(0), maxlen=0)",
  "import signal\nsignal.signal(signal.SIGINT, lambda *a: None)\nwhile True: signal.raise_signal(2)",
  "import sys\ndef t(*a):\n    return t\nsys.settrace(t)\nwhile True: pass",
  "import asyncio\nasync def f():\n    while True: await asyncio.sleep(0)\nasyncio.run(f())",
  "import sqlite3\nsqlite3.connect(':memory:').execute('with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c').fetchone()",
  "def f():\n    try: f()\n    finally: f()\nf()",
  "import os\nwhile True: os.stat('/tmp')",
  "while True: open('/dev/urandom', 'rb').read(1000000)",
  "exec('while True: pass')",
  "[0 for _ in iter(int, 1)]",
  "import hashlib\nhashlib.pbkdf2_hmac('sha256', b'p', b's', 10 ** 9)",
  "import ast\nwhile True: ast.parse('x = 1 + 2 * 3')",
  "import zlib\nd = bytes(10 ** 6)\nwhile True: zlib.compress(d)",
  "import atexit\natexit.register(lambda: [0 for _ in iter(int, 1)])",
];

for (const code of ENDLESS) {
  Deno.test(`fuel: ends ${code.split("\n").slice(-2).join("; ").slice(0, 80)}`, async () => {
    const ran = await run(code, { limits: { fuel: 1_000_000_000 } });
    assert(ran.ending.kind === "limit" && ran.ending.limit === "fuel", JSON.stringify(ran.ending));
    assertEquals(ran.fuelConsumed, 1_000_000_000);
    assertEquals((await run("1 + 1")).ending, { kind: "text", text: "2" });
  });
}

Deno.test("fuel: what is used up tells where the program stood", async () => {
  const code =
    "def inner():\n    while True:\n        pass\n\ndef outer():\n    inner()\n\nouter()";
  const { ending } = await run(code, { limits: { fuel: 200_000_000 } });
  assert(ending.kind === "limit");
  assertEquals(ending.traceback.slice(0, 5), [
    "Traceback (most recent call last):",
    '  File "main.py", line 8, in <module>',
    "    outer()",
    '  File "main.py", line 6, in outer',
    "    inner()",
  ]);
  assert(/^ {2}File "main\.py", line [23], in inner$/.test(ending.traceback[5] ?? ""));
});

Deno.test("fuel: a stop inside a call that lets the interpreter go tells its place too", async () => {
  const { ending } = await run("import time\n\nwhile True:\n    time.sleep(1)");
  assertEquals(ending, {
    kind: "limit",
    limit: "wall clock",
    traceback: [
      "Traceback (most recent call last):",
      '  File "main.py", line 4, in <module>',
      "    time.sleep(1)",
    ],
  });
});

Deno.test("fuel: the budget of the service is enough for honest work", async () => {
  const honest = "sum(i * i for i in range(500_000))";
  const ran = await run(honest, { limits: { ...LIMITS, fuel: FUEL.python } });
  assert(ran.ending.kind === "text" || FUEL.python < 1_000_000_000, JSON.stringify(ran.ending));
});
