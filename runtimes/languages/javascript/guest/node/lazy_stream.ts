/**
 * Objects that become streams only when they are used as such. Most digests and ciphers never are,
 * and creating a stream's state costs more than their work.
 *
 * @module
 */
import { setName } from "../web/expose.ts";
import { streams } from "./streams.ts";

/** Makes a class a `Transform` whose state is created on first use. */
export function makeLazyTransform(base: object, prototype: object): void {
  const { Transform } = streams;
  Object.setPrototypeOf(prototype, Transform.prototype);
  Object.setPrototypeOf(base, Transform);
  for (const name of ["_readableState", "_writableState"]) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: object) {
        Reflect.apply(Transform, this, [{}]);
        return Reflect.get(this, name);
      },
      set(this: object, value: unknown) {
        const shape = { writable: true, enumerable: true, configurable: true };
        Object.defineProperty(this, name, { ...shape, value });
      },
    });
  }
}

/** A class as guests see it: a function, called with or without `new`, makes its objects. */
export function callable<Made extends object>(
  name: string,
  base: { readonly prototype: Made },
  make: (...args: readonly unknown[]) => Made,
): object {
  const shown = function (...args: readonly unknown[]): Made {
    return make(...args);
  };
  setName(shown, name);
  Object.setPrototypeOf(shown, streams.Transform);
  Object.defineProperty(shown, "prototype", { value: base.prototype, writable: false });
  Object.defineProperty(base.prototype, "constructor", { value: shown });
  return shown;
}

/** Passes a chunk to the reader of the stream. */
export function pushChunk(stream: object, chunk: unknown): void {
  const push: unknown = Reflect.get(stream, "push");
  if (typeof push === "function") Reflect.apply(push, stream, [chunk]);
}
