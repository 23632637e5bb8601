/**
 * What an isolate's work costs after a pause: context steps in this process, back to back, after a busy
 * wait, and after a sleep as long. The work is the same each time; a processor that has slept does it
 * slower.
 *
 * `deno run --allow-all --v8-flags=--stack-size=4000 bench/pauses.ts [pause in ms] [steps]`
 *
 * @module
 */
import { createJavaScriptEngine } from "../runtimes/isolate/javascript/create.ts";
import type { Engine } from "../runtimes/isolate/engine.ts";
import { createPythonEngine } from "../runtimes/isolate/python/create.ts";
import { Snapshotter } from "../runtimes/isolate/snapshot/snapshotter.ts";
import { builtIsolate, TEST_STACK_BYTES } from "../tests/support/built.ts";
import { WIDE_LIMITS } from "../tests/support/engine_runs.ts";
import { pause } from "../tests/support/wait.ts";
import { MEMORY_BYTES } from "../wire/limits.ts";
import { ms, quantile, table } from "./stats.ts";

const PAUSE_MS = 3;
const STEPS = 300;
const WARM_UP_STEPS = 600;
const MAX_SNAPSHOT_BYTES = 1 << 30;

/** A language with a program that changes one variable. */
interface Subject {
  readonly language: "javascript" | "python";
  readonly code: string;
  create(): Promise<Engine>;
}

const SUBJECTS: readonly Subject[] = [
  {
    language: "javascript",
    code: "globalThis.n = (globalThis.n ?? 0) + 1",
    create: async () => {
      const { artifact } = await builtIsolate("javascript");
      const memoryBytes = MEMORY_BYTES.javascript;
      return await createJavaScriptEngine({
        ...artifact,
        memoryBytes,
        stackBytes: TEST_STACK_BYTES,
      });
    },
  },
  {
    language: "python",
    code: "n = globals().get('n', 0) + 1\nn",
    create: async () => {
      const { artifact } = await builtIsolate("python");
      return await createPythonEngine({ ...artifact, memoryBytes: MEMORY_BYTES.python });
    },
  },
];

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

async function main(): Promise<void> {
  const [pauseMs = PAUSE_MS, steps = STEPS] = Deno.args.map(Number);
  const rows: string[][] = [];
  for (const { language, code, create } of SUBJECTS) {
    const engine = await create();
    const { state } = engine;
    if (state === undefined) throw new Error(`${language} has no contexts`);
    const snapshotter = new Snapshotter(state, {
      memoryBytes: MEMORY_BYTES[language],
      random: (target) => void crypto.getRandomValues(target),
    });
    engine.reset();
    const step = () => {
      const began = performance.now();
      const request = { code, env: new Map(), typescript: false, limits: WIDE_LIMITS };
      const { ending } = engine.run({ ...request, inContext: true }, () => true);
      if (ending.kind !== "text") throw new Error(`A step ended with ${JSON.stringify(ending)}`);
      const ran = performance.now();
      if (snapshotter.capture(MAX_SNAPSHOT_BYTES) === undefined) throw new Error("Too large");
      return [ran - began, performance.now() - ran] as const;
    };
    for (let n = 0; n < WARM_UP_STEPS; n++) step();
    let first: number | undefined;
    for (const [name, wait] of PAUSES) {
      const taken: (readonly [run: number, capture: number])[] = [];
      for (let n = 0; n < steps; n++) {
        await wait(pauseMs);
        taken.push(step());
      }
      const run = quantile(taken.map(([run]) => run), 0.5);
      const capture = quantile(taken.map(([, capture]) => capture), 0.5);
      first ??= run + capture;
      rows.push([language, name, ms(run), ms(capture), ((run + capture) / first).toFixed(2)]);
    }
  }
  const head = ["language", `pause of ${pauseMs} ms`, "run, ms", "capture, ms", "×"];
  await Deno.stdout.write(new TextEncoder().encode(`${table(head, rows)}\n`));
}

await main();
