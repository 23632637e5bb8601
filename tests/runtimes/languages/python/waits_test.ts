/**
 * Waiting for a lock is virtual, as sleep is: there is no other thread that could end it.
 */
import { assert, assertEquals } from "@std/assert";
import { run, show } from "./support.ts";

const IMPORTS =
  "import concurrent.futures, queue, signal, threading, time\nbegan = time.monotonic()\n";
/** Real time, shorter than any of the waits, and fuel that no wait needs. */
const SHORT_MS = 3_500;
const LITTLE_FUEL = 100_000_000;

Deno.test("waits: a timeout advances the clocks, and takes no time and no fuel", async () => {
  const waits = [
    "threading.Event().wait(4)",
    "lock = threading.Lock()\nlock.acquire()\nlock.acquire(timeout=4)",
    "queue.Queue().get(timeout=4)",
    "queue.SimpleQueue().get(timeout=4)",
    "q = queue.Queue(1)\nq.put(1)\nq.put(2, timeout=4)",
    "threading.Semaphore(0).acquire(timeout=4)",
    "threading.Barrier(2).wait(4)",
    "c = threading.Condition()\nwith c: c.wait(4)",
    "c = threading.Condition()\nwith c: c.wait_for(lambda: False, 4)",
    "concurrent.futures.Future().result(timeout=4)",
    "concurrent.futures.wait([concurrent.futures.Future()], timeout=4)",
    "for _ in range(4): threading.Event().wait(1)",
  ];
  for (const wait of waits) {
    const body = wait.split("\n").map((line) => `    ${line}`).join("\n");
    const ran = await run(
      `${IMPORTS}try:\n${body}\nexcept Exception: pass\n4 <= time.monotonic() - began < 7.5`,
    );
    assertEquals(ran.ending, { kind: "text", text: "True" }, wait);
    assert(ran.durationMs < SHORT_MS && ran.fuelConsumed < LITTLE_FUEL, wait);
  }
});

Deno.test("waits: an endless wait is the wall-clock limit immediately", async () => {
  const waits = [
    "threading.Event().wait()",
    "lock = threading.Lock()\nlock.acquire()\nlock.acquire()",
    "lock = threading.Lock()\nlock.acquire()\nwith lock: pass",
    "queue.Queue().get()",
    "queue.SimpleQueue().get()",
    "queue.Queue().join() or threading.Semaphore(0).acquire()",
    "threading.Barrier(2).wait()",
    "concurrent.futures.Future().result()",
    "signal.pause()",
    "threading.Event().wait(11)",
    "while True: threading.Event().wait(1)",
    "while True:\n    try: threading.Event().wait()\n    except BaseException: pass",
  ];
  for (const wait of waits) {
    const ran = await run(IMPORTS + wait);
    assert(ran.ending.kind === "limit" && ran.ending.limit === "wall clock", show(ran.ending));
    assert(ran.durationMs < SHORT_MS && ran.fuelConsumed < LITTLE_FUEL, wait);
    assert(
      ran.ending.traceback.some((line) => /main\.py", line \d+, in <module>/.test(line)),
      wait,
    );
  }
});

Deno.test("waits: a free lock is acquired, and a held one reports that", async () => {
  const ran = await run(`${IMPORTS}
lock, again = threading.Lock(), threading.RLock()
event, q = threading.Event(), queue.Queue()
event.set()
q.put(5)
[lock.acquire(), lock.acquire(False), lock.acquire(timeout=0), again.acquire(), again.acquire(timeout=1),
 event.wait(), event.wait(9), q.get(), time.monotonic() - began < 1]`);
  assertEquals(ran.ending, {
    kind: "json",
    json: "[true, false, false, true, true, true, true, 5, true]",
  });
});
