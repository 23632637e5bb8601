/**
 * Options of runs, and the parts of a request that are made of them (docs/contract.md#client-runcode).
 *
 * @module
 */
import type { RunCallbacks } from "./callbacks.ts";
import type { CallerOptions } from "./caller.ts";
import type { CodeContext } from "./code_context.ts";
import type { EnvVars } from "./env_vars.ts";
import { IDEMPOTENCY_KEY_HEADER } from "./protocol/paths.ts";
import { MAX_CLOCK_MS } from "./protocol/types.ts";
import type { RequestOptions } from "./request_options.ts";
import { limitsField, type RunLimits } from "./run_limits.ts";
import type { NotifyTarget, Tool } from "./protocol/types.ts";
import { declaredTools } from "./tools.ts";
import {
  checkExecutions,
  checkIdempotencyKey,
  checkReplay,
  checkRepr,
  checkStdin,
} from "./validation.ts";

/** Options of a run without a context. */
export interface StatelessRunCodeOptions extends RequestOptions, RunCallbacks, CallerOptions {
  /** Variables of this run. A value of `undefined` is omitted. */
  readonly envVars?: EnvVars | undefined;
  /** Limits of this run, at most those of the service, which `GET /languages` lists. */
  readonly limits?: RunLimits | undefined;
  /**
   * Standard input of the program, at most 64 KiB of UTF-8. Unread input is
   * gone. @default {""}
   */
  readonly stdin?: string | undefined;
  /**
   * Fixes the random bytes of the run: an integer from 0 to 2^53-1. With `clock` too, a run from the
   * same state gives the same output, results, fuel and state. @default {new ones}
   */
  readonly seed?: number | undefined;
  /**
   * The start of the run's clock, in integer epoch milliseconds from 0 to 8.64e15. Only sleeps
   * advance it. @default {real time}
   */
  readonly clock?: number | undefined;
  /**
   * Adds `repr` to the entry of the result: the value's own form in its language, for people and
   * models, such as `[True, None]` in Python. @default {false}
   */
  readonly repr?: boolean | undefined;
  /**
   * Where the service tells when the run waits and when it is over, if its operator allows the host.
   */
  readonly notify?: NotifyTarget | undefined;
}

/**
 * Options of a run in a sandbox: a context, or the binding whose default context is used.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox<typeof env>(env.Sandbox, "counter", { ephemeral: true });
 * const { executionCount } = await sandbox.interpreter.runCode("console.log('hi')", {
 *   binding: "JAVASCRIPT",
 *   idempotencyKey: crypto.randomUUID(), // the run happens once
 *   ifExecutions: 0, // only as the first run of the context
 *   onStdout: ({ text }) => console.log("guest:", text), // while the program runs
 * });
 * console.assert(executionCount === 1);
 * ```
 */
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
  /**
   * Names the run, 1 to 255 visible ASCII characters: use a new one for each run, for example
   * `crypto.randomUUID()`. For 24 hours the same call with the same key resolves with the first
   * result and runs nothing; another call with the key rejects with `CONFLICT`. So the client also
   * tries again when the connection broke. Callbacks still receive each line once.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * Run only if the context has had this number of runs, 0 or more; otherwise the call rejects with
   * `PRECONDITION_FAILED`. The number after a run is its `executionCount`.
   */
  readonly ifExecutions?: number | undefined;
}

interface CommonFields {
  readonly limits?: object;
  readonly stdin?: string;
  readonly seed?: number;
  readonly clock?: number;
  readonly repr?: boolean;
  readonly tools?: readonly (Tool | string)[];
  readonly interactive?: boolean;
  readonly notify?: NotifyTarget;
}

/** The fields that runs of all kinds share; absent ones are omitted. */
export function commonFields(
  { limits, stdin, seed, clock, repr, tools, operatorTools, onInput, notify }:
    StatelessRunCodeOptions,
): CommonFields {
  if (stdin !== undefined) checkStdin(stdin);
  if (seed !== undefined) checkReplay("seed", seed, Number.MAX_SAFE_INTEGER);
  if (clock !== undefined) checkReplay("clock", clock, MAX_CLOCK_MS);
  if (repr !== undefined) checkRepr(repr);
  return {
    ...limitsField(limits),
    ...(stdin === undefined ? {} : { stdin }),
    ...(seed === undefined ? {} : { seed }),
    ...(clock === undefined ? {} : { clock }),
    ...(repr === undefined ? {} : { repr }),
    ...(tools === undefined && operatorTools === undefined
      ? {}
      : { tools: [...operatorTools ?? [], ...tools === undefined ? [] : declaredTools(tools)] }),
    ...(onInput === undefined ? {} : { interactive: true }),
    ...(notify === undefined ? {} : { notify }),
  };
}

/** The headers that make a run in a context safe to repeat. */
export function repeatHeaders(
  { idempotencyKey, ifExecutions }: RunCodeOptions,
): Record<string, string> {
  if (idempotencyKey !== undefined) checkIdempotencyKey(idempotencyKey);
  if (ifExecutions !== undefined) checkExecutions(ifExecutions);
  return {
    ...(idempotencyKey === undefined ? {} : { [IDEMPOTENCY_KEY_HEADER]: idempotencyKey }),
    ...(ifExecutions === undefined ? {} : { "if-match": `"${ifExecutions}"` }),
  };
}
