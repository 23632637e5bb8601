/**
 * Takes away from the isolate's global scope what its program does not use: all that reaches out
 * of the process, stores, draws, or starts more code, known or yet to come. The guest never
 * reaches this scope; this is for the day that it does.
 *
 * What the program and Deno's own code behind it look up by name is kept. Everything else goes,
 * so that what a later Deno adds is gone as well.
 *
 * @module
 */

/** The language's own objects, but for `eval`. */
const LANGUAGE = `AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array
  BigUint64Array Boolean DataView Date DisposableStack Error EvalError Float16Array Float32Array
  Float64Array Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN
  Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String
  SuppressedError Symbol SyntaxError Temporal TypeError URIError Uint16Array Uint32Array Uint8Array
  Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape globalThis isFinite isNaN parseFloat parseInt undefined unescape`;

/** Of the process, what only computes, waits, or carries an answer. */
const SERVICES = `AbortController AbortSignal Blob Buffer DOMException Deno Event EventTarget
  Headers ReadableStream Request Response TextDecoder TextEncoder URL clearTimeout crypto gc
  performance queueMicrotask setTimeout`;

/** Of `Deno`, what is plain data. */
const DENO = "build errors version";

/** Deletes all own properties but those named, as far as they can be deleted. */
function keepOnly(target: object, names: string): void {
  const kept = new Set<string | symbol>(names.split(/\s+/));
  for (const name of Reflect.ownKeys(target)) {
    if (!kept.has(name) && !isBrand(name)) Reflect.deleteProperty(target, name);
  }
}

/** Marks by which Deno's own code knows the global object. */
function isBrand(name: string | symbol): boolean {
  return typeof name === "symbol" && name.description !== "Deno.internal";
}

/**
 * Removes the doors. What the program wants of `Deno` and `process` it must hold by then.
 * Finalization callbacks go too: they would enter an engine at moments that only the garbage
 * collector chooses.
 */
export function sealGlobals(): void {
  keepOnly(Deno, DENO);
  keepOnly(globalThis, LANGUAGE + " " + SERVICES);
  class NoFinalization {
    register(): void {}
    unregister(): boolean {
      return false;
    }
  }
  Reflect.set(globalThis, "FinalizationRegistry", NoFinalization);
}

/**
 * Gives up the one permission that the process was started with, to listen: what listens already
 * goes on.
 */
export function revokePermissions(revoke: typeof Deno.permissions.revokeSync): void {
  revoke({ name: "net" });
}
