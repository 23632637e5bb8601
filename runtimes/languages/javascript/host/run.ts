/**
 * One run inside a booted instance: evaluate the script, run the event loop until nothing is left
 * to do, map the value of the program. Traps pass through as exceptions.
 *
 * @module
 */
import { exitError, readDescribedError } from "../../../engine/described_error.ts";
import type { Ending, RunLimits, RunRequest } from "../../../engine/engine.ts";
import { type WantedRepr, withTextAsRepr } from "../../../engine/value_repr.ts";
import { trimTraceback } from "../../../engine/traceback.ts";
import type { Instance, Rejection } from "./instance.ts";
import { placeError } from "./positions.ts";
import {
  EVAL_ASYNC,
  EVAL_GLOBAL,
  isObject,
  PROMISE_PENDING,
  PROMISE_REJECTED,
  UNDEFINED,
  type Value,
} from "./quickjs_abi.ts";
import { Redeclaration, type Script } from "./redeclaration.ts";
import type { PreparedSource } from "./source/prepare.ts";

/** The reason why a run ended before its value was known. */
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

const OUT_OF_MEMORY: Early = { kind: "limit", limit: "memory", traceback: [] };

/** The driver's answer when it ran ticks, which come before the report of a rejection. */
const LATER = "later";
/** Result of running a job when there is none; a negative one means that it threw. */
const NO_JOB = 0;
const POINTER_BYTES = 4;
/** More bytes than the driver's form of a value: it is cut to 65,540 UTF-16 units. */
const MAX_FORM_BYTES = 3 * 65_540;
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** The program to run. */
export interface Program {
  readonly source: PreparedSource;
  /** Name of the script in stack traces. */
  readonly scriptName: string;
}

/** A run of one prepared program. */
export class Run {
  readonly #in: Instance;
  readonly #source: PreparedSource;
  readonly #limits: RunLimits;
  readonly #wanted: WantedRepr;
  readonly #scriptName: string;
  /** Values to release when the run ends. */
  readonly #owned: Value[] = [];
  /** Whether the script was evaluated to its last statement. */
  #reachedEnd = false;
  #main: Value | undefined;
  /** The promise that is the program's value, and whether a handler accepted its rejection. */
  #awaitedPromise: Value | undefined;
  #awaitedHandled = false;

  constructor(
    interpreter: Instance,
    program: Program,
    { limits, repr }: Pick<RunRequest, "limits" | "repr">,
  ) {
    this.#in = interpreter;
    this.#source = program.source;
    this.#scriptName = program.scriptName;
    this.#limits = limits;
    this.#wanted = { repr };
  }

  /** Runs to the end. A trap is thrown. */
  execute(): Ending {
    const { code, names, awaits } = this.#source;
    const script: Script = {
      ...{ code, names, name: this.#scriptName },
      flags: awaits ? EVAL_ASYNC : EVAL_GLOBAL,
    };
    const declarations = new Redeclaration(this.#in, script);
    const ending = this.#evaluate({ ...script, code: declarations.begin() }, awaits);
    this.#in.exitStatus = undefined; // it would interrupt the driver, too
    declarations.end(this.#reachedEnd);
    for (const value of this.#owned) this.#in.js.release(value);
    this.#in.releaseRejections();
    return ending;
  }

  /** Runs the script, then the remaining jobs. */
  #evaluate({ code, name, flags }: Script, awaits: boolean): Ending {
    const { js } = this.#in;
    const evaluated = this.#own(js.evaluate(code, name, flags));
    const error = this.#exception(evaluated);
    if (error === undefined && !awaits) this.#reachedEnd = true;
    const settled = error === undefined
      ? this.#completed(evaluated, awaits)
      : this.#handled(this.#uncaught(error, "uncaughtException"));
    if ("ending" in settled) return settled.ending;
    const early = this.#drain();
    const { hasValue } = this.#source;
    return early ?? this.#finish(hasValue ? settled.value : UNDEFINED);
  }

  #own(value: Value): Value {
    this.#owned.push(value);
    return value;
  }

  /** The exception, if `value` represents one. */
  #exception(value: Value): Value | undefined {
    const error = this.#in.js.exception(value);
    return error === undefined ? undefined : this.#own(error);
  }

  /** The result of a script that threw nothing; promises are awaited. */
  #completed(evaluated: Value, awaits: boolean): Settled {
    const exited = this.#exited();
    if (exited !== undefined) return { ending: exited };
    const completion = awaits ? this.#awaited(evaluated) : { value: evaluated };
    return "ending" in completion ? completion : this.#settle(completion.value);
  }

  /** When the guest's own handler accepts the error, the run continues without a value. */
  #handled(early: Early | undefined): Settled {
    return early === undefined ? { value: UNDEFINED } : { ending: early };
  }

  /** The completion value of a script evaluated with top-level await. */
  #awaited(promise: Value): Settled {
    const { js } = this.#in;
    this.#main = promise;
    const completion = this.#settle(promise);
    const isTaken = js.promiseState(promise) === PROMISE_REJECTED;
    if ("ending" in completion || isTaken) return completion;
    return { value: this.#own(js.property(completion.value, "value")) };
  }

  /** The value of a promise, after running what it waits for; other values as they are. */
  #settle(value: Value): Settled {
    const { js } = this.#in;
    this.#awaitedPromise = value;
    for (;;) {
      const early = this.#runJobs();
      if (early !== undefined) return { ending: early };
      const state = js.promiseState(value);
      if (state === PROMISE_PENDING) {
        const fired = this.#fire();
        if (typeof fired !== "boolean") return { ending: fired };
        // with a full heap, the job that should settle it is lost
        if (!fired) return { ending: this.#in.memoryExhausted ? OUT_OF_MEMORY : NEVER_SETTLED };
        continue;
      }
      if (state < 0) return { value };
      if (this.#awaitedHandled) return this.#handled(undefined);
      const result = this.#own(js.promiseResult(value));
      if (state !== PROMISE_REJECTED) {
        this.#reachedEnd = true;
        return { value: result };
      }
      return this.#handled(this.#uncaught(result, "uncaughtException"));
    }
  }

  /** Runs the remaining timers. */
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
   * Runs all pending jobs, including those that the guest's rejection handlers add. Then a
   * rejection without a handler ends the run.
   */
  #runJobs(): Early | undefined {
    const { rejections } = this.#in;
    for (;;) {
      const early = this.#runPendingJobs();
      if (early !== undefined) return early;
      const others = [...rejections.values()].filter(({ promise }) => promise !== this.#main);
      if (others.length === 0) return undefined;
      for (const rejection of others) {
        const reported = this.#rejected(rejection);
        if (reported === LATER) break;
        if (reported !== undefined) return reported;
      }
    }
  }

  /** Runs all pending jobs; an error that a job throws is offered to the guest's handlers. */
  #runPendingJobs(): Early | undefined {
    const { js } = this.#in;
    const contextAt = js.allocate(POINTER_BYTES);
    for (;;) {
      const outcome = js.fn.JS_ExecutePendingJob(js.runtime, contextAt);
      const exited = this.#exited();
      if (exited !== undefined) return exited;
      if (outcome === NO_JOB) break;
      if (outcome > NO_JOB) continue;
      const error = this.#own(js.fn.JS_GetException(js.context));
      const early = this.#uncaught(error, "uncaughtException");
      if (early !== undefined) return early;
    }
    js.fn.free(contextAt);
    return undefined;
  }

  /**
   * Offers a rejection to the guest's handlers, unless an earlier handler has added a listener to
   * its promise. {@linkcode LATER}: ticks ran instead, which may have added one.
   */
  #rejected({ promise, reason }: Rejection): Early | typeof LATER | undefined {
    const { js, rejections } = this.#in;
    if (!rejections.has(promise)) return undefined;
    const value = this.#own(js.dup(reason)); // a listener releases that of the rejection
    const reported = this.#uncaught(value, "unhandledRejection", this.#own(js.dup(promise)));
    if (reported === LATER) return LATER;
    if (rejections.delete(promise)) this.#owned.push(reason, promise);
    if (reported !== undefined) return reported;
    if (promise === this.#awaitedPromise) this.#awaitedHandled = true;
    return undefined;
  }

  /** Runs one due timer; false when none is due. */
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

  /**
   * Offers an error to the guest's own handlers; undefined when one of them accepted it. Only a
   * rejection can be {@linkcode LATER}.
   */
  #uncaught(error: Value, origin: string): Early | undefined;
  #uncaught(error: Value, origin: string, promise: Value): Early | typeof LATER | undefined;
  #uncaught(error: Value, origin: string, promise?: Value): Early | typeof LATER | undefined {
    const { js, driver } = this.#in;
    const exited = this.#exited();
    if (exited !== undefined) return exited;
    const args = [error, this.#own(js.newString(origin))];
    if (promise !== undefined) args.push(promise);
    const result = this.#own(js.call(driver.uncaught, args));
    const early = this.#exited() ?? this.#thrown(result);
    if (early !== undefined) return early;
    const answer = js.text(result);
    if (answer === LATER) return LATER;
    return answer === "true" ? undefined : this.#failed(error);
  }

  /** The error, when `value` stands for an exception. */
  #thrown(value: Value): Early | undefined {
    const error = this.#exception(value);
    return error === undefined ? undefined : this.#failed(error);
  }

  #failed(error: Value): Early {
    const { js, driver } = this.#in;
    // without memory for an error object QuickJS throws null
    if (this.#in.memoryExhausted && js.text(error) === "null") {
      return OUT_OF_MEMORY;
    }
    this.#in.openReserve();
    const described = this.#own(js.call(driver.describe, [error]));
    const exited = this.#exited();
    if (exited !== undefined) return exited;
    const text = this.#exception(described) === undefined ? js.text(described) : undefined;
    const { tracebackBytes } = this.#limits;
    const said = readDescribedError(text, { name: "Error", tracebackBytes });
    const placed = placeError(said, { source: this.#source, name: this.#scriptName });
    return {
      kind: "error",
      error: { ...placed, traceback: trimTraceback(placed.traceback, tracebackBytes) },
    };
  }

  /** Maps the value by the contract's table. */
  #finish(value: Value): Ending {
    const { js, driver } = this.#in;
    const finished = this.#own(js.call(driver.finish, [value]));
    const early = this.#exited() ?? this.#thrown(finished);
    if (early !== undefined) return early;
    const { mapped, repr } = this.#separated(finished);
    const limit = this.#limits.resultBytes;
    const bytes = js.stringBytes(mapped, limit + 2);
    if (bytes === undefined) return OUT_OF_MEMORY; // no memory for its UTF-8
    if (bytes.length === 0) return { kind: "crash" };
    if (bytes.length > limit + 1) return { kind: "limit", limit: "result", traceback: [] };
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(1));
    const kind = String.fromCharCode(bytes[0] ?? 0);
    const ending = withTextAsRepr(endingOf(kind.toLowerCase(), text), this.#wanted, repr);
    return kind < "a" ? this.#drain() ?? ending : ending; // it is still shown
  }

  /** The driver's mapping of a value, and the value's own form if that comes with it. */
  #separated(finished: Value): { readonly mapped: Value; readonly repr: string | undefined } {
    if (!isObject(finished)) return { mapped: finished, repr: undefined };
    const { js } = this.#in;
    const [mapped, form] = [
      this.#own(js.property(finished, "mapped")),
      this.#own(js.property(finished, "form")),
    ];
    const bytes = js.stringBytes(form, MAX_FORM_BYTES);
    return { mapped, repr: bytes === undefined ? undefined : DECODER.decode(bytes) };
  }
}

/** The driver's classification of the value. */
function endingOf(kind: string, text: string): Ending {
  switch (kind) {
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
