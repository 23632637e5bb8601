/**
 * Removes from the isolate's global scope what its program does not use: everything that reaches
 * out of the process, stores, draws, or starts more code. The guest never
 * reaches this scope; the seal is a second wall in case it does.
 *
 * It keeps what the program and Deno's own code look up by name, and removes everything else,
 * including globals that a later Deno adds.
 *
 * @module
 */

/** The language's own objects, without `eval`. */
const LANGUAGE = `AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array
  BigUint64Array Boolean DataView Date DisposableStack Error EvalError Float16Array Float32Array
  Float64Array Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN
  Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String
  SuppressedError Symbol SyntaxError Temporal TypeError URIError Uint16Array Uint32Array Uint8Array
  Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape globalThis isFinite isNaN parseFloat parseInt undefined unescape`;

/** Globals of the process that only compute, wait, or carry an answer. */
const SERVICES = `AbortController AbortSignal Blob Buffer DOMException Deno Event EventTarget
  Headers ReadableStream Request Response TextDecoder TextEncoder URL clearTimeout crypto gc
  performance queueMicrotask setTimeout`;

/** Members of `Deno` that are plain data. */
const DENO = "build errors version";

/** Deletes all own properties except those named, if they are configurable. */
function keepOnly(target: object, names: string): void {
  const allowed = new Set<string | symbol>(names.split(/\s+/));
  for (const name of Reflect.ownKeys(target)) {
    if (!allowed.has(name) && !isBrand(name)) Reflect.deleteProperty(target, name);
  }
}

/** Marks by which Deno's own code knows the global object. */
function isBrand(name: string | symbol): boolean {
  return typeof name === "symbol" && name.description !== "Deno.internal";
}

/**
 * Seals the scope. The program must already hold what it needs of `Deno` and `process`.
 * Finalization callbacks are removed too: they would enter an engine at moments that only the
 * garbage collector chooses.
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
 * Gives up the permission to listen, the only one of the process. Listeners that exist
 * continue.
 */
export function revokePermissions(revoke: typeof Deno.permissions.revokeSync): void {
  revoke({ name: "net" });
}
