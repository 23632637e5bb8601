/**
 * The cost of Python: the metered module against the published one, the engine against a native
 * python3, and a fresh stock Pyodide for each run.
 *
 * @module
 */
import { cpythonModule } from "../runtimes/languages/python/build/builder.ts";
import { ModulePatch } from "../wasm/metering/module_patch.ts";
import { createPythonEngine } from "../runtimes/languages/python/create.ts";
import type { PythonEngine } from "../runtimes/languages/python/engine.ts";
import { putLinuxErrors } from "../runtimes/languages/python/build/linux_errors_patch.ts";
import { builtIsolate } from "../tests/support/built.ts";
import { MEMORY_BYTES, SHARED_LIMITS } from "../shared/limits.ts";
import { unmetered } from "../wasm/metering/unmetered.ts";
import { PYTHON_PROGRAMS } from "./programs.ts";
import { geometricMean, ms, quantile, table, times } from "./stats.ts";
import { TRIVIAL } from "./trivial_runs.ts";

const ROUNDS = 9;
/** Warm-up rounds, in which V8 optimizes hot code. */
const WARM_UP_ROUNDS = 4;
const PYODIDE_RUNS = 7;

/**
 * Runs each program as often and prints for each its value and its median time in ms. Every
 * run has a namespace of its own, as in the engine.
 */
const NATIVE = `
import ast, json, statistics, sys, time
programs, rounds = json.load(sys.stdin)
def run(source):
    tree = ast.parse(source)
    last = compile(ast.Expression(tree.body.pop().value), "main.py", "eval")
    code = compile(tree, "main.py", "exec")
    namespace = {}
    exec(code, namespace)
    return str(eval(last, namespace))
answers = {}
for name, source in programs.items():
    sample = []
    for _ in range(rounds):
        start = time.perf_counter()
        value = run(source)
        sample.append((time.perf_counter() - start) * 1000)
    answers[name] = [value, statistics.median(sample)]
print(json.dumps([sys.version.split()[0], answers]))
`;

type NativeAnswers = readonly [
  version: string,
  Readonly<Record<string, readonly [string, number]>>,
];

/** Version, values and median times of native Python; undefined where there is none. */
async function nativeAnswers(): Promise<NativeAnswers | undefined> {
  try {
    const child = new Deno.Command("python3", {
      args: ["-c", NATIVE],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(JSON.stringify([PYTHON_PROGRAMS, ROUNDS])));
    await writer.close();
    return JSON.parse(new TextDecoder().decode((await child.output()).stdout));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function ratio(of: number, to: number | undefined): string {
  return to === undefined ? "–" : (of / to).toFixed(2);
}

/** One row for each program: published, metered and native; geometric means of the ratios. */
export async function pythonPrograms(): Promise<string> {
  const native = await nativeAnswers();
  const { plain, metered } = await pythonEngines();
  const toPlain: number[] = [];
  const toNative: number[] = [];
  const rows = Object.entries(PYTHON_PROGRAMS).map(([name, code]) => {
    const before: number[] = [];
    const after: number[] = [];
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      const [first, second] = [timedRun(plain, code), timedRun(metered, code)];
      const values = [first.value, second.value, native?.[1][name]?.[0] ?? second.value];
      if (new Set(values).size > 1) throw new Error(`${name}: the values are ${values.join()}`);
      if (round < 0) continue;
      before.push(first.ms);
      after.push(second.ms);
    }
    const [published, ours] = [quantile(before, 0.5), quantile(after, 0.5)];
    const theirs = native?.[1][name]?.[1];
    toPlain.push(ours / published);
    if (theirs !== undefined) toNative.push(ours / theirs);
    const cells = [ms(published), ms(ours), ratio(ours, published)];
    return [name, ...cells, theirs === undefined ? "–" : ms(theirs), ratio(ours, theirs)];
  });
  const means = [geometricMean(toPlain).toFixed(2), "", geometricMean(toNative).toFixed(2)];
  return table(
    ["program", "published, ms", "metered, ms", "ratio", `python3 ${native?.[0]}, ms`, "ratio"],
    [...rows, ["**geometric mean**", "", "", ...means]],
  );
}

/** Loads the published package and runs the trivial program, in a separate process. */
const PYODIDE = `
const start = performance.now();
const { loadPyodide } = await import("pyodide");
const pyodide = await loadPyodide({ stdout: () => undefined });
pyodide.runPython(Deno.args[0]);
console.log(performance.now() - start);
Deno.exit(0);
`;

/**
 * A stock Pyodide loaded afresh for each run, each in a Deno of its own: the time from the
 * import of the package to the end of the program, and with the process around it.
 */
export async function freshPyodide(): Promise<string> {
  const config = new URL("../deno.json", import.meta.url).pathname;
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(file, PYODIDE);
  const inside: number[] = [];
  const args = ["run", "--allow-all", "--config", config, file, TRIVIAL.python.code];
  const whole = await times(PYODIDE_RUNS, async () => {
    const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
    inside.push(Number(new TextDecoder().decode(stdout)));
  });
  await Deno.remove(file);
  return `A stock Pyodide, loaded afresh for a trivial run: ${
    ms(quantile(inside, 0.5))
  } ms, with a Deno process around it ${ms(quantile(whole, 0.5))} ms`;
}

/** All of it as markdown. */
export async function pythonBench(): Promise<string> {
  return [await pythonPrograms(), await freshPyodide()].join("\n\n");
}

if (import.meta.main) {
  const text = await pythonBench();
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

const LIMITS = { ...SHARED_LIMITS, fuel: Number.MAX_SAFE_INTEGER, wallMs: 3_600_000 };

/** The engine with the published code, and the built one. */
async function pythonEngines(): Promise<
  { readonly plain: PythonEngine; readonly metered: PythonEngine }
> {
  const { artifact } = await builtIsolate("python");
  const patch = new ModulePatch(await cpythonModule());
  putLinuxErrors(patch);
  const module = unmetered(patch.bytes, MEMORY_BYTES.python);
  const memoryBytes = MEMORY_BYTES.python;
  return {
    plain: await createPythonEngine({ ...artifact, module, memoryBytes }),
    metered: await createPythonEngine({ ...artifact, memoryBytes }),
  };
}

/** Runs a program in an instance at its baseline; returns its value as text and its time. */
function timedRun(
  engine: PythonEngine,
  code: string,
): { readonly value: string; readonly ms: number } {
  engine.reset();
  const { ending, durationMs } = engine.run(
    { code, env: new Map(), typescript: false, limits: LIMITS },
    () => true,
  );
  if (ending.kind !== "text") throw new Error(`The program ended with ${JSON.stringify(ending)}`);
  return { value: ending.text, ms: durationMs };
}
