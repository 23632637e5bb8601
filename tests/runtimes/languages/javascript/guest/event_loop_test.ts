/** Timers, ticks and immediates: the order, time and lifetime of the event loop. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { errorOf, runGuest, runInTurn } from "./support.ts";

Deno.test("timers: timers run by time, and in their order at the same time", async () => {
  const { stdout } = await runGuest(`
for (const ms of [30, 10, 20, 10, 1, 0]) setTimeout(() => console.log(ms), ms);`);
  assertEquals(stdout, "1\n0\n10\n10\n20\n30\n");
});

Deno.test("timers: waiting advances all clocks and takes no time", async () => {
  const { stdout, durationMs } = await runGuest(`
const at = [Date.now(), performance.now(), process.hrtime.bigint()];
setTimeout(() => {
  console.log(Date.now() - at[0] >= 5000, performance.now() - at[1] >= 5000,
    process.hrtime.bigint() - at[2] >= 5000000000n, performance.now() - at[1] < 8000);
}, 5000);`);
  assertEquals(stdout, "true true true true\n");
  assert(durationMs < 4000);
});

Deno.test("timers: a timer that is set after long computing fires later", async () => {
  const { stdout } = await runGuest(`
setTimeout(() => console.log("early"), 20);
const start = Date.now();
while (Date.now() - start < 90);
setTimeout(() => console.log("late"), 0);`);
  assertEquals(stdout, "early\nlate\n");
});

Deno.test("timers: phases run in Node's order", async () => {
  const { stdout } = await runGuest(`
setTimeout(() => {
  console.log("t1");
  process.nextTick(() => console.log("t1 tick"));
  Promise.resolve().then(() => console.log("t1 job"));
  setImmediate(() => console.log("t1 immediate"));
}, 0);
setTimeout(() => console.log("t2"), 0);
setImmediate(() => {
  console.log("i1");
  setImmediate(() => console.log("i1 next round"));
  process.nextTick(() => console.log("i1 tick"));
});
setImmediate(() => console.log("i2"));`);
  assertEquals(
    stdout,
    "t1\nt1 tick\nt1 job\nt2\ni1\ni1 tick\ni2\nt1 immediate\ni1 next round\n",
  );
});

Deno.test("timers: handles can be cleared, refreshed and unreferenced", async () => {
  const { stdout, ending } = await runGuest(`
clearTimeout(setTimeout(() => console.log("cleared"), 1));
clearTimeout(+setTimeout(() => console.log("cleared by number"), 1));
clearImmediate(setImmediate(() => console.log("cleared immediate")));
let count = 0;
const interval = setInterval(() => { if (++count === 3) clearInterval(interval); }, 5);
const moved = setTimeout(() => console.log("moved", count), 10);
setTimeout(() => moved.refresh(), 9);
const left = setTimeout(() => console.log("left behind"), 1e6);
console.log(left.unref() === left, left.hasRef(), left.ref().hasRef());
left.unref();`);
  assertEquals(stdout, "true false true\nmoved 3\n");
  assertEquals(ending.kind, "text");
});

Deno.test("timers: an invalid callback is an error, an invalid delay is not", async () => {
  const { message } = await errorOf("setTimeout('code', 1)");
  assertStringIncludes(message, 'The "callback" argument must be of type function');
  const { stdout, stderr } = await runGuest(
    "for (const ms of [NaN, -1, 'x', undefined, 2 ** 40]) setTimeout(console.log, ms, ms)",
  );
  assertEquals(stdout.split("\n").length, 6);
  assertStringIncludes(stderr, "TimeoutOverflowWarning: 1099511627776 does not fit");
});

Deno.test("timers: a poll by immediates sees the timer it waits for", async () => {
  const { stdout } = await runGuest(`
let done = false;
setTimeout(() => { done = true; }, 2000);
(function poll() { done ? console.log("seen") : setImmediate(poll); })();`);
  assertEquals(stdout, "seen\n");
});

Deno.test("timers: an interval that is never cleared ends at the wall-clock limit", async () => {
  const { ending } = await runGuest("setInterval(() => {}, 1000)");
  assertEquals(ending, { kind: "limit", limit: "wall clock", traceback: [] });
});

Deno.test("timers: endless ticks, jobs and immediates end with the fuel", async () => {
  for (
    const code of [
      "(function f() { process.nextTick(f) })()",
      "(function f() { Promise.resolve().then(f) })()",
      "(function f() { setImmediate(f) })()",
    ]
  ) {
    const { ending } = await runGuest(code, { fuel: 200_000_000 });
    assertEquals(ending.kind === "limit" && ending.limit, "fuel", code);
  }
});

Deno.test("timers: timers of a failed run do not fire in the next run", async () => {
  const [first, second] = await runInTurn([
    "setTimeout(() => console.log('stale'), 5); throw new Error('x')",
    "setTimeout(() => console.log('fresh'), 10); process.exitCode",
  ]);
  assertEquals(first?.ending.kind, "error");
  assertEquals(second?.stdout, "fresh\n");
});

Deno.test("process: handlers of `exit` are called once, with the status", async () => {
  const { stdout, ending } = await runGuest(`
process.on("exit", (status) => console.log("exit", status));
process.once("beforeExit", () => setTimeout(() => console.log("more"), 1));
process.exitCode = 3;`);
  assertEquals(stdout, "more\nexit 3\n");
  assertEquals(ending, {
    kind: "error",
    error: { name: "SystemExit", message: "exit status 3", traceback: [] },
  });
});

Deno.test("process: exit ends the run immediately", async () => {
  const zero = await runGuest("process.on('exit', () => console.log('bye')); process.exit(0); 1");
  assertEquals(zero.stdout, "bye\n");
  assertEquals(zero.ending, { kind: "none" });
  const other = await errorOf("try { process.exit(7) } finally { console.log('never') }");
  assertEquals([other.name, other.message], ["SystemExit", "exit status 7"]);
});

Deno.test("process: a handler receives an error that a timer throws", async () => {
  const { stdout, ending } = await runGuest(`
process.on("uncaughtException", (error, origin) => console.log(error.message, origin));
setTimeout(() => { throw new Error("late") }, 1);
setTimeout(() => console.log("goes on"), 2);
undefined`);
  assertEquals(stdout, "late uncaughtException\ngoes on\n");
  assertEquals(ending.kind, "none");
});

Deno.test("jobs: a value that a job throws ends the run, a fractional number too", async () => {
  for (const thrown of ["new TypeError('x')", "'x'", "1", "1.5", "NaN", "1e300"]) {
    for (const queue of ["queueMicrotask", "process.nextTick"]) {
      const { ending } = await runGuest(`${queue}(() => { throw ${thrown} }); 7`);
      assertEquals([thrown, queue, ending.kind], [thrown, queue, "error"]);
    }
  }
});

Deno.test("jobs: a value that a job throws goes to the guest's handlers, and the other jobs run", async () => {
  const { stdout, ending } = await runGuest(`
process.on("uncaughtException", (error) => console.log("caught", error));
queueMicrotask(() => { throw 1.5 });
queueMicrotask(() => console.log("next"));
setTimeout(() => console.log("timer"));
"done"`);
  assertEquals(stdout, "caught 1.5\nnext\ntimer\n");
  assertEquals(ending, { kind: "text", text: "'done'" });
});

Deno.test("rejections: rejections in rejection handlers are reported too, and their jobs run", async () => {
  const { stdout, ending } = await runGuest(`
process.on("unhandledRejection", async (reason, promise) => {
  console.log(reason, promise instanceof Promise);
  if (reason < 3) Promise.reject(reason + 1);
  await null;
  console.log("after", reason);
});
Promise.reject(1);
"done"`);
  assertEquals(ending, { kind: "text", text: "'done'" });
  assertEquals(stdout.split("\n").filter((line) => !line.startsWith("after")), [
    ...["1 true", "2 true", "3 true"],
    "",
  ]);
  assertEquals(stdout.match(/after/g)?.length, 3);
});

Deno.test("rejections: ticks that a job adds run before a rejection is reported", async () => {
  const handled = await runGuest(`
process.on("unhandledRejection", (reason) => console.log("unhandled", reason));
Promise.resolve().then(() => {
  const late = Promise.reject("handled in a tick");
  const never = Promise.reject("never handled");
  process.nextTick(() => {
    console.log("tick");
    late.catch((reason) => console.log(reason));
    process.nextTick(() => queueMicrotask(() => console.log("job of a tick")));
  });
});
setTimeout(() => console.log("timer"));
"done"`);
  assertEquals(handled.ending, { kind: "text", text: "'done'" });
  assertEquals(handled.stdout.trim().split("\n"), [
    ...["tick", "handled in a tick", "job of a tick", "unhandled never handled", "timer"],
  ]);
  const thrown = await runGuest(`
Promise.resolve().then(() => {
  Promise.reject(new Error("rejected"));
  process.nextTick(() => { throw new Error("thrown") });
});`);
  assertEquals(thrown.ending.kind === "error" && thrown.ending.error.message, "thrown");
});

Deno.test("rejections: a handler that rejects endlessly ends with the fuel", async () => {
  const { ending } = await runGuest(
    `process.on("unhandledRejection", () => { Promise.reject(1) }); Promise.reject(1)`,
    { fuel: 200_000_000 },
  );
  assertEquals([ending.kind, ending.kind === "limit" && ending.limit], ["limit", "fuel"]);
});

Deno.test("errors: no code runs after a throw where only functions of a script await", async () => {
  const { stdout, ending } = await runGuest(`
process.nextTick(() => console.log("tick"));
async function f() { await 1; console.log("job") }
f();
throw new Error("x");`);
  assertEquals([stdout, ending.kind], ["", "error"]);
});

Deno.test("errors: a top-level error that a handler accepts is reported once, awaited or not", async () => {
  const handle = `process.on("uncaughtException", (e, origin) => console.log(e.message, origin));
process.on("unhandledRejection", (e) => console.log("rejected", e.message));`;
  for (const end of ["await 1; throw new Error('x')", "throw new Error('x'); await 1"]) {
    const { stdout, ending } = await runGuest(`${handle}\n${end}`);
    assertEquals([stdout, ending.kind], ["x uncaughtException\n", "none"], end);
  }
  const { stdout } = await runGuest(`${handle}\nPromise.reject(new Error("last"))`);
  assertEquals(stdout, "rejected last\n");
});
