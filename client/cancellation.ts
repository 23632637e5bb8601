/**
 * Cancellation of a call: the caller's signal, a timeout and the disposal of a sandbox object,
 * combined into one signal that is released when the call is over.
 *
 * @module
 */
import { validationFailed } from "./errors.ts";

/** Maximum delay of a timer, in milliseconds (about 25 days). */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The signals that end a call. */
export interface Cancellation {
  /** Signals of the caller and of the sandbox object. */
  readonly signals: readonly AbortSignal[];
  /** Milliseconds until the call ends with a `TimeoutError`; undefined: never. */
  readonly timeout: number | undefined;
}

/**
 * Runs `work` with a signal that fires as soon as the first of the signals fires or the time is
 * over. The promise then rejects at once with that signal's reason (or a `DOMException` named
 * `TimeoutError`), whether or not `work` observes the signal. If a signal is aborted already,
 * `work` does not start.
 *
 * @throws {ValidationFailedError} when the timeout is not a number of milliseconds, or a signal is
 * not an `AbortSignal`.
 */
export async function withCancellation<T>(
  { signals, timeout }: Cancellation,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  checkSignals(signals);
  checkTimeout(timeout);
  const controller = new AbortController();
  const { signal } = controller;
  const end = (reason: unknown) => controller.abort(reason);
  const detach = signals.map((outer) => follow(outer, end));
  const stopTimer = startTimer(timeout, end);
  try {
    return await Promise.race([ended(signal), startUnlessAborted(signal, work)]);
  } finally {
    stopTimer();
    for (const stop of detach) stop();
  }
}

/** The current reason of a signal, checked before and after each step. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason;
}

/** Rejects with the signal's reason once it fires; never settles otherwise. */
function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function startUnlessAborted<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  throwIfAborted(signal);
  return await work(signal);
}

/** The calls that wait for one signal, and how to stop listening to it. */
interface Followers {
  readonly ends: Set<() => void>;
  readonly stop: () => void;
}

/**
 * One listener for each signal, however many calls use it: Node warns of a leak when there are more
 * than ten.
 */
const FOLLOWED = new WeakMap<AbortSignal, Followers>();

function follow(signal: AbortSignal, end: (reason: unknown) => void): () => void {
  if (signal.aborted) {
    end(signal.reason);
    return () => undefined;
  }
  const { ends, stop } = FOLLOWED.get(signal) ?? listen(signal);
  const onAbort = () => end(signal.reason);
  ends.add(onAbort);
  return () => {
    ends.delete(onAbort);
    if (ends.size === 0) stop();
  };
}

function listen(signal: AbortSignal): Followers {
  const ends = new Set<() => void>();
  const onAbort = () => {
    for (const end of ends) end();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  const stop = () => {
    signal.removeEventListener("abort", onAbort);
    if (FOLLOWED.get(signal)?.ends === ends) FOLLOWED.delete(signal);
  };
  const followers = { ends, stop };
  FOLLOWED.set(signal, followers);
  return followers;
}

function startTimer(timeout: number | undefined, end: (reason: unknown) => void): () => void {
  if (timeout === undefined) return () => undefined;
  const timer = setTimeout(() => {
    end(new DOMException(`The call took longer than ${timeout} ms`, "TimeoutError"));
  }, Math.min(timeout, MAX_TIMER_MS));
  return () => clearTimeout(timer);
}

function checkTimeout(timeout: number | undefined): void {
  if (timeout !== undefined && !(typeof timeout === "number" && timeout >= 0)) {
    throw validationFailed("timeout must be a number of milliseconds, 0 or more");
  }
}

function checkSignals(signals: readonly AbortSignal[]): void {
  if (!signals.every((signal) => signal instanceof AbortSignal)) {
    throw validationFailed("signal must be an AbortSignal");
  }
}
