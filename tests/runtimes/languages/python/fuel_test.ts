import { assert, assertEquals } from "@std/assert";
import { FUEL } from "../../../../shared/limits.ts";
import type { FuelCosts } from "./fuel_program.ts";
import { LIMITS, run } from "./support.ts";

/** Native stacks in KiB: the usual one, and a smaller one that still holds what these programs use. */
const STACKS_KIB = [4000, 1500];

async function costsWith(stackKib: number): Promise<FuelCosts> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all",
      `--v8-flags=--stack-size=${stackKib}`,
      new URL("fuel_program.ts", import.meta.url).href,
    ],
    cwd: new URL("../../../../", import.meta.url),
    stderr: "inherit",
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("fuel: a program's cost depends only on the program", async (test) => {
  const [isolate, smaller] = await Promise.all(STACKS_KIB.map(costsWith));
  assert(isolate !== undefined && smaller !== undefined);
  const same = (name: string, costs: readonly number[]) =>
    test.step(name, () => {
      assert(costs.length > 1);
      assertEquals(new Set(costs).size, 1, `costs differ: ${costs}`);
    });
  await same("in 20 runs, in another engine, in another process, with another stack", [
    ...isolate.runs,
    ...smaller.runs,
  ]);
  await same("whatever its random bytes", isolate.randomBytes);
  await same("whatever the time of day", isolate.timesOfDay);
  await same("after runs that trapped, grew or were stopped", isolate.afterOthers);
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

/** Enough for each of them to reach its loop. */
const ENOUGH = 300_000_000;

for (const code of ENDLESS) {
  Deno.test(`fuel: ends ${code.split("\n").slice(-2).join("; ").slice(0, 80)}`, async () => {
    const ran = await run(code, { limits: { fuel: ENOUGH } });
    assert(ran.ending.kind === "limit" && ran.ending.limit === "fuel", JSON.stringify(ran.ending));
    assertEquals(ran.fuelConsumed, ENOUGH);
    assertEquals((await run("1 + 1")).ending, { kind: "text", text: "2" });
  });
}

/** Fuel for a number of additional calls of a function. */
async function costOf(setup: string, call: string, times: number): Promise<number> {
  const loop = (count: number) => `${setup}\nfor _ in range(${count}):\n    ${call}`;
  const [with_, without] = [await run(loop(times)), await run(loop(0))];
  assertEquals(with_.ending, { kind: "none" });
  return (with_.fuelConsumed - without.fuelConsumed) / times;
}

Deno.test("fuel: clocks, the calendar and random bytes cost fuel for their time", async () => {
  const calls: readonly (readonly [setup: string, call: string, least: number, most: number])[] = [
    ["import time", "time.time()", 4_500, 9_000],
    ["import time", "time.perf_counter()", 4_500, 9_000],
    ["import time", "time.process_time()", 4_500, 9_000],
    ["import time", "time.gmtime(5)", 4_500, 20_000],
    ["import time\nt = time.gmtime(5)", "time.mktime(t)", 4_500, 20_000],
    ["import os", "os.urandom(256)", 25_000, 35_000],
    // Counted once: 32 for a byte, and the call.
    [
      "f = open('/dev/urandom', 'rb', buffering=0)\nb = bytearray(100_000)",
      "f.readinto(b)",
      3_200_000,
      3_600_000,
    ],
  ];
  for (const [setup, call, least, most] of calls) {
    const cost = await costOf(setup, call, 100);
    assert(least < cost && cost < most, `${call}: ${cost}`);
  }
});

Deno.test("fuel: the error at the limit has the program's position", async () => {
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

Deno.test("fuel: a stop inside a call that releases the interpreter has a position too", async () => {
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

Deno.test("fuel: the service's default fuel is enough for honest work", async () => {
  const honest = "sum(i * i for i in range(500_000))";
  const ran = await run(honest, { limits: { ...LIMITS, fuel: FUEL.python } });
  assert(ran.ending.kind === "text" || FUEL.python < 1_000_000_000, JSON.stringify(ran.ending));
});
