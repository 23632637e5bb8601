// test: long
/**
 * numpy lets a guest write anywhere in its memory. Whatever it writes, the engine answers, can be
 * captured, and is put back whole.
 */
import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { Snapshotter } from "../../../../runtimes/engine/snapshot/snapshotter.ts";
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { runOn, WIDE_LIMITS } from "../../../support/engine_runs.ts";
import { engineWithWheels, runWithWheels, wheelTest } from "../../../support/native_wheels.ts";
import { printedSeed, seededBelow } from "../../../support/random.ts";
import { show } from "./support.ts";

const FUEL = 300_000_000;
/** The first address that numpy takes for one. */
const FIRST = 8;
/** Gives `write(address, bytes)`: an array can be made of any address. */
const ALL_OF_MEMORY = `
import numpy as np
class All:
    __array_interface__ = {"data": (${FIRST}, False), "shape": (BYTES,), "typestr": "|u1", "version": 3}
memory = np.asarray(All())
def write(where, values):
    memory[where - ${FIRST}:where - ${FIRST} + len(values)] = values
`;

function withMemory(bytes: number, code: string): string {
  return `${ALL_OF_MEMORY.replace("BYTES", String(bytes - FIRST))}\n${code}`;
}

wheelTest("native memory: random writes anywhere leave an engine that answers and is reset", [
  "numpy",
], async () => {
  const seed = printedSeed("native writes");
  const below = seededBelow(seed);
  const engine = await engineWithWheels();
  engine.reset();
  const { state } = engine;
  const baseline = state.memory().slice();
  const snapshotter = new Snapshotter(state, {
    memoryBytes: MEMORY_BYTES.python,
    random: (target) => void crypto.getRandomValues(target),
  });
  const limits = { ...WIDE_LIMITS, fuel: FUEL };
  for (let round = 0; round < 60; round++) {
    snapshotter.forget();
    const fill = ["np.random.randint(0, 256, n)", "np.full(n, 255)", "np.zeros(n)"][below(3)];
    const writes = Array.from(
      { length: 1 + below(8) },
      () =>
        `n = ${1 + below(1 << below(18))}; write(${
          FIRST + below(baseline.length - (1 << 18))
        }, ${fill})`,
    );
    const code = withMemory(baseline.length, writes.join("\n"));
    runOn(engine, { code, inContext: true, limits });
    for (const [from, to] of state.liveSpans()) assert(from >= 0 && to >= 0, `seed ${seed}`);
    snapshotter.capture(1 << 22);
    runOn(engine, { code: "import numpy; numpy.arange(9).sum()", inContext: true, limits });
    engine.reset();
    assert(Buffer.compare(state.memory(), baseline) === 0, `seed ${seed}, round ${round}`);
  }
  const { ending } = await runWithWheels("1 + 1");
  assert(ending.kind === "text" && ending.text === "2", show(ending));
});

wheelTest("native memory: an array reaches all of it", ["numpy"], async () => {
  const engine = await engineWithWheels();
  engine.reset();
  const { stackBase } = engine.state.baseline.head as { readonly stackBase: number };
  const code = withMemory(engine.state.memory().length, `write(${stackBase}, [7, 6, 5])`);
  runOn(engine, { code, limits: WIDE_LIMITS });
  assertEquals([...engine.state.memory().subarray(stackBase, stackBase + 3)], [7, 6, 5]);
});

wheelTest("native memory: a write at the end of the stack is a stack overflow", [
  "numpy",
], async () => {
  const engine = await engineWithWheels();
  engine.reset();
  const { stackEnd } = engine.state.baseline.head as { readonly stackEnd: number };
  const code = withMemory(engine.state.memory().length, `write(${stackEnd + 100}, [1])`);
  const { ending, intact } = await runWithWheels(code);
  assert(ending.kind === "error", show(ending));
  assertEquals([ending.error.name, intact], ["RecursionError", false]);
});
