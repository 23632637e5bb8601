/**
 * Dependencies of `fs` on the rest of the guest's environment.
 *
 * @module
 */

/** The parts of the guest's environment that `fs` uses. */
export interface FsDependencies {
  /** `process.cwd()`: absolute, without a trailing slash. */
  cwd(): string;
  /** Runs a callback as a separate task, after the current one and its promise jobs. */
  defer(callback: () => void): void;
  /** Node's `Buffer` over memory, without a copy. */
  buffer(memory: ArrayBuffer): Uint8Array;
  /** The constructors of `node:events` and `node:stream` that the streams of files extend. */
  readonly streams: StreamClasses;
}

/** The part of a constructor of `node:stream` that files use. */
export interface StreamClasses {
  readonly Readable: new (options: object) => ReadableBase;
  readonly Writable: new (options: object) => WritableBase;
}

/** A readable stream. */
export interface ReadableBase {
  push(chunk: Uint8Array | null): boolean;
  emit(event: string, ...args: unknown[]): boolean;
  once(event: string, listener: unknown): unknown;
  destroy(error?: unknown): unknown;
}

/** A writable stream. */
export interface WritableBase {
  emit(event: string, ...args: unknown[]): boolean;
  once(event: string, listener: unknown): unknown;
  destroy(error?: unknown): unknown;
}

/** A callback as Node has them: the error first. */
export type Callback = (error: unknown, ...results: unknown[]) => void;
