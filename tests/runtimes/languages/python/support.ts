/** The Python engine under test: made once for a file of tests, reset before every run. */
import { createPythonEngine } from "../../../../runtimes/languages/python/create.ts";
import { decodePythonImage } from "../../../../runtimes/languages/python/host/artifact.ts";
import type {
  PythonEngine,
  PythonEngineOptions,
} from "../../../../runtimes/languages/python/engine.ts";
import { cpythonModule } from "../../../../runtimes/languages/python/build/builder.ts";
import { meterCPython } from "../../../../runtimes/languages/python/build/metered_module.ts";
import { trampolineBytes } from "../../../../runtimes/languages/python/host/trampoline.ts";
import type {
  Ending,
  GuestError,
  OutputSink,
  RunLimits,
} from "../../../../runtimes/engine/engine.ts";
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { builtIsolate } from "../../../support/built.ts";
import { type Ran, runOn, WIDE_LIMITS } from "../../../support/engine_runs.ts";

export type { Ran } from "../../../support/engine_runs.ts";

/** Limits wide enough for any test that is not about them. */
export const LIMITS: RunLimits = WIDE_LIMITS;

const PAGE_BYTES = 65_536;

/** How a run differs from the default. */
export interface RunOptions {
  readonly limits?: Partial<RunLimits>;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly inContext?: boolean;
  readonly notebook?: boolean;
  readonly stdin?: string;
  /** Epoch milliseconds of a clock that stands. */
  readonly clock?: number;
  /** Accept at most this many bytes of output. */
  readonly outputBytes?: number;
}

let engine: Promise<PythonEngine> | undefined;

async function makeEngine(): Promise<PythonEngine> {
  const { artifact } = await builtIsolate("python");
  return await createPythonEngine({ ...artifact, memoryBytes: MEMORY_BYTES.python });
}

/** The engine of this file's tests. */
export function pythonEngine(): Promise<PythonEngine> {
  engine ??= makeEngine();
  return engine;
}

/** A second engine that shares only the built bytes with the first. */
export function anotherEngine(): Promise<PythonEngine> {
  return makeEngine();
}

let bootable: Promise<WebAssembly.Module> | undefined;

/** The module with its data, from which an image can be made; the built one lacks them. */
export function bootableModule(): Promise<WebAssembly.Module> {
  return bootable ??= cpythonModule().then(meterCPython).then((bytes) =>
    WebAssembly.compile(bytes)
  );
}

/** The options of an engine, with a clock and random bytes that can be replaced. */
export async function engineParts(): Promise<PythonEngineOptions> {
  const { artifact } = await builtIsolate("python");
  const { image, files } = decodePythonImage(artifact.image);
  return {
    module: await WebAssembly.compile(artifact.module),
    trampoline: await WebAssembly.compile(trampolineBytes()),
    image,
    readOnlyFiles: files,
    maximumPages: MEMORY_BYTES.python / PAGE_BYTES,
    time: { now: () => 0, monotonic: () => 0 },
    random: (target) => void target.fill(7),
  };
}

/** Runs a program in the engine's current state. */
export function runIn(on: PythonEngine, code: string, options: RunOptions = {}): Ran {
  let room = options.outputBytes ?? Infinity;
  const limited = (sink: OutputSink): OutputSink => (stream, bytes) => {
    if (bytes.length > room) return false;
    room -= bytes.length;
    return sink(stream, bytes);
  };
  const program = {
    code,
    env: new Map(Object.entries(options.env ?? {})),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.inContext === undefined ? {} : { inContext: options.inContext }),
    ...(options.notebook === undefined ? {} : { notebook: options.notebook }),
    ...(options.stdin === undefined ? {} : { stdin: new TextEncoder().encode(options.stdin) }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    limits: { ...LIMITS, ...options.limits },
  };
  return runOn(on, program, limited);
}

/** Runs a program on the pristine engine. */
export async function run(code: string, options: RunOptions = {}): Promise<Ran> {
  const on = await pythonEngine();
  on.reset();
  return runIn(on, code, options);
}

/** The error that a program ends with. */
export async function errorOf(code: string, options: RunOptions = {}): Promise<GuestError> {
  const { ending } = await run(code, options);
  if (ending.kind === "error") return ending.error;
  throw new Error(`no error but ${show(ending)} from ${code}`);
}

/** The value of a program as text; JSON as JSON text. */
export async function valueOf(code: string, options: RunOptions = {}): Promise<string> {
  const { ending } = await run(code, options);
  if (ending.kind === "text") return ending.text;
  if (ending.kind === "json") return ending.json;
  throw new Error(`no value but ${show(ending)} from ${code}`);
}

/** An ending in words, for messages of failures. */
export function show(ending: Ending): string {
  if (ending.kind !== "error") return JSON.stringify(ending);
  return `${ending.error.name}: ${ending.error.message}`;
}

/** The standard output of a program that ends well. */
export async function outputOf(code: string): Promise<string> {
  const { ending, stdout, stderr } = await run(code);
  if (ending.kind === "error" || ending.kind === "limit") throw new Error(show(ending));
  if (stderr !== "") throw new Error(stderr);
  return stdout;
}

/** The values, as JSON or text, of programs that run one after the other in a context. */
export async function valuesInContext(programs: readonly string[]): Promise<readonly unknown[]> {
  const on = await pythonEngine();
  on.reset();
  const values = programs.map((code) => {
    const { ending, stderr } = runIn(on, code, { inContext: true });
    on.state.endRun();
    if (stderr !== "") throw new Error(stderr);
    if (ending.kind === "none") return null;
    if (ending.kind === "json") return JSON.parse(ending.json);
    if (ending.kind === "text") return ending.text;
    throw new Error(`${show(ending)} from ${code}`);
  });
  on.reset();
  return values;
}
