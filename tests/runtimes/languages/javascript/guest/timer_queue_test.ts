/** The heap of timers by itself. */
import { assertEquals } from "@std/assert";
import {
  type Timer,
  TimerQueue,
} from "../../../../../runtimes/languages/javascript/guest/timer_queue.ts";
import { seeded } from "../../../../support/random.ts";

function timer(order: number): Timer {
  return {
    callback: undefined,
    args: [],
    self: undefined,
    delay: 1,
    repeats: false,
    wakeAt: 0,
    order,
    referenced: true,
    waiting: true,
  };
}

Deno.test("TimerQueue: returns entries by due time, then by order, and drops outdated ones", () => {
  const seed = 20_260_801;
  const random = seeded(seed);
  const queue = new TimerQueue();
  const live: { due: number; order: number }[] = [];
  for (let order = 0; order < 2_000; order++) {
    const item = timer(order);
    const due = Math.floor(random() * 50);
    queue.add({ timer: item, due, order });
    if (random() < 0.3) item.waiting = false;
    else if (random() < 0.1) item.order = -1;
    else live.push({ due, order });
  }
  live.sort((a, b) => a.due - b.due || a.order - b.order);
  const given: { due: number; order: number }[] = [];
  for (let next = queue.peek(); next !== undefined; next = queue.peek()) {
    given.push({ due: next.due, order: next.order });
    queue.remove();
  }
  assertEquals(given, live, `seed ${seed}`);
});
