import { assertEquals } from "@std/assert";
import { Admission } from "../../gateway/admission.ts";
import { ADMISSION_LIMITS, SANDBOX_QUOTAS } from "../../shared/limits.ts";
import { withTime } from "../store/fixture.ts";
import { until } from "../support/wait.ts";
import { Caller, sandboxProcess, withStore } from "./fixture.ts";

const TTL_MS = 1_000;

Deno.test("expiry: waiting runs keep their sandbox, although its time passes without a commit", () =>
  withTime(async (store, time) => {
    let isHeld = false;
    const held = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const places = new Admission(ADMISSION_LIMITS);
    let arrived = 0;
    const box = new Caller(sandboxProcess(store, {
      clock: time.clock,
      quotas: { ...SANDBOX_QUOTAS, idleTtlMs: TTL_MS },
      admission: {
        wait: (tenant) => {
          arrived++;
          return places.wait(tenant);
        },
        enter: (...how) => places.enter(...how),
      },
      onStep: async (step) => {
        if (!isHeld || step !== "ran") return;
        isHeld = false;
        held.resolve();
        await gate.promise;
      },
    }));
    await box.run("n = 1");
    isHeld = true;
    const caller = new AbortController();
    const going = box.send("POST", "/execute", { binding: "PYTHON", code: "n = 2" }, {
      signal: caller.signal,
    });
    await held.promise;
    const waiting = [1, 2, 3].map(() => box.run("n"));
    await until(() => arrived === 5);
    await time.advance(0); // they proceed as far as they can
    time.now += 2 * TTL_MS;
    caller.abort();
    gate.resolve();
    assertEquals((await going).status, 499);
    const answers = await Promise.all(waiting);
    assertEquals(answers.map(({ executionCount }) => executionCount).sort(), [2, 3, 4]);
    time.now += 2 * TTL_MS;
    assertEquals((await box.run("n = 1"))["executionCount"], 1);
  }));

Deno.test("expiry: runs that arrive exactly at expiry do not fail", () =>
  withStore(async (store) => {
    let now = 1_000_000;
    const box = new Caller(sandboxProcess(store, {
      clock: () => now,
      quotas: { ...SANDBOX_QUOTAS, idleTtlMs: TTL_MS },
    }));
    for (let round = 0; round < 20; round++) {
      await box.run("n = 1");
      const early = box.run("n");
      for (let turn = 0; turn < round; turn++) await Promise.resolve();
      now += 2 * TTL_MS;
      const answers = await Promise.all([early, ...[1, 2, 3].map(() => box.run("n = 1"))]);
      const counts = answers.map(({ executionCount }) => Number(executionCount));
      assertEquals(new Set(counts.slice(1)).size, 3, counts.join());
      now += 2 * TTL_MS;
    }
  }));
