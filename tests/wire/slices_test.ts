import { assertEquals } from "@std/assert";
import { Slices, slicesOf } from "../../wire/slices.ts";

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

Deno.test("slices: one at a time, and tenants take turns", async () => {
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
  for (const until = performance.now() + 20; performance.now() < until;) await slicer.pause();
  assertEquals([given > 0, given <= 20], [true, true]);
});
