/**
 * The callbacks of a run: called in order, one after another, each line once.
 *
 * @module
 */
import type { ExecutionResult, Result } from "./execution_result.ts";
import { FinalFailure } from "./final_failure.ts";
import type { Display, ExecutionError } from "./protocol/types.ts";

/** A line of output. */
export interface OutputMessage {
  /** The line, without its newline. */
  readonly text: string;
  /** When the callback was called, in epoch milliseconds. */
  readonly timestamp: number;
}

/**
 * Callbacks of a run. With any of them, the client requests a stream: lines and displays are
 * reported as they arrive, in order; results and error follow at the end of the run. A service
 * without streams reports all lines of stdout, all of stderr, displays, results and error at the
 * end.
 *
 * Each callback is awaited before the next call. If a callback throws, the run's promise rejects
 * with that error, no other callback is called, and the run ends. If a callback never returns,
 * only `signal` or `timeout` ends the call; the run and other calls continue.
 *
 * A limit or a conflict rolls the run back, including reported output. The result is
 * authoritative.
 *
 * @example
 * ```ts ignore
 * import { connect, runCode } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * const lines: string[] = [];
 * await runCode(env.JAVASCRIPT, "console.log('one'); console.error('two'); missing", {
 *   onStdout: ({ text }) => void lines.push(text),
 *   onStderr: ({ text }) => void lines.push(text),
 *   onError: ({ name }) => void lines.push(name),
 * });
 * console.assert(lines.join() === "one,two,ReferenceError");
 * ```
 */
export interface RunCallbacks {
  /** Called for each line of standard output. */
  readonly onStdout?: ((output: OutputMessage) => void | Promise<void>) | undefined;
  /** Called for each line of standard error. */
  readonly onStderr?: ((output: OutputMessage) => void | Promise<void>) | undefined;
  /**
   * Called for each entry of `displays`, after the lines that ended before it.
   */
  readonly onDisplay?: ((display: Display) => void | Promise<void>) | undefined;
  /** Called for each entry of `results`: at most once. */
  readonly onResult?: ((result: Result) => void | Promise<void>) | undefined;
  /** Called if the guest failed or reached a limit. */
  readonly onError?: ((error: ExecutionError) => void | Promise<void>) | undefined;
}

/** A stream of output. */
export type OutputStream = "stdout" | "stderr";

/** Callbacks that are called while the run runs. */
type Reported = OutputStream | "display";

/** Whether any callback is given. */
export function hasCallbacks(
  { onStdout, onStderr, onDisplay, onResult, onError }: RunCallbacks,
): boolean {
  return [onStdout, onStderr, onDisplay, onResult, onError].some((callback) =>
    callback !== undefined
  );
}

/** The reports of one call, over all its attempts. */
export class Delivery {
  /** Rejects with a {@link FinalFailure} as soon as a callback throws. */
  readonly failed: Promise<never>;
  readonly #callbacks: RunCallbacks;
  /** Lines and displays that were reported or wait to be. */
  readonly #reported: Record<Reported, number> = { stdout: 0, stderr: 0, display: 0 };
  /** The callbacks of the current attempt. */
  #heard: Record<Reported, number> = { stdout: 0, stderr: 0, display: 0 };
  #tail: Promise<void> = Promise.resolve();
  #isOver = false;
  #fail: (failure: FinalFailure) => void = () => undefined;

  constructor(callbacks: RunCallbacks) {
    this.#callbacks = callbacks;
    this.failed = new Promise((_resolve, reject) => this.#fail = reject);
    this.failed.catch(() => undefined);
  }

  /** An attempt begins. Events of earlier attempts are not reported again. */
  restart(): void {
    this.#heard = { stdout: 0, stderr: 0, display: 0 };
  }

  /** A line has arrived. */
  line(stream: OutputStream, text: string): void {
    if (!this.#isNew(stream)) return;
    const { onStdout, onStderr } = this.#callbacks;
    const callback = stream === "stdout" ? onStdout : onStderr;
    if (callback) this.#queue(() => callback({ text, timestamp: Date.now() }));
  }

  /** A display has arrived. */
  display(display: Display): void {
    const { onDisplay } = this.#callbacks;
    if (this.#isNew("display") && onDisplay) this.#queue(() => onDisplay(display));
  }

  /** The result has arrived. Resolves when everything is reported, what was not streamed too. */
  async finish({ logs, displays = [], results, error }: ExecutionResult): Promise<void> {
    for (const stream of ["stdout", "stderr"] as const) {
      for (const text of logs[stream].slice(this.#heard[stream])) this.line(stream, text);
    }
    for (const display of displays.slice(this.#heard.display)) this.display(display);
    const { onResult, onError } = this.#callbacks;
    for (const entry of results) if (onResult) this.#queue(() => onResult(entry));
    if (error !== undefined && onError) this.#queue(() => onError(error));
    await this.idle();
  }

  /** Resolves when everything that has arrived is reported. */
  async idle(): Promise<void> {
    await Promise.race([this.failed, this.#tail]);
  }

  /** Nothing else is reported. */
  end(): void {
    this.#isOver = true;
  }

  /** Counts one more; whether no earlier attempt has reported it. */
  #isNew(kind: Reported): boolean {
    if (this.#heard[kind]++ < this.#reported[kind]) return false;
    this.#reported[kind]++;
    return true;
  }

  #queue(callback: () => void | Promise<void>): void {
    this.#tail = this.#tail.then(async () => {
      if (this.#isOver) return;
      try {
        await callback();
      } catch (thrown) {
        this.#isOver = true;
        this.#fail(new FinalFailure(thrown));
      }
    });
  }
}
