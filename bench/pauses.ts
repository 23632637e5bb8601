/**
 * The cost of an isolate's work after a pause: context steps in this process, back to back, after a busy
 * wait, and after a sleep as long. The work is the same each time; a processor that has slept does it
 * slower.
 *
 * `deno run --allow-all --v8-flags=--stack-size=4000 bench/pauses.ts [pause in ms] [steps]`
 *
 * @module
 */
import { createJavaScriptEngine } from "../runtimes/languages/javascript/create.ts";
import type { Engine } from "../runtimes/engine/engine.ts";
import { createPythonEngine } from "../runtimes/languages/python/create.ts";
import { Snapshotter } from "../runtimes/engine/snapshot/snapshotter.ts";
import { builtIsolate } from "../tests/support/built.ts";
import { WIDE_LIMITS } from "../tests/support/engine_runs.ts";
import { pause } from "../tests/support/wait.ts";
import { MEMORY_BYTES } from "../shared/limits.ts";
import { ms, quantile, table } from "./stats.ts";

const PAUSE_MS = 3;
const STEPS = 300;
/** The kinds of pauses take turns, because the machine is not equally fast all the time. */
const STEPS_IN_TURN = 10;
const WARM_UP_STEPS = 600;
const MAX_SNAPSHOT_BYTES = 1 << 30;

/** Engines, and a program for each that changes one variable. */
const SUBJECTS = [
  {
    language: "javascript",
    create: createJavaScriptEngine,
    code: "globalThis.n = (globalThis.n ?? 0) + 1",
  },
  {
    language: "python",
    create: createPythonEngine,
    code: "n = globals().get('n', 0) + 1\nn",
  },
] as const;

/** Keeps the processor for a time. */
function waitBusily(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Ways to spend the time between two steps. */
const PAUSES: readonly (readonly [name: string, (milliseconds: number) => unknown])[] = [
  ["none", () => undefined],
  ["busy", waitBusily],
  ["asleep", pause],
];

/** Runs a program in a context and captures the state. Returns the times of both, ms. */
type Step = () => { readonly run: number; readonly capture: number };

/** Steps of an engine that is at its baseline. */
function stepsOf(engine: Engine, code: string, memoryBytes: number): Step {
  const { state } = engine;
  if (state === undefined) throw new Error("The engine has no contexts");
  const snapshotter = new Snapshotter(state, {
    memoryBytes,
    random: (target) => void crypto.getRandomValues(target),
  });
  const request = { code, env: new Map(), typescript: false, limits: WIDE_LIMITS, inContext: true };
  return () => {
    const began = performance.now();
    const { ending } = engine.run(request, () => true);
    const ran = performance.now();
    const captured = snapshotter.capture(MAX_SNAPSHOT_BYTES);
    const run = { run: ran - began, capture: performance.now() - ran };
    if (ending.kind === "text" && captured !== undefined) return run;
    throw new Error(`A step ended with ${JSON.stringify(ending)}`);
  };
}

async function main(): Promise<void> {
  const [pauseMs = PAUSE_MS, steps = STEPS] = Deno.args.map(Number);
  const rows: string[][] = [];
  for (const { language, create, code } of SUBJECTS) {
    const memoryBytes = MEMORY_BYTES[language];
    const { artifact } = await builtIsolate(language);
    const engine = await create({ ...artifact, memoryBytes });
    engine.reset();
    const step = stepsOf(engine, code, memoryBytes);
    for (let n = 0; n < WARM_UP_STEPS; n++) step();
    const taken = PAUSES.map((): ReturnType<Step>[] => []);
    for (let n = 0; n < steps; n += STEPS_IN_TURN) {
      for (const [index, [, wait]] of PAUSES.entries()) {
        for (let turn = 0; turn < STEPS_IN_TURN; turn++) {
          await wait(pauseMs);
          taken[index]?.push(step());
        }
      }
    }
    let first: number | undefined;
    for (const [index, [name]] of PAUSES.entries()) {
      const run = quantile(taken[index]?.map(({ run }) => run) ?? [], 0.5);
      const capture = quantile(taken[index]?.map(({ capture }) => capture) ?? [], 0.5);
      first ??= run + capture;
      rows.push([language, name, ms(run), ms(capture), ((run + capture) / first).toFixed(2)]);
    }
  }
  const head = ["language", `pause of ${pauseMs} ms`, "run, ms", "capture, ms", "×"];
  await Deno.stdout.write(new TextEncoder().encode(`${table(head, rows)}\n`));
}

await main();
