import { assertEquals } from "@std/assert";
import { KillMeter } from "../../gateway/admission.ts";
import { ServiceError } from "../../shared/errors.ts";
import { seeded } from "../support/random.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A meter with a clock that the test sets. */
function meter(killsPerMinute: number, killedSecondsPerMinute: number) {
  let now = 1_000_000;
  const kills = new KillMeter({ killsPerMinute, killedSecondsPerMinute }, () => now);
  return {
    at: (ms: number) => now = 1_000_000 + ms,
    kill: (seconds: number, tenant = "a") => kills.record(tenant, seconds * SECOND),
    /** Undefined when the tenant may run; otherwise the limit and its duration. */
    refused: (tenant = "a") => {
      try {
        kills.check(tenant);
        return undefined;
      } catch (thrown) {
        if (!(thrown instanceof ServiceError)) throw thrown;
        assertEquals([thrown.code, thrown.status], ["RATE_LIMITED", 429]);
        const { limit, retryAfterMs } = thrown.context;
        assertEquals(
          thrown.headers["retry-after"],
          String(Math.ceil(Number(retryAfterMs) / SECOND)),
        );
        return [limit, retryAfterMs];
      }
    },
  };
}

Deno.test("kill meter: runs are refused after more killed seconds than allowed, not after exactly as many", () => {
  const { at, kill, refused } = meter(30, 60);
  kill(30);
  at(10 * SECOND);
  kill(30);
  assertEquals(refused(), undefined);
  at(20 * SECOND);
  kill(0.001);
  assertEquals(refused(), ["killed seconds", 40 * SECOND]);
  assertEquals(refused("b"), undefined);
  at(MINUTE - 1);
  assertEquals(refused(), ["killed seconds", 1]);
  at(MINUTE);
  assertEquals(refused(), undefined);
});

Deno.test("kill meter: the wait lasts until enough seconds have expired, not until the first has", () => {
  const { at, kill, refused } = meter(30, 60);
  for (const second of [0, 10, 20, 30]) {
    at(second * SECOND);
    kill(second === 20 ? 50 : 5);
  }
  kill(10);
  // 5 + 5 + 50 + 5 + 10: without the first two it is still 65
  assertEquals(refused(), ["killed seconds", 50 * SECOND]);
  at(79 * SECOND);
  assertEquals(refused(), ["killed seconds", 1 * SECOND]);
  at(80 * SECOND);
  assertEquals(refused(), undefined);
});

Deno.test("kill meter: the longer of two waits is reported", () => {
  const { at, kill, refused } = meter(2, 10);
  kill(1);
  at(10 * SECOND);
  kill(11);
  at(20 * SECOND);
  kill(1);
  assertEquals(refused(), ["killed seconds", 50 * SECOND]);
  at(30 * SECOND);
  kill(0);
  at(40 * SECOND);
  kill(0);
  assertEquals(refused(), ["kills", 40 * SECOND]);
});

Deno.test("kill meter: one overlong run blocks a tenant, and zero seconds allow no run", () => {
  const long = meter(30, 60);
  long.kill(300);
  assertEquals(long.refused(), ["killed seconds", MINUTE]);
  const none = meter(30, 0);
  none.kill(0);
  assertEquals(none.refused(), undefined);
  none.kill(0.01);
  assertEquals(none.refused(), ["killed seconds", MINUTE]);
});

Deno.test("kill meter: a tenant may run exactly after the reported wait", () => {
  const seed = 20261122;
  const random = seeded(seed);
  const { at, kill, refused } = meter(5, 20);
  let now = 0;
  for (let step = 0; step < 2_000; step++) {
    at(now += Math.floor(random() * 10 * SECOND));
    kill(random() * 8);
    const told = refused();
    if (told === undefined) continue;
    const end = now + Number(told[1]);
    at(end - 1);
    assertEquals(refused() === undefined, false, `seed ${seed}, step ${step}`);
    at(end);
    assertEquals(refused(), undefined, `seed ${seed}, step ${step}`);
    now = end;
  }
});

Deno.test("kill meter: kills more than a minute ago do not count", () => {
  const { at, kill, refused } = meter(0, 1);
  kill(5);
  assertEquals(refused(), ["kills", MINUTE]);
  at(MINUTE);
  assertEquals(refused(), undefined);
});
