/**
 * `Promise.any` with V8's error message; the engine's error has none.
 *
 * @module
 */
import { showAsBuiltIn } from "./function_text.ts";
import {
  dataDescriptor,
  defineHidden,
  ReflectApply,
  ReflectDefineProperty,
} from "./primordials.ts";

const MESSAGE = "All promises were rejected";

type Settle = (value: unknown) => void;
type Constructor = new (executor: (resolve: Settle, reject: Settle) => void) => object;

/** A promise that the constructor made, and the functions that settle it. */
interface Capability {
  readonly promise: object;
  readonly resolve: Settle;
  readonly reject: Settle;
}

function isConstructor(value: unknown): value is Constructor {
  return typeof value === "function";
}

function newCapability(constructor: unknown): Capability {
  if (!isConstructor(constructor)) throw new TypeError("Promise.any called on non-object");
  let ways: readonly [Settle, Settle] | undefined;
  const promise = new constructor((resolve, reject) => {
    if (ways !== undefined) throw new TypeError("Promise executor has already been invoked");
    ways = [resolve, reject];
  });
  if (typeof ways?.[0] !== "function" || typeof ways[1] !== "function") {
    throw new TypeError("Promise resolve or reject function is not callable");
  }
  return { promise, resolve: ways[0], reject: ways[1] };
}

/** Collects the reasons; rejects when the last one has arrived. */
class Reasons {
  readonly #errors: unknown[] = [];
  readonly #reject: Settle;
  /** Number of outstanding reasons, plus one until the list of promises has been read. */
  #missing = 1;

  constructor(reject: Settle) {
    this.#reject = reject;
  }

  /** Reserves a place for the next promise's reason. */
  expect(): Settle {
    const index = this.#errors.length;
    this.#missing++;
    this.#put(index, undefined);
    let told = false;
    return (reason) => {
      if (told) return;
      told = true;
      this.#put(index, reason);
      this.settle();
    };
  }

  /** Counts an arrived reason. */
  settle(): void {
    if (--this.#missing === 0) this.#reject(new AggregateError(this.#errors, MESSAGE));
  }

  #put(index: number, reason: unknown): void {
    ReflectDefineProperty(this.#errors, index, dataDescriptor(reason, true));
  }
}

function waitForAny(constructor: unknown, values: Iterable<unknown>, to: Capability): void {
  const resolveValue: unknown = Reflect.get(Object(constructor), "resolve");
  if (typeof resolveValue !== "function") throw new TypeError("Promise resolve is not callable");
  const reasons = new Reasons(to.reject);
  for (const value of values) {
    const promise: unknown = ReflectApply(resolveValue, constructor, [value]);
    const then: unknown = Reflect.get(Object(promise), "then");
    ReflectApply(then, promise, [to.resolve, reasons.expect()]);
  }
  reasons.settle();
}

/** Replaces the engine's method. */
export function installPromiseAny(): void {
  const holder = {
    any(this: unknown, values: Iterable<unknown>): unknown {
      const capability = newCapability(this);
      try {
        waitForAny(this, values, capability);
      } catch (error) {
        capability.reject(error);
      }
      return capability.promise;
    },
  };
  showAsBuiltIn(holder.any);
  defineHidden(Promise, "any", holder.any);
}
