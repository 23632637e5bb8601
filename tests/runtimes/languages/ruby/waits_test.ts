/** Waiting is virtual: it takes no fuel, and ends at the wall-clock limit or at a Timeout. */
import { assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import { errorOf, run, shortEnding } from "./ruby.ts";

/** A program that only waits takes less. */
const LITTLE_FUEL = 10_000_000;

/** Waits that are endless or too long. */
const ENDLESS: readonly (readonly [code: string, method: string])[] = [
  ["sleep", "Kernel#sleep"],
  ["sleep nil", "Kernel#sleep"],
  ["Kernel.sleep", "Kernel.sleep"],
  ["sleep 3600", "Kernel#sleep"],
  ["IO.select(nil)", "IO.select"],
  ["IO.select([], nil, nil, nil)", "IO.select"],
  ["IO.select(nil, nil, nil, 50)", "IO.select"],
  ["select(nil, nil, nil)", "Kernel#select"],
  ["Kernel.select(nil, nil, nil)", "Kernel.select"],
];

/** Waits for another thread, which Ruby knows that none can end. */
const DEADLOCKS: readonly string[] = [
  "Queue.new.pop",
  "Queue.new.shift",
  "SizedQueue.new(1).tap { _1 << 1; _1 << 2 }",
  "m = Mutex.new; c = ConditionVariable.new; m.synchronize { c.wait(m) }",
  "m = Monitor.new; m.synchronize { m.new_cond.wait }",
  "Mutex.new.lock.sleep",
];

/** Waiting code, and its seconds of waiting when it may wait for 2. */
const WAITS: readonly (readonly [code: string, seconds: number])[] = [
  ["sleep", 2],
  ["sleep 1", 1],
  ["sleep 5", 2],
  ["IO.select(nil, nil, nil, 5)", 2],
  ["IO.select(nil, nil, nil, 1)", 1],
  ["IO.select([$stdin], [$stdout], nil, 5)", 0],
  ["Kernel.select(nil)", 2],
  ["Queue.new.pop", 2],
  ["Queue.new.deq(timeout: 1)", 1],
  ["Queue.new.tap { _1 << 1 }.pop", 0],
  ["SizedQueue.new(1).pop", 2],
  ["SizedQueue.new(1).tap { _1 << 1 }.push(2)", 2],
  ["SizedQueue.new(1).tap { _1 << 1 }.push(2, timeout: 1)", 1],
  ["m = Mutex.new; c = ConditionVariable.new; m.synchronize { c.wait(m) }", 2],
  ["m = Mutex.new; c = ConditionVariable.new; m.synchronize { c.wait(m, 1) }", 1],
  ["m = Monitor.new; m.synchronize { m.new_cond.wait(5) }", 2],
  ["Mutex.new.lock.sleep", 2],
  ["Timeout.timeout(9) { sleep }", 2],
  ["$stdin.read", 0],
  ["$stdin.wait_readable(5)", 0],
];

Deno.test("ruby waits: an endless wait is the wall-clock limit immediately", async () => {
  for (const [code, method] of ENDLESS) {
    const { ending, fuelConsumed } = await run(code);
    const traceback = [`main.rb:1:in '${method}'`, "main.rb:1:in '<main>'"];
    assertEquals(ending, { kind: "limit", limit: "wall clock", traceback }, code);
    assertLess(fuelConsumed, LITTLE_FUEL, code);
  }
});

Deno.test("ruby waits: a wait for another thread ends with Ruby's own error, with the program's frames", async () => {
  for (const code of DEADLOCKS) {
    const { ending, fuelConsumed } = await run(code);
    const error = errorOf(ending);
    assertEquals([error.name, error.lineNumber], ["fatal", 1], code);
    assertStringIncludes(error.message, "No live threads left. Deadlock?");
    assertEquals(/belljar/i.test(error.message + error.traceback.join()), false, error.message);
    assertLess(fuelConsumed, LITTLE_FUEL, code);
  }
});

Deno.test("ruby waits: a Timeout ends each wait exactly on time", async () => {
  for (const [code, seconds] of WAITS) {
    const program =
      `t = Time.now\nr = Timeout.timeout(2) { ${code}; "in time" } rescue $!.class.to_s\n` +
      `[(Time.now - t).round, r]`;
    const { ending, fuelConsumed } = await run(program);
    const result = seconds < 2 ? "in time" : "Timeout::Error";
    assertEquals(shortEnding(ending), `json [${seconds},"${result}"]`, code);
    assertLess(fuelConsumed, LITTLE_FUEL, code);
  }
});

Deno.test("ruby waits: arguments are checked as in Ruby", async () => {
  const wrong = [
    ["sleep 'x'", "TypeError"],
    ["sleep(-1)", "ArgumentError"],
    ["sleep 1, 2", "ArgumentError"],
    ["sleep Float::INFINITY", "RangeError"],
    ["IO.select", "ArgumentError"],
    ["IO.select(nil, nil, nil, 1, 2)", "ArgumentError"],
    ["IO.select(nil, nil, nil, 'x')", "TypeError"],
    ["IO.select([1])", "TypeError"],
    ["Queue.new.pop(true)", "ThreadError"],
    ["Queue.new.pop(true, timeout: 1)", "ArgumentError"],
    ["SizedQueue.new(1).tap { _1 << 1 }.push(2, true)", "ThreadError"],
  ] as const;
  for (const [code, name] of wrong) {
    for (const program of [code, `Timeout.timeout(2) { ${code} }`]) {
      assertEquals(errorOf((await run(program)).ending).name, name, program);
    }
  }
});
