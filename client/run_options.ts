/**
 * Options of runs, and the order in which their callbacks are called
 * (docs/contract.md#client-runcode).
 *
 * @module
 */
import type { CodeContext } from "./code_context.ts";
import type { EnvVars } from "./env_vars.ts";
import type { ExecutionResult, Result } from "./execution_result.ts";
import type { ExecutionError } from "./protocol/types.ts";
import type { RequestOptions } from "./request_options.ts";
import type { RunLimits } from "./run_limits.ts";

/** A line of output. */
export interface OutputMessage {
  /** The line, without its newline. */
  readonly text: string;
  /** When the callback was called, in epoch milliseconds. */
  readonly timestamp: number;
}

/**
 * Options of a run without a context.
 *
 * Once the complete answer has arrived, callbacks are called one after another, each awaited: all
 * lines of stdout, all of stderr, the results, the error. If one of them throws, the run's promise
 * rejects with that error.
 */
export interface StatelessRunCodeOptions extends RequestOptions {
  /** Variables of this run. A value of `undefined` is omitted. */
  readonly envVars?: EnvVars | undefined;
  /** Limits of this run, at most those of the service, which `GET /languages` lists. */
  readonly limits?: RunLimits | undefined;
  /** Called for each line of standard output. */
  readonly onStdout?: ((output: OutputMessage) => void | Promise<void>) | undefined;
  /** Called for each line of standard error. */
  readonly onStderr?: ((output: OutputMessage) => void | Promise<void>) | undefined;
  /** Called for each entry of `results`: at most once. */
  readonly onResult?: ((result: Result) => void | Promise<void>) | undefined;
  /** Called when the guest failed or hit a limit. */
  readonly onError?: ((error: ExecutionError) => void | Promise<void>) | undefined;
}

/** Options of a run in a sandbox: a context, or the binding whose default context is used. */
export interface RunCodeOptions<Binding extends string = string> extends StatelessRunCodeOptions {
  /** The context to run in. */
  readonly context?: CodeContext | undefined;
  /**
   * Used when `context` is absent: the default context of this binding, which is created if there
   * is none.
   */
  readonly binding?: Binding | undefined;
  /**
   * Variables of this run, which override those of context and sandbox. `undefined` unsets the
   * name.
   */
  readonly envVars?: EnvVars | undefined;
}

/** Calls the callbacks in their order. */
export async function deliver(
  result: ExecutionResult,
  options: StatelessRunCodeOptions,
): Promise<void> {
  for (const text of result.logs.stdout) {
    await options.onStdout?.({ text, timestamp: Date.now() });
  }
  for (const text of result.logs.stderr) {
    await options.onStderr?.({ text, timestamp: Date.now() });
  }
  for (const entry of result.results) await options.onResult?.(entry);
  if (result.error !== undefined) await options.onError?.(result.error);
}
