import { assertEquals } from "@std/assert";
import { Slices, slicesOf, stepsOf } from "../../shared/slices.ts";

/** Slices whose next turn comes when it is asked for. */
function manual() {
  const due: (() => void)[] = [];
  const slices = new Slices((next) => void due.push(next));
  const turn = async () => {
    due.shift()?.();
    await Promise.resolve();
  };
  return { slices, turn, due };
}

Deno.test("slices: one slice runs at a time, and tenants take turns", async () => {
  const { slices, turn, due } = manual();
  const order: string[] = [];
  const join = (tenant: string, what: string) =>
    slices.next(tenant).then(() => void order.push(what));
  const all = [join("a", "a1"), join("a", "a2"), join("a", "a3"), join("b", "b1")];
  assertEquals([order, due.length], [[], 1]);
  const seen: number[] = [];
  while (due.length > 0) {
    await turn();
    seen.push(order.length);
  }
  await Promise.all(all);
  assertEquals([order, seen], [["a1", "b1", "a2", "a3"], [1, 2, 3, 4]]);
  const later = slices.next("b");
  await turn();
  await later;
});

Deno.test("slices: short work keeps the thread, long work yields it", async () => {
  let given = 0;
  const slices = new Slices((next) => {
    given++;
    queueMicrotask(next);
  });
  const slicer = slicesOf("a", slices);
  await slicer.pause();
  assertEquals(given, 0);
  const began = performance.now();
  for (let step = 0; given === 0 && step < 50_000_000; step++) await slicer.pause();
  assertEquals([given, performance.now() - began > 1], [1, true]);
});

Deno.test("slices: a loop over values that are there already lets timers and others run", async () => {
  const ready = async (pause: () => Promise<void>) => {
    let [steps, isOver] = [0, false];
    const timer = setTimeout(() => {
      isOver = true;
    }, 20);
    for (; !isOver && steps < 50_000_000; steps++) await pause();
    clearTimeout(timer);
    return isOver;
  };
  const pauses = [stepsOf("a"), stepsOf("b"), stepsOf("a")];
  assertEquals(await Promise.all(pauses.map(ready)), [true, true, true]);
});

Deno.test("slices: a loop of few steps does not pause", async () => {
  let given = 0;
  const slices = new Slices((next) => {
    given++;
    queueMicrotask(next);
  });
  const pause = stepsOf("a", slices);
  for (let step = 0; step < 60; step++) await pause();
  assertEquals(given, 0);
});
