/**
 * `stream`: the npm package `readable-stream`, which is Node's own streams, on this
 * environment's event loop.
 *
 * @module
 */
import packageProcess from "process/browser.js";
import packageStreams from "readable-stream/lib/ours/browser.js";
import type { EventLoop } from "../event_loop.ts";
import { listFrom } from "../primordials.ts";
import type { Emitter } from "./events.ts";

/** The part of a readable stream that this environment uses. */
export interface Readable extends Emitter {
  push(chunk: unknown): boolean;
  destroy(error?: unknown): unknown;
  setEncoding(encoding: string): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** The part of a writable stream that this environment uses. */
export interface Writable extends Emitter {
  write(chunk: unknown, ...rest: unknown[]): boolean;
  destroy(error?: unknown): unknown;
}

/** The module `stream`. */
export interface StreamModule {
  readonly Readable: new (options: object) => Readable;
  readonly Writable: new (options: object) => Writable;
  /** A function, not a class: it makes its `this` a stream. */
  readonly Transform: ((options: object) => void) & { readonly prototype: object };
  readonly promises: object;
}

function isStreamModule(value: unknown): value is StreamModule {
  return typeof value === "function" && "Readable" in value && "Writable" in value;
}

function streamModule(): StreamModule {
  if (!isStreamModule(packageStreams)) throw new TypeError("The package has no streams");
  return packageStreams;
}

/** The module `stream`. */
export const streams: StreamModule = streamModule();

/** Tells the package which streams belong to the process: a pipe into them does not end them. */
export function useStandardOutputs(stdout: Writable, stderr: Writable): void {
  Reflect.set(packageProcess, "stdout", stdout);
  Reflect.set(packageProcess, "stderr", stderr);
}

/** Puts the package's ticks into the loop: its own would be timers. */
export function useLoopForStreams(loop: EventLoop): void {
  Reflect.set(packageProcess, "nextTick", (callback: unknown, ...args: unknown[]) => {
    loop.addTick(callback, listFrom(args));
  });
}
