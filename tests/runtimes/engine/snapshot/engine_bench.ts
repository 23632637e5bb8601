/** Engines that run programs of contexts, and the state kept between the runs. */
import { ContextRunner } from "../../../../runtimes/isolate/context_run.ts";
import type { Ending, Engine, RunLimits } from "../../../../runtimes/engine/engine.ts";
import { createJavaScriptEngine } from "../../../../runtimes/languages/javascript/create.ts";
import { createPerlEngine } from "../../../../runtimes/languages/perl/create.ts";
import { createRubyEngine } from "../../../../runtimes/languages/ruby/create.ts";
import { limitOutput } from "../../../../runtimes/isolate/output.ts";
import type { ContextAnswerHead, ContextRunHead } from "../../../../runtimes/isolate/protocol.ts";
import { createPythonEngine } from "../../../../runtimes/languages/python/create.ts";
import type { EngineState } from "../../../../runtimes/engine/snapshot/engine_state.ts";
import type { Snapshot } from "../../../../runtimes/engine/snapshot/snapshotter.ts";
import { MEMORY_BYTES, SHARED_LIMITS } from "../../../../shared/limits.ts";
import { ALL_CONTEXTS, builtIsolate, TEST_STACK_BYTES } from "../../../support/built.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const CREATORS = {
  javascript: createJavaScriptEngine,
  python: createPythonEngine,
  perl: createPerlEngine,
  ruby: createRubyEngine,
};

/** A language that has contexts. */
export type ContextLanguage = keyof typeof CREATORS;

/** All of them. */
export const SNAPSHOT_LANGUAGES = Object.keys(CREATORS) as readonly ContextLanguage[];

const LIMITS: RunLimits = { ...SHARED_LIMITS, fuel: 10_000_000_000 };

/** The state of a context between its runs. */
export interface ContextState {
  readonly snapshot: Snapshot;
  readonly cwd: string;
}

/** A file of the workspace. */
export interface GivenFile {
  readonly path: string;
  readonly text: string;
  readonly mtimeMs?: number;
}

/** The input of a run other than its code. */
export interface RunOptions {
  /** The state to restore; the baseline when absent. `resume`: the engine's current state. */
  readonly from?: ContextState | "resume" | undefined;
  readonly files?: readonly GivenFile[];
  readonly removed?: readonly string[];
  readonly dirs?: readonly string[];
  readonly cwd?: string;
  readonly stdin?: string;
  readonly limits?: Partial<RunLimits>;
  readonly snapshotBytes?: number;
}

/** The outcome of a run. */
export interface ContextRan {
  readonly ending: Ending;
  /** Of the program and the capture. */
  readonly fuelConsumed: number;
  /** The value as text, or how else the run ended. */
  readonly shown: string;
  readonly output: string;
  /** Undefined when it cannot be continued. */
  readonly state: ContextState | undefined;
  readonly head: ContextAnswerHead | undefined;
  /** Contents of the files in `head.files`. */
  readonly contents: readonly string[];
}

/** One engine and the contexts that take turns on it. */
export class EngineBench {
  readonly engine: Engine;
  readonly state: EngineState;
  readonly #runner: ContextRunner;
  #segments: readonly Bytes[] = [];
  #runs = 0;

  private constructor(engine: Engine, state: EngineState, memoryBytes: number) {
    this.engine = engine;
    this.state = state;
    this.#runner = new ContextRunner({
      engine,
      state,
      memoryBytes,
      random: (target) => void crypto.getRandomValues(target),
      monotonic: () => performance.now(),
    });
  }

  static async create(language: ContextLanguage): Promise<EngineBench> {
    const { artifact } = await builtIsolate(language, ALL_CONTEXTS);
    const memoryBytes = MEMORY_BYTES[language];
    const engine: Engine = await CREATORS[language]({
      ...artifact,
      image: artifact.image.slice(),
      memoryBytes,
      stackBytes: TEST_STACK_BYTES,
    });
    if (engine.state === undefined) throw new Error("the engine has no state");
    return new EngineBench(engine, engine.state, memoryBytes);
  }

  run(code: string, options: RunOptions = {}): ContextRan {
    const { from } = options;
    const stored = from === "resume" ? undefined : from;
    const head = headOf(options, from === "resume" ? this.#runs : undefined);
    const contents = (options.files ?? []).map(({ text }) => new TextEncoder().encode(text));
    const { segments = [] } = stored?.snapshot ?? {};
    this.#runner.prepare(head, [...segments, ...contents]);
    if (from !== "resume") this.#segments = segments;
    const run = ++this.#runs;
    const cwd = this.#runner.workingDirectory(head.cwd);
    const decoder = new TextDecoder();
    let written = "";
    const limits = { ...LIMITS, ...options.limits };
    const output = limitOutput(limits, (_stream, bytes) => {
      written += decoder.decode(bytes, { stream: true });
    });
    const { stdin } = options;
    const given = stdin === undefined ? {} : { stdin: new TextEncoder().encode(stdin) };
    const { outcome, state } = this.#runner.run(run, head, {
      fuel: limits.fuel,
      execute: () =>
        this.engine.run(
          { code, env: new Map(), typescript: false, cwd, inContext: true, limits, ...given },
          output.sink,
        ),
    });
    const [segment, ...contentsAfter] = state?.parts ?? [];
    if (state !== undefined && segment !== undefined) {
      this.#segments = [...this.#segments.slice(0, state.head.reusedSegments), segment];
    }
    const { ending, fuelConsumed } = outcome;
    return {
      ending,
      fuelConsumed,
      shown: shown(ending),
      output: written,
      state: state === undefined ? undefined : this.#stateOf(state.head),
      head: state?.head,
      contents: contentsAfter.map((bytes) => new TextDecoder().decode(bytes)),
    };
  }

  /** Puts the engine back to its baseline. */
  reset(): void {
    this.#runner.reset();
  }

  #stateOf({ memoryBytes, globals, cwd }: ContextAnswerHead): ContextState {
    return { snapshot: { memoryBytes, globals, segments: this.#segments }, cwd };
  }
}

function headOf(options: RunOptions, resume: number | undefined): ContextRunHead {
  const stored = options.from === "resume" ? undefined : options.from;
  const { snapshot } = stored ?? {};
  return {
    resume,
    snapshot: snapshot && { ...snapshot, segments: snapshot.segments.length },
    cwd: options.cwd ?? stored?.cwd ?? "/workspace",
    removed: options.removed ?? [],
    dirs: options.dirs ?? [],
    files: (options.files ?? []).map(({ path, mtimeMs = 0 }) => [path, mtimeMs]),
    snapshotBytes: options.snapshotBytes ?? SHARED_LIMITS.snapshotBytes,
  };
}

function shown(ending: Ending): string {
  switch (ending.kind) {
    case "text":
      return ending.text;
    case "json":
      return JSON.stringify(JSON.parse(ending.json));
    case "error":
      return `${ending.error.name}: ${ending.error.message}`;
    case "limit":
      return `limit: ${ending.limit}`;
    default:
      return ending.kind;
  }
}

/** The state after a run; fails when there is none. */
export function stateOf({ state, shown }: ContextRan): ContextState {
  if (state === undefined) throw new Error(`no state to continue: ${shown}`);
  return state;
}
