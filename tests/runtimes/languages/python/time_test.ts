import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { MemorySize } from "../../../../runtimes/engine/memory_size.ts";
import { GuestMemory } from "../../../../runtimes/languages/python/host/guest_memory.ts";
import {
  readCalendarTime,
  writeCalendarTime,
} from "../../../../runtimes/languages/python/host/time_records.ts";
import { seeded } from "../../../support/random.ts";
import { run, valueOf } from "./support.ts";

Deno.test("time: sleep is virtual and advances every clock by exactly its argument", async () => {
  const ran = await run(`
import time, datetime
clocks = [time.time, time.monotonic, time.perf_counter, lambda: datetime.datetime.now().timestamp()]
before = [c() for c in clocks]
cpu = time.process_time()
time.sleep(7)
moved = [c() - b for c, b in zip(clocks, before)]
[all(7 <= m < 13 for m in moved), time.process_time() - cpu < 6]
`);
  assertEquals(ran.ending, { kind: "json", json: "[true, true]" });
  assert(ran.durationMs < 6_500);
});

Deno.test("time: sleeps past the wall clock end the run", async () => {
  for (
    const code of [
      "import time\ntime.sleep(1e9)",
      "import select\nselect.poll().poll()",
      "import select\nselect.select([], [], [], 50)",
    ]
  ) {
    const { ending } = await run(code);
    assertEquals(ending.kind === "limit" && ending.limit, "wall clock", code);
  }
  assertEquals((await run("import time\ntime.sleep(9)\n1")).ending.kind, "text");
});

Deno.test("time: the C library's own sleeps take little work, and last little longer than requested", async () => {
  const code = `
import sqlite3, time
first, second = (sqlite3.connect("a.db", timeout=4) for _ in "ab")
first.execute("create table t(x)")
first.execute("begin immediate")
start = time.monotonic()
try:
    second.execute("begin immediate")
except sqlite3.OperationalError as error:
    print(error, 4 <= time.monotonic() - start < 7.5)
`;
  const { stdout, fuelConsumed } = await run(code);
  assertEquals(stdout, "database is locked True\n");
  assert(fuelConsumed < 100_000_000, `${fuelConsumed}`);
});

Deno.test("time: the sleep of a reimported module is virtual too", async () => {
  const code =
    "import sys, time\ndel sys.modules['time']\nimport time as fresh\nstart = fresh.monotonic()\nfresh.sleep(4)\n4 <= fresh.monotonic() - start < 7.5";
  const ran = await run(code);
  assertEquals(ran.ending, { kind: "text", text: "True" });
  assert(ran.durationMs < 3_500);
});

Deno.test("time: randomness is new in each run", async () => {
  const sources = [
    "random.random()",
    "secrets.token_hex(8)",
    "uuid.uuid4().hex",
    "os.urandom(8)",
    "random.SystemRandom().random()",
    "random.Random().random()",
    "open('/dev/urandom', 'rb').read(8)",
    "uuid.uuid1().hex",
    "tempfile.mktemp()",
  ];
  for (const source of sources) {
    const code = `import random, secrets, uuid, os, tempfile\n${source}`;
    assertNotEquals(await valueOf(code), await valueOf(code), source);
  }
  assertEquals(await valueOf("hash('abc')"), await valueOf("hash('abc')"));
  assertEquals(
    await valueOf("import random\nrandom.seed(1)\nrandom.random()"),
    "0.13436424411240122",
  );
});

Deno.test("time: calendar records agree with Date", () => {
  const seed = 20_251_121;
  const random = seeded(seed);
  const memory = new GuestMemory();
  const wasm = new WebAssembly.Memory({ initial: 1 });
  memory.attach(wasm, new MemorySize(wasm, {}));
  for (let turn = 0; turn < 2000; turn++) {
    const seconds = Math.floor((random() - 0.5) * 2e11);
    writeCalendarTime(memory, 64, seconds);
    const date = new Date(seconds * 1000);
    const yearStart = new Date(0);
    yearStart.setUTCFullYear(date.getUTCFullYear(), 0, 1);
    const dayOfYear = Math.floor((date.getTime() - yearStart.getTime()) / 86_400_000);
    assertEquals(Array.from({ length: 8 }, (_, index) => memory.i32(64 + index * 4)), [
      date.getUTCSeconds(),
      date.getUTCMinutes(),
      date.getUTCHours(),
      date.getUTCDate(),
      date.getUTCMonth(),
      date.getUTCFullYear() - 1900,
      date.getUTCDay(),
      dayOfYear,
    ], `seed ${seed}, turn ${turn}, ${seconds}`);
    assertEquals(readCalendarTime(memory, 64), seconds);
  }
});

Deno.test("time: mktime puts fields into their ranges", async () => {
  assertEquals(
    await valueOf(
      "import time\ntime.mktime((2024, 14, -3, 25, 61, 61, 0, 0, 0)) == time.mktime((2025, 1, 28, 26, 2, 1, 0, 0, 0))",
    ),
    "True",
  );
});
