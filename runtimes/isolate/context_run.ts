/**
 * One run of a context inside the isolate. The state is restored, unless the isolate still holds
 * it, and the workspace is brought up to date. After the run both are captured.
 *
 * @module
 */
import type { Differences } from "../engine/baseline.ts";
import type { Ending, Engine, RunOutcome } from "../engine/engine.ts";
import { FileError } from "../files/file_error.ts";
import type { GuestFileSystem } from "../files/guest_file_system.ts";
import { WORKSPACE } from "../../client/protocol/paths.ts";
import type { WorkspaceEntry } from "../files/workspace_tree.ts";
import type { ContextAnswerHead, ContextRunHead, FileHead } from "./protocol.ts";
import type { EngineState } from "../engine/snapshot/engine_state.ts";
import { type Capture, Snapshotter } from "../engine/snapshot/snapshotter.ts";
import { MAX_TIME_MS } from "../engine/time_value.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Fuel for each changed page of a capture: compression takes 10 to 50 µs, at 10,000 to 20,000 units
 * per microsecond.
 */
const CAPTURE_PAGE_FUEL = 600_000;
/** Pages that a capture takes without a price: ordinary steps change fewer. */
const FREE_CAPTURE_PAGES = 512;

/** The options of {@link ContextRunner}. */
export interface ContextRunnerOptions {
  readonly engine: Engine;
  readonly state: EngineState;
  /** Most bytes of linear memory that a guest may have. */
  readonly memoryBytes: number;
  random(target: Bytes): void;
  /** Monotonic milliseconds. */
  monotonic(): number;
}

/** The outcome of a run in a context. */
export interface ContextOutcome {
  readonly outcome: RunOutcome;
  /** Undefined when it cannot be continued; the engine then needs a reset. */
  readonly state:
    | { readonly head: ContextAnswerHead; readonly parts: readonly Bytes[] }
    | undefined;
}

/** The state that an engine holds after a run. */
interface LoadedState {
  readonly run: number;
  readonly differences: Differences | undefined;
}

/** The message asks for a state that this process does not hold. */
class ContextRunError extends Error {
  override name = "ContextRunError";
}

/** Runs programs of contexts on one engine. */
export class ContextRunner {
  readonly #options: ContextRunnerOptions;
  readonly #snapshotter: Snapshotter;
  /** The run whose state the engine holds; the guest has not run since it was captured. */
  #loaded: LoadedState | undefined;
  /** The directories of the workspace before the next run. */
  #directories: readonly string[] = [];

  constructor(options: ContextRunnerOptions) {
    this.#options = options;
    this.#snapshotter = new Snapshotter(options.state, options);
  }

  /** Puts the engine back to a baseline (see `Engine`) and forgets the state that it held. */
  reset(preloaded?: boolean): void {
    const { state: { baseline }, engine } = this.#options;
    const known = this.#loaded?.differences;
    this.#loaded = undefined;
    baseline.knowing(known, () => engine.reset(preloaded));
  }

  /**
   * Brings state and workspace to what the head says. `preloaded`: the baseline of the context.
   * Throws when that is impossible.
   */
  prepare(head: ContextRunHead, parts: readonly Bytes[], preloaded = false): void {
    const segments = head.snapshot?.segments ?? 0;
    if (parts.length !== segments + head.files.length) throw new ContextRunError("parts missing");
    if (head.resume === undefined) this.#start(head, parts.slice(0, segments), preloaded);
    else if (head.resume !== this.#loaded?.run) {
      throw new ContextRunError("the isolate has another state");
    }
    const { files } = this.#options.state;
    const isChanged = updateWorkspace(files, head, parts.slice(segments));
    if (isChanged || head.resume === undefined) this.#directories = directories(files);
  }

  /** The directory to run in: the given one if it exists. */
  workingDirectory(path: string): string {
    return isDirectory(this.#options.state.files, path) ? path : WORKSPACE;
  }

  /**
   * Runs the program and captures the state after it. The capture costs fuel too, of at most
   * `fuel` together with the program.
   */
  run(
    run: number,
    head: ContextRunHead,
    { fuel, execute }: { readonly fuel: number; readonly execute: () => RunOutcome },
  ): ContextOutcome {
    const { state, monotonic } = this.#options;
    this.#loaded = undefined;
    const mark = state.files.mark();
    state.clock.continueFrom(head.clock);
    const executed = execute();
    if (!executed.intact || !isContinued(executed.ending)) {
      return { outcome: executed, state: undefined };
    }
    const ended = monotonic();
    const clock = state.clock.reading();
    const left = state.workingDirectory();
    state.endRun();
    let fuelConsumed = executed.fuelConsumed;
    const capture = this.#snapshotter.capture(head.snapshotBytes, (pages) => {
      fuelConsumed += captureFuel(pages);
      return fuelConsumed <= fuel;
    });
    if (fuelConsumed > fuel) return { outcome: over(executed, "fuel", fuel), state: undefined };
    if (capture === undefined) {
      return { outcome: over(executed, "snapshot", fuelConsumed), state: undefined };
    }
    const outcome = { ...executed, fuelConsumed };
    const files = changedFiles(state.files, mark);
    const dirs = directories(state.files);
    const isSame = isEqual(dirs, this.#directories);
    this.#directories = dirs;
    this.#loaded = { run, differences: capture.differences };
    const answer: ContextAnswerHead = {
      ...capturedHead(capture),
      cwd: this.workingDirectory(left),
      clock,
      ...(isSame ? {} : { dirs }),
      files: files.written.map(({ path, mtimeMs }): FileHead => [path, dateOf(mtimeMs)]),
      deleted: files.deleted,
      captureMs: monotonic() - ended,
    };
    const contents = files.written.map(({ bytes }) => new Uint8Array(bytes));
    return { outcome, state: { head: answer, parts: [capture.segment, ...contents] } };
  }

  #start(head: ContextRunHead, segments: readonly Bytes[], preloaded: boolean): void {
    this.reset(preloaded);
    const { state } = this.#options;
    const baseline = { memoryBytes: state.memory().length, globals: state.globals() };
    const { memoryBytes, globals } = head.snapshot ?? baseline;
    this.#snapshotter.restore({ memoryBytes, globals, segments });
  }
}

/** Whether the state after a run with this ending is continued (docs/contract.md#state-of-a-context). */
function isContinued(ending: Ending): boolean {
  if (ending.kind === "limit") return ending.limit === "result" || ending.limit === "display";
  return ending.kind !== "crash";
}

function captureFuel(pages: number): number {
  return CAPTURE_PAGE_FUEL * Math.max(0, pages - FREE_CAPTURE_PAGES);
}

function over(
  outcome: RunOutcome,
  limit: "fuel" | "snapshot",
  fuelConsumed: number,
): RunOutcome {
  return { ...outcome, fuelConsumed, ending: { kind: "limit", limit, traceback: [] } };
}

function capturedHead(
  { memoryBytes, globals, pages, reusedSegments }: Capture,
): Pick<ContextAnswerHead, "memoryBytes" | "globals" | "pages" | "reusedSegments"> {
  return { memoryBytes, globals, pages, reusedSegments };
}

/** The nearest valid date: a guest can set any time. */
function dateOf(timeMs: number): number {
  return Math.max(-MAX_TIME_MS, Math.min(MAX_TIME_MS, timeMs));
}

function isDirectory(files: GuestFileSystem, path: string): boolean {
  const [root, folder, ...names] = path.split("/");
  if (root !== "" || `/${folder}` !== WORKSPACE) return false;
  if (names.some((name) => name === "" || name === "." || name === "..")) return false;
  try {
    return files.resolve(path).kind === "directory";
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** Removes, creates and writes what the head names, and touches nothing else. False: nothing. */
function updateWorkspace(
  files: GuestFileSystem,
  head: ContextRunHead,
  contents: readonly Bytes[],
): boolean {
  if (head.resume === undefined || head.removed.length + head.files.length > 0) {
    const replaced = new Set([...head.removed, ...head.files.map(([path]) => path)]);
    const entries = files.exportWorkspace().filter(({ path }) => !replaced.has(path));
    const written = head.files.map(([path, mtimeMs], index): WorkspaceEntry => ({
      kind: "file",
      path,
      mtimeMs,
      bytes: contents[index] ?? new Uint8Array(),
    }));
    files.importWorkspace([...entries, ...written]);
  }
  for (const path of head.dirs) if (!isDirectory(files, path)) makeDirectories(files, path);
  return head.removed.length + head.files.length + head.dirs.length > 0;
}

function isEqual(paths: readonly string[], others: readonly string[]): boolean {
  return paths.length === others.length && paths.every((path, index) => path === others[index]);
}

function makeDirectories(files: GuestFileSystem, path: string): void {
  const parent = path.slice(0, path.lastIndexOf("/"));
  if (!isDirectory(files, parent)) makeDirectories(files, parent);
  files.makeDirectory(path);
}

type FileEntry = WorkspaceEntry & { readonly kind: "file" };

function changedFiles(
  files: GuestFileSystem,
  mark: ReturnType<GuestFileSystem["mark"]>,
): { readonly written: readonly FileEntry[]; readonly deleted: readonly string[] } {
  const { created, updated, deleted } = files.changesSince(mark);
  const written = [...created, ...updated].filter((entry) => entry.kind === "file");
  return { written, deleted };
}

function directories(files: GuestFileSystem): readonly string[] {
  return files.exportWorkspace().filter(({ kind }) => kind === "directory").map(({ path }) => path);
}
