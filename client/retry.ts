/**
 * Retries: which failures may be retried, and after which delay.
 *
 * Only answers which say that the call never started are retried (429 `RATE_LIMITED`, 503
 * `OVERLOADED`): a broken connection may have broken during a run, and a run must not happen twice.
 *
 * @module
 */
import { throwIfAborted } from "./cancellation.ts";
import { SandboxError } from "./errors.ts";

/** How to retry refused calls. */
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

/** Runs `work` until it succeeds, fails for good, or uses up its attempts. */
export async function withRetry<T>(
  options: RetryOptions | false,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const attempts = options === false ? 1 : options.attempts ?? DEFAULT_ATTEMPTS;
  for (let attempt = 1;; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (options === false || !(attempt < attempts)) throw error;
      const wait = retryDelay(error, attempt, options);
      if (wait === undefined) throw error;
      await (options.sleep ?? sleep)(wait, signal);
    }
    throwIfAborted(signal);
  }
}

/**
 * Milliseconds to wait before a retry: the delay that the service asked for, plus a jitter that
 * grows with each attempt. Undefined when there must be no retry.
 */
function retryDelay(
  error: unknown,
  attempt: number,
  options: RetryOptions = {},
): number | undefined {
  if (!(error instanceof SandboxError) || !error.retryable) return undefined;
  const longest = options.maxDelayMs ?? DEFAULT_MAX_MS;
  const asked = error.retryAfterMs ?? 0;
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
