/**
 * Installs the interfaces of the web platform that Node has: Encoding, URL, DOM events and
 * aborting, structured clones, performance, Web Cryptography, blobs, Base64.
 *
 * `setTimeout` must already exist: `AbortSignal.timeout` uses it.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import { installIntl } from "../intl/install.ts";
import { dataDescriptor, queueJob, ReflectApply, ReflectDefineProperty } from "../primordials.ts";
import { AbortController, AbortSignal, exposeAbort, type SetTimeout } from "./abort.ts";
import { atob, btoa } from "./base64.ts";
import { Blob, exposeBlob, File } from "./blob.ts";
import { CryptoKey } from "./crypto_key.ts";
import { CustomEvent, Event, exposeEvents } from "./event.ts";
import { EventTarget, exposeEventTarget } from "./event_target.ts";
import { defineGlobal, defineGlobalClass } from "./expose.ts";
import { requireFunction } from "./node_error.ts";
import {
  beginTimeOrigin,
  createPerformance,
  Performance,
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
  setTimeOrigin,
} from "./performance.ts";
import { useHashingHost } from "./hashing.ts";
import { useTextHost } from "./host_text.ts";
import { structuredClone } from "./structured_clone.ts";
import { exposeTextDecoder, TextDecoder } from "./text_decoder.ts";
import { exposeTextEncoder, TextEncoder } from "./text_encoder.ts";
import { useHostEncoder } from "./utf8.ts";
import { exposeUrl, URL } from "./url.ts";
import { exposeUrlSearchParams, URLSearchParams } from "./url_search_params.ts";
import {
  createCrypto,
  createRandomBytes,
  Crypto,
  type RandomBytes,
  SubtleCrypto,
} from "./web_crypto.ts";

/** Exports for other parts of the environment. */
export interface WebApis {
  /** Random bytes of the host, any number of them. */
  readonly randomBytes: RandomBytes;
  /** The global `crypto`, which is Node's `crypto.webcrypto` too. */
  readonly crypto: Crypto;
  /** The global `performance`, which is that of `perf_hooks` too. */
  readonly performance: Performance;
  /** Call it when a run begins: starts the clock of `performance`. */
  beginRun(): void;
  /** Around a run whose caller sets the clock: `performance` counts from its beginning. */
  setClock(begins: boolean): void;
}

const CLASSES = {
  AbortController,
  AbortSignal,
  Blob,
  Crypto,
  CryptoKey,
  CustomEvent,
  Event,
  EventTarget,
  File,
  Performance,
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
  SubtleCrypto,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
};

/** The engine's `queueMicrotask`, with Node's error for anything that is not a function. */
function checkedMicrotask(callback: () => void): void {
  requireFunction("callback", callback);
  queueJob(callback);
}

function globalTimer(): SetTimeout | undefined {
  const timer: unknown = Reflect.get(globalThis, "setTimeout");
  return typeof timer === "function" ? timer as SetTimeout : undefined;
}

function exposeClasses(): void {
  exposeTextEncoder();
  exposeTextDecoder();
  exposeUrl();
  exposeUrlSearchParams();
  exposeEvents();
  exposeEventTarget();
  exposeAbort(globalTimer());
  exposeBlob();
}

/** Defines the globals of the web platform, `Intl` among them. */
export function installWebApis(host: HostFunction): WebApis {
  correctBigInt();
  useHostEncoder(host as (op: string, text: string) => unknown);
  useHashingHost(host);
  useTextHost(host);
  const randomBytes = createRandomBytes(host);
  const crypto = createCrypto(randomBytes);
  const performance = createPerformance();
  exposeClasses();
  for (const [name, value] of Object.entries(CLASSES)) defineGlobalClass(name, value);
  const functions = {
    structuredClone,
    atob,
    btoa,
    queueMicrotask: checkedMicrotask,
    performance,
    crypto,
  };
  for (const [name, value] of Object.entries(functions)) defineGlobal(name, value);
  installIntl(host);
  return { randomBytes, crypto, performance, beginRun: beginTimeOrigin, setClock: setTimeOrigin };
}

const nativeAsUintN: unknown = BigInt.asUintN;
const toBigInt = BigInt;

/**
 * Installs `BigInt.asUintN` as ECMA-262 defines it: the engine's own returns a negative number when the
 * highest bit is set.
 */
function correctBigInt(): void {
  const { asUintN } = {
    asUintN(bits: unknown, value: unknown): bigint {
      const count = Math.trunc(+(bits as number)) || 0;
      const wrapped = ReflectApply(nativeAsUintN, undefined, [count, value]) as bigint;
      return wrapped < 0n ? wrapped + (1n << toBigInt(count)) : wrapped;
    },
  };
  ReflectDefineProperty(BigInt, "asUintN", dataDescriptor(asUintN));
}
