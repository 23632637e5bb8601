/**
 * One run inside a booted interpreter: evaluate, then the event loop until nothing is left to
 * do, then the value of the program. Traps pass through as exceptions.
 *
 * @module
 */
import type { Ending, RunLimits } from "../engine.ts";
import type { Interpreter, Rejection } from "./interpreter.ts";
import { EVAL_ASYNC, EVAL_GLOBAL, PROMISE_PENDING, PROMISE_REJECTED } from "./quickjs_abi.ts";
import type { Value } from "./quickjs.ts";
import { exitError, readGuestError } from "./guest_error.ts";
import type { PreparedSource } from "./source/prepare.ts";

/** Name of the submitted script in stack traces. */
export const SCRIPT_NAME = "main.js";
/** What ended a run before its value was known. */
type Early = Exclude<Ending, { readonly kind: "text" | "json" }>;
type Settled = { readonly value: Value } | { readonly ending: Early };

const NEVER_SETTLED: Early = {
  kind: "error",
  error: {
    name: "Error",
    message: "The awaited promise never settled: nothing is left to run that could settle it",
    traceback: [],
  },
};

const COUNT = /^\d+$/;
const OUT_OF_MEMORY: Early = { kind: "limit", limit: "memory", traceback: [] };

/** A run of one prepared program. */
export class Run {
  readonly #in: Interpreter;
  readonly #source: PreparedSource;
  readonly #limits: RunLimits;
  #main: bigint | undefined;
  /** The promise that is the program's value, and whether its rejection was taken by a handler. */
  #awaitedBits: bigint | undefined;
  #awaitedHandled = false;

  constructor(interpreter: Interpreter, source: PreparedSource, limits: RunLimits) {
    this.#in = interpreter;
    this.#source = source;
    this.#limits = limits;
  }

  /** Runs to the end. Throws what a trap throws. */
  execute(): Ending {
    const { js } = this.#in;
    const { code, hasValue } = this.#source;
    const awaits = code.includes("await");
    const evaluated = js.evaluate(code, SCRIPT_NAME, awaits ? EVAL_ASYNC : EVAL_GLOBAL);
    const error = js.exception(evaluated);
    const settled = error === 0
      ? this.#completed(evaluated, awaits)
      : this.#handled(this.#uncaught(error, "uncaughtException"));
    if ("ending" in settled) return settled.ending;
    const early = this.#drain();
    return early ?? this.#finish(hasValue ? settled.value : js.fn.getUndefined());
  }

  /** What a script that threw nothing comes to, promises awaited. */
  #completed(evaluated: Value, awaits: boolean): Settled {
    const exited = this.#exited();
    if (exited !== undefined) return { ending: exited };
    const completion = awaits ? this.#awaited(evaluated) : { value: evaluated };
    return "ending" in completion ? completion : this.#settle(completion.value);
  }

  /** The run goes on without a value when the guest's own handler took the error. */
  #handled(early: Early | undefined): Settled {
    return early === undefined ? { value: this.#in.js.fn.getUndefined() } : { ending: early };
  }

  /** The completion value of a script evaluated with top-level await. */
  #awaited(promise: Value): Settled {
    const { js } = this.#in;
    this.#main = js.bits(promise);
    const completion = this.#settle(promise);
    return "ending" in completion ? completion : { value: js.property(completion.value, "value") };
  }

  /** The value a promise comes to, running whatever it waits for; other values as they are. */
  #settle(value: Value): Settled {
    const { js } = this.#in;
    this.#awaitedBits = js.bits(value);
    for (;;) {
      const early = this.#runJobs();
      if (early !== undefined) return { ending: early };
      const state = js.fn.promiseState(js.context, value);
      if (state === PROMISE_PENDING) {
        const fired = this.#fire();
        if (typeof fired !== "boolean") return { ending: fired };
        // a full heap swallows the job that would have settled it
        if (!fired) return { ending: this.#in.memoryExhausted ? OUT_OF_MEMORY : NEVER_SETTLED };
        continue;
      }
      if (state < 0) return { value };
      if (this.#awaitedHandled) return this.#handled(undefined);
      const result = js.fn.promiseResult(js.context, value);
      if (state !== PROMISE_REJECTED) return { value: result };
      return this.#handled(this.#uncaught(result, "uncaughtException"));
    }
  }

  /** Runs what timers are left. */
  #drain(): Early | undefined {
    for (;;) {
      const early = this.#runJobs();
      if (early !== undefined) return early;
      const fired = this.#fire();
      if (typeof fired !== "boolean") return fired;
      if (!fired) return undefined;
    }
  }

  /**
   * Runs all pending jobs; then a rejection that nobody listened to ends the run. What the
   * guest's handlers of rejections leave to do is done, too.
   */
  #runJobs(): Early | undefined {
    const { rejections } = this.#in;
    for (;;) {
      const early = this.#runPendingJobs();
      if (early !== undefined) return early;
      const told = [...rejections].filter(([bits]) => bits !== this.#main);
      if (told.length === 0) return undefined;
      for (const [bits, rejection] of told) {
        const unhandled = this.#rejected(bits, rejection);
        if (unhandled !== undefined) return unhandled;
      }
    }
  }

  /** Runs all pending jobs; what one throws is offered to the guest's handlers. */
  #runPendingJobs(): Early | undefined {
    const { js } = this.#in;
    for (;;) {
      const context = js.fn.malloc(4);
      const result = js.fn.executePendingJob(js.runtime, -1, context);
      js.fn.free(context);
      const exited = this.#exited();
      if (exited !== undefined) return exited;
      const isDone = this.#isCount(result);
      const early = isDone ? undefined : this.#uncaught(result, "uncaughtException");
      if (early !== undefined) return early;
      js.fn.freeValueRuntime(js.runtime, result);
      if (isDone) return undefined;
    }
  }

  /**
   * Whether a value is the number of jobs that ran, which the module gives as a double, and not
   * what a job threw. A job that throws a double which is a whole number passes for one.
   */
  #isCount(value: Value): boolean {
    const { js } = this.#in;
    return js.isDouble(value) && COUNT.test(js.text(value) ?? "");
  }

  /** Offers a rejection to the guest's handlers, unless one before it found a listener. */
  #rejected(bits: bigint, { promise, reason }: Rejection): Early | undefined {
    const { js, rejections } = this.#in;
    if (!rejections.delete(bits)) return undefined;
    const early = this.#uncaught(reason, "unhandledRejection", promise);
    if (early !== undefined) return early;
    if (bits === this.#awaitedBits) this.#awaitedHandled = true;
    js.release(reason);
    js.release(promise);
    return undefined;
  }

  /** Runs one due timer; false when there is none. */
  #fire(): boolean | Early {
    const { js, driver } = this.#in;
    const result = js.call(driver.fire, []);
    const early = this.#exited() ?? this.#thrown(result);
    if (early !== undefined) return early;
    const fired = js.text(result) === "true";
    js.release(result);
    return fired;
  }

  #exited(): Early | undefined {
    const { exitStatus } = this.#in;
    if (exitStatus === undefined) return undefined;
    return exitStatus === 0 ? { kind: "none" } : { kind: "error", error: exitError(exitStatus) };
  }

  /** Offers an error to the guest's own handlers; undefined when one of them took it. */
  #uncaught(error: Value, origin: string, promise?: Value): Early | undefined {
    const { js, driver } = this.#in;
    const exited = this.#exited();
    if (exited !== undefined) return exited;
    const args = [error, js.newString(origin)];
    if (promise !== undefined) args.push(promise);
    const result = js.call(driver.uncaught, args);
    const early = this.#exited() ?? this.#thrown(result);
    if (early !== undefined) return early;
    return js.text(result) === "true" ? undefined : this.#failed(error);
  }

  /** The error, when `value` stands for an exception. */
  #thrown(value: Value): Early | undefined {
    const error = this.#in.js.exception(value);
    return error === 0 ? undefined : this.#failed(error);
  }

  #failed(error: Value): Early {
    const { js, driver } = this.#in;
    // without room for an error object QuickJS throws null
    if (this.#in.memoryExhausted && js.text(error) === "null") {
      return OUT_OF_MEMORY;
    }
    this.#in.openReserve();
    const described = js.call(driver.describe, [error]);
    const exited = this.#exited();
    if (exited !== undefined) return exited;
    const text = js.exception(described) === 0 ? js.text(described) : undefined;
    return {
      kind: "error",
      error: readGuestError(text, {
        lineOf: (line) => this.#source.lineOf(line),
        tracebackBytes: this.#limits.tracebackBytes,
      }),
    };
  }

  /** Maps the value as the contract's table says. */
  #finish(value: Value): Ending {
    const { js, driver } = this.#in;
    const mapped = js.call(driver.finish, [value]);
    const early = this.#exited() ?? this.#thrown(mapped);
    if (early !== undefined) return early;
    const limit = this.#limits.resultBytes;
    const bytes = js.stringBytes(mapped, limit + 2);
    if (bytes === undefined) return OUT_OF_MEMORY; // no room for its UTF-8
    if (bytes.length === 0) return { kind: "crash" };
    if (bytes.length > limit + 1) return { kind: "limit", limit: "result", traceback: [] };
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(1));
    switch (String.fromCharCode(bytes[0] ?? 0)) {
      case "n":
        return { kind: "none" };
      case "t":
        return { kind: "text", text };
      case "j":
        return { kind: "json", json: text };
      default:
        return { kind: "crash" };
    }
  }
}
