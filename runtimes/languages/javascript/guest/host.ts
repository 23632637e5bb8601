/**
 * The interface to the host: the one native function that the guest environment is built on.
 *
 * Only strings and ArrayBuffers cross, as copies. Guest code never reaches this function: `main.ts`
 * removes it from `globalThis` before any guest code runs and passes it to the modules that need
 * it.
 *
 * @module
 */
import { ReflectDeleteProperty } from "./primordials.ts";

/** The host's operations. Numbers are decimal text. */
export interface HostFunction {
  /** Writes text to standard output or standard error as it is: no newline is added. */
  (op: "out" | "err", text: string): undefined;
  /** Shows lines of JSON; a text when it is no display. */
  (op: "display", lines: string): string | undefined;
  /**
   * Does what a line about calls says (`call_lines.ts` of the engine). Returns the line that answers a
   * wait; undefined: refused, or the run is ending.
   */
  (op: "call", line: string): string | undefined;
  /** Ends the run with a status; {@link exitRun} is the way to call it. */
  (op: "exit", status: string): undefined;
  /** Reports the working directory. */
  (op: "cwd", path: string): undefined;
  /** Advances the virtual clock by milliseconds. */
  (op: "advance", milliseconds: string): undefined;
  /** Returns secure random bytes, at most 65536 at a time. */
  (op: "random", count: string): ArrayBuffer;
  /** Formats with the host's Intl; request and reply are JSON. */
  (op: "intl", request: string): string;
  /** One file system call; the reply is file bytes or JSON. */
  (op: "fs", request: string, bytes?: ArrayBuffer): string | ArrayBuffer;
  /** Hashes; undefined when the host does not serve the request. */
  (
    op: "hash",
    request: string,
    ...data: readonly (string | ArrayBuffer)[]
  ): ArrayBuffer | undefined;
  /** Encrypts and decrypts; undefined when the host does not serve the request. */
  (op: "cipher", request: string, ...data: readonly ArrayBuffer[]): ArrayBuffer | undefined;
  /** Converts bytes to text or back; undefined when the host does not serve the request. */
  (op: "text", request: string, data: string | ArrayBuffer): string | ArrayBuffer | undefined;
  /** Turns a module's text into the body of a function; request and reply are JSON. */
  (op: "module", request: string): string | undefined;
  /** The source of the globals that are loaded on demand. */
  (op: "demand"): string | undefined;
  /** Evaluates a script whose value is a function; returns the function, or what was thrown. */
  (op: "compile", name: string, code: string): unknown;
  /**
   * Reads from a source what an error is about; the request is JSON, the reply a position and text.
   */
  (op: "place", request: string): string | undefined;
  /** Bytes of linear memory, as decimal text; undefined if the host does not say. */
  (op: "memory"): string | undefined;
  /**
   * Inspects a promise: its state (`0` pending, `1` fulfilled, `2` rejected, as text), or its value
   * or reason. Undefined from a host that does not report it.
   */
  (op: "promise", what: "state" | "result", promise: object): unknown;
}

function isHostFunction(value: unknown): value is HostFunction {
  return typeof value === "function";
}

/** Removes the native function from `globalThis`, where the engine put it. */
export function takeHost(): HostFunction {
  const host = Object.getOwnPropertyDescriptor(globalThis, "__host")?.value;
  if (!isHostFunction(host)) {
    throw new TypeError("The host function is missing");
  }
  ReflectDeleteProperty(globalThis, "__host");
  return host;
}

/** Ends the run. The host interrupts the loop, and no guest code can catch that. */
export function exitRun(host: HostFunction, status: number): never {
  host("exit", `${status}`);
  for (;;);
}
