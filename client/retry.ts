/**
 * Retries: which failures may be retried, and after which delay.
 *
 * The client retries the answers 429 `RATE_LIMITED` and 503 `OVERLOADED`, which mean that nothing
 * ran, and connections that could not be opened. A connection may break during a run, and a run
 * must not happen twice. So a broken connection is retried only if the service recognises the
 * repetition.
 *
 * @module
 */
import { throwIfAborted } from "./cancellation.ts";
import { ConnectionError, SandboxError } from "./errors.ts";

/**
 * How to retry refused calls.
 *
 * @example
 * ```ts ignore
 * import { connect, runCode } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await runCode(env.PYTHON, "6 * 7", { retry: { attempts: 2, maxDelayMs: 1_000 } });
 * await runCode(env.PYTHON, "6 * 7", { retry: false });
 * ```
 */
export interface RetryOptions {
  /** Maximum number of attempts, including the first. @default {4} */
  readonly attempts?: number | undefined;
  /** The jitter after the first refusal is below this, in milliseconds; it doubles each time. @default {250} */
  readonly baseDelayMs?: number | undefined;
  /**
   * Longest wait, in milliseconds. When the service asks for a longer one, the call fails at
   * once. @default {30000}
   */
  readonly maxDelayMs?: number | undefined;
  /** Returns a random number from 0 up to 1. @default {Math.random} */
  readonly random?: (() => number) | undefined;
  /** Waits; rejects with the signal's reason when it fires. By default a timer. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

const DEFAULT_ATTEMPTS = 4;
const DEFAULT_BASE_MS = 250;
const DEFAULT_MAX_MS = 30_000;

/** Which calls are retried, and for how long. */
export interface RetryRules {
  /** How, or `false`: never. */
  readonly retry: RetryOptions | false;
  /** Ends the waits. */
  readonly signal: AbortSignal;
  /** Whether a call that may have been done can be made again. @default {false} */
  readonly isRepeatable: boolean | undefined;
}

/** Runs `work` until it succeeds, fails for good, or uses up its attempts. */
export async function withRetry<T>(
  { retry, signal, isRepeatable = false }: RetryRules,
  work: () => Promise<T>,
): Promise<T> {
  const attempts = retry === false ? 1 : retry.attempts ?? DEFAULT_ATTEMPTS;
  for (let attempt = 1;; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (retry === false || !(attempt < attempts)) throw error;
      const mayRepeat = isRefused(error) || (isRepeatable && error instanceof ConnectionError);
      const wait = mayRepeat ? retryDelay(error, attempt, retry) : undefined;
      if (wait === undefined) throw error;
      await (retry.sleep ?? sleep)(wait, signal);
    }
    throwIfAborted(signal);
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof SandboxError && error.retryable;
}

/**
 * Milliseconds to wait before a retry: the delay that the service asked for, plus a jitter that
 * grows with each attempt. Undefined when that is too long.
 */
function retryDelay(
  error: unknown,
  attempt: number,
  options: RetryOptions,
): number | undefined {
  const longest = options.maxDelayMs ?? DEFAULT_MAX_MS;
  const asked = error instanceof SandboxError ? error.retryAfterMs ?? 0 : 0;
  if (asked > longest) return undefined;
  const step = (options.baseDelayMs ?? DEFAULT_BASE_MS) * 2 ** (attempt - 1);
  const jitter = (options.random ?? Math.random)() * step;
  return Math.min(longest, asked + jitter);
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
