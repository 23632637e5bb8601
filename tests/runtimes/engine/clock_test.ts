import { assertEquals } from "@std/assert";
import { RunClock } from "../../../runtimes/engine/clock.ts";

function sourceAt(time: { ms: number }) {
  return { now: () => 1_000_000 + time.ms, monotonic: () => time.ms };
}

Deno.test("run clock: time stands still until a run starts", () => {
  const time = { ms: 0 };
  const clock = new RunClock(sourceAt(time));
  const before = [clock.epoch(), clock.monotonic()];
  time.ms = 5_000;
  assertEquals([clock.epoch(), clock.monotonic()], before);
});

Deno.test("run clock: sleeping advances every clock of the run and takes no real time", () => {
  const time = { ms: 100 };
  const clock = new RunClock(sourceAt(time));
  clock.start();
  const [epoch, monotonic] = [clock.epoch(), clock.monotonic()];
  clock.sleep(2_000);
  time.ms += 5;
  assertEquals(clock.epoch() - epoch, 2_005);
  assertEquals(clock.monotonic() - monotonic, 2_005);
  assertEquals(clock.slept, 2_000);
});

Deno.test("run clock: invalid sleep durations count as zero", () => {
  const clock = new RunClock(sourceAt({ ms: 0 }));
  clock.start();
  for (const ms of [-5, NaN, -Infinity, 0]) clock.sleep(ms);
  assertEquals(clock.slept, 0);
});

Deno.test("run clock: each run begins without the sleeps of the previous run", () => {
  const clock = new RunClock(sourceAt({ ms: 0 }));
  clock.start();
  clock.sleep(1_000);
  clock.start();
  assertEquals(clock.slept, 0);
});
