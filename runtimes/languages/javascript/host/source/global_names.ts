/**
 * Names that every script can use: the language's globals, the guest environment's, and those of
 * Node's module scope.
 *
 * @module
 */
const LANGUAGE = `globalThis undefined NaN Infinity eval isFinite isNaN parseFloat parseInt
  decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape arguments
  AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array
  BigUint64Array Boolean DataView Date DisposableStack Error EvalError FinalizationRegistry
  Float16Array Float32Array Float64Array Function Int8Array Int16Array Int32Array
  InternalError Intl Iterator JSON Map Math Number Object Promise Proxy RangeError
  ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol
  SyntaxError Temporal TypeError URIError Uint8Array Uint8ClampedArray Uint16Array
  Uint32Array WeakMap WeakRef WeakSet WebAssembly`;
const ENVIRONMENT = `AbortController AbortSignal Blob BroadcastChannel Buffer
  ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy Crypto CryptoKey
  CustomEvent DOMException DecompressionStream Event EventTarget File FormData Headers
  MessageChannel MessageEvent MessagePort Navigator Performance ReadableStream Request
  Response TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream URL
  URLPattern URLSearchParams WebSocket WritableStream atob btoa clearImmediate clearInterval
  clearTimeout console crypto fetch global navigator performance process queueMicrotask self
  setImmediate setInterval setTimeout structuredClone`;
const MODULE_SCOPE = "__dirname __filename exports module require";

/** Names that need no declaration. */
export const GLOBAL_NAMES: ReadonlySet<string> = new Set(
  [LANGUAGE, ENVIRONMENT, MODULE_SCOPE].flatMap((names) => names.split(/\s+/)),
);
