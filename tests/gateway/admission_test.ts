import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Admission, KillMeter } from "../../gateway/admission.ts";
import { ServiceError } from "../../shared/errors.ts";
import { ADMISSION_LIMITS } from "../../shared/limits.ts";
import { ManualTime } from "../store/fixture.ts";
import { seeded } from "../support/random.ts";

const NEVER = new AbortController().signal;

function admissionOf(runsPerTenant: number, waitingPerTenant: number) {
  return new Admission({ ...ADMISSION_LIMITS, runsPerTenant, waitingPerTenant });
}

async function settled<T>(promise: Promise<T>): Promise<boolean> {
  let done = false;
  promise.then(() => done = true, () => done = true);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return done;
}

Deno.test("admission: runs wait when all places are taken, and go in order", async () => {
  const admission = admissionOf(1, 10);
  const leaveFirst = await admission.enter("a", NEVER);
  const second = admission.enter("a", NEVER);
  const third = admission.enter("a", NEVER);
  assertEquals(await settled(second), false);
  leaveFirst();
  const leaveSecond = await second;
  assertEquals(await settled(third), false);
  leaveSecond();
  (await third)();
  (await admission.enter("a", NEVER))();
});

Deno.test("admission: a place that is handed over is not free in between", async () => {
  const admission = admissionOf(1, 10);
  const leave = await admission.enter("a", NEVER);
  const waiting = admission.enter("a", NEVER);
  leave();
  const late = admission.enter("a", NEVER);
  const leaveWaiting = await waiting;
  assertEquals(await settled(late), false);
  leaveWaiting();
  (await late)();
});

Deno.test("admission: a caller beyond the longest queue is refused with 429", async () => {
  const admission = admissionOf(2, 1);
  const leaving = [await admission.enter("a", NEVER), await admission.enter("a", NEVER)];
  const waiting = admission.enter("a", NEVER);
  const error = await assertRejects(() => admission.enter("a", NEVER), ServiceError);
  assertEquals([error.code, error.status], ["RATE_LIMITED", 429]);
  assertEquals(error.headers["retry-after"], "1");
  for (const leave of leaving) leave();
  (await waiting)();
});

Deno.test("admission: tenants do not take each other's places", async () => {
  const admission = admissionOf(1, 0);
  const leave = await admission.enter("a", NEVER);
  (await admission.enter("b", NEVER))();
  (await admission.enter("__proto__", NEVER))();
  await assertRejects(() => admission.enter("a", NEVER), ServiceError);
  leave();
});

Deno.test("admission: a wait over the limit ends with 503 and leaves the queue", async () => {
  const time = new ManualTime(() => true);
  const limits = { ...ADMISSION_LIMITS, runsPerTenant: 1, waitingPerTenant: 1, maxWaitMs: 60_000 };
  const admission = new Admission(limits, time);
  const leave = await admission.enter("a", NEVER);
  const refused = assertRejects(() => admission.enter("a", NEVER), ServiceError);
  await time.advance(59_999);
  assertEquals(admission.counts().waiting, 1);
  await time.advance(1);
  const error = await refused;
  assertEquals([error.code, error.status], ["OVERLOADED", 503]);
  const next = admission.enter("a", NEVER);
  leave();
  (await next)();
});

Deno.test("admission: a caller that disconnects leaves the queue", async () => {
  const admission = admissionOf(1, 1);
  const leave = await admission.enter("a", NEVER);
  const caller = new AbortController();
  const waiting = admission.enter("a", caller.signal);
  const rejected = assertRejects(() => waiting, DOMException);
  caller.abort();
  await rejected;
  const next = admission.enter("a", NEVER);
  leave();
  (await next)();
});

Deno.test("admission: a disconnected caller takes no place", async () => {
  const admission = admissionOf(1, 0);
  await assertRejects(() => admission.enter("a", AbortSignal.abort()), DOMException);
  (await admission.enter("a", NEVER))();
});

Deno.test("admission: places are never lost, for any order of events", async () => {
  const seed = 20260101;
  const random = seeded(seed);
  const admission = admissionOf(3, 5);
  const leaves: (() => void)[] = [];
  let running = 0;
  for (let step = 0; step < 2000; step++) {
    if (random() < 0.5) {
      const caller = new AbortController();
      admission.enter("a", caller.signal).then(
        (leave) => {
          running++;
          leaves.push(leave);
        },
        () => undefined,
      );
      if (random() < 0.3) caller.abort();
    } else {
      const leave = leaves.splice(Math.floor(random() * leaves.length), 1)[0];
      if (leave !== undefined) {
        running--;
        leave();
      }
    }
    await Promise.resolve();
    await Promise.resolve();
    assertEquals(running <= 3, true, `seed ${seed}, step ${step}`);
  }
  for (;;) {
    await settled(Promise.resolve());
    const leave = leaves.pop();
    if (leave === undefined) break;
    leave();
  }
  const all = await Promise.all([1, 2, 3].map(() => admission.enter("a", NEVER)));
  const fourth = admission.enter("a", NEVER);
  assertEquals(await settled(fourth), false);
  for (const leave of all) leave();
  (await fourth)();
});

Deno.test("kill meter: runs are refused for the rest of the minute after more kills than allowed", () => {
  let now = 1_000_000;
  const kills = new KillMeter({ ...ADMISSION_LIMITS, killsPerMinute: 2 }, () => now);
  kills.check("a");
  for (const at of [0, 10_000, 30_000]) {
    now = 1_000_000 + at;
    kills.check("a");
    kills.record("a", 0);
  }
  const error = assertThrows(() => kills.check("a"), ServiceError);
  assertEquals([error.code, error.status], ["RATE_LIMITED", 429]);
  assertEquals(error.context, { limit: "kills", retryAfterMs: 30_000 });
  kills.check("b");
  now = 1_000_000 + 60_000;
  kills.check("a");
  kills.record("a", 0);
  assertThrows(() => kills.check("a"), ServiceError);
  now = 1_000_000 + 70_000;
  kills.check("a");
});

Deno.test("kill meter: with a limit of zero, the first kill blocks the tenant", () => {
  const kills = new KillMeter({ ...ADMISSION_LIMITS, killsPerMinute: 0 }, () => 0);
  kills.check("a");
  kills.record("a", 0);
  assertThrows(() => kills.check("a"), ServiceError);
});
