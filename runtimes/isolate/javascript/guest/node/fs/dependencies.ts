/**
 * What `fs` needs of the rest of the guest's environment.
 *
 * @module
 */

/** What `fs` takes from the rest of the guest's environment. */
export interface FsDependencies {
  /** `process.cwd()`: absolute, without a slash at the end. */
  cwd(): string;
  /** Runs a callback as a task of its own, after what runs now and its promise jobs. */
  defer(callback: () => void): void;
  /** Node's `Buffer` over memory, without a copy. */
  buffer(memory: ArrayBuffer): Uint8Array;
  /** The constructors of `node:events` and `node:stream` that the streams of files extend. */
  readonly streams: StreamClasses;
}

/** A constructor of `node:stream`, as far as files use it. */
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
