/**
 * `Promise.any` with a message; the engine's error has none.
 *
 * @module
 */
import { dataDescriptor, defineHidden, ReflectDefineProperty, uncurryThis } from "./primordials.ts";

const MESSAGE = "All promises were rejected";

function explain(reason: unknown): never {
  if (reason instanceof AggregateError && reason.message === "") {
    ReflectDefineProperty(reason, "message", dataDescriptor(MESSAGE));
  }
  throw reason;
}

/** Replaces the engine's method. */
export function installPromiseAny(): void {
  const native = uncurryThis<unknown, [unknown], object>(Promise.any);
  const then = uncurryThis<unknown, [undefined, typeof explain], unknown>(Promise.prototype.then);
  const holder = {
    any(this: unknown, values: unknown): unknown {
      return then(native(this, values), undefined, explain);
    },
  };
  defineHidden(Promise, "any", holder.any);
}
