import { assertEquals, assertThrows } from "@std/assert";
import type { Engine, RunOutcome } from "../../../runtimes/engine/engine.ts";
import { warmUp } from "../../../runtimes/engine/warm_up.ts";

const FAILED: RunOutcome = {
  ending: { kind: "crash" },
  fuelConsumed: 0,
  memoryBytes: 0,
  durationMs: 0,
  intact: false,
};

/** An engine whose programs crash, and what was asked of it. */
function recorder(baselines: 1 | 2) {
  const calls: string[] = [];
  let isPreloaded = false;
  const engine: Engine = {
    language: "python",
    healthy: true,
    run: ({ code, preloaded }) => {
      calls.push(`${code} ${preloaded === true} ${isPreloaded}`);
      return FAILED;
    },
    reset: (preloaded = isPreloaded) => {
      if (preloaded && baselines === 1) throw new RangeError("There is no second baseline");
      isPreloaded = preloaded;
      calls.push(`reset ${isPreloaded}`);
    },
  };
  return { engine, calls };
}

Deno.test("warmUp() begins each program on its baseline, and ends on the plain one", () => {
  const plain = recorder(1);
  warmUp(plain.engine, ["a", "b"]);
  assertEquals(plain.calls, ["a false false", "reset false", "b false false", "reset false"]);
  const second = recorder(2);
  warmUp(second.engine, ["a", "b"], { preloaded: true });
  assertEquals(second.calls, [
    "reset true",
    "a true true",
    "reset true",
    "b true true",
    "reset true",
    "reset false",
  ]);
});

Deno.test("warmUp() throws for a second baseline that the engine does not have", () => {
  const { engine, calls } = recorder(1);
  assertThrows(() => warmUp(engine, ["a"], { preloaded: true }), RangeError);
  assertEquals(calls, []);
});

Deno.test("warmUp() leaves out the programs that it has no time for", () => {
  const { engine, calls } = recorder(2);
  let left = 1;
  warmUp(engine, ["a", "b"], { preloaded: true, hasTime: () => left-- > 0 });
  assertEquals(calls, ["reset true", "a true true", "reset true", "reset false"]);
});
