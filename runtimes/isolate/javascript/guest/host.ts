/**
 * The border to the host: the one native function the guest's environment is built on.
 *
 * Only strings and ArrayBuffers cross, copied. Guest code never reaches this function: `main.ts`
 * takes it off `globalThis` before any guest code runs and passes it to the modules that need it.
 *
 * @module
 */
import { ReflectDeleteProperty } from "./primordials.ts";

/** The host's operations. Numbers are decimal text. */
export interface HostFunction {
  /** Writes text to standard output or standard error as it is: no newline is added. */
  (op: "out" | "err", text: string): undefined;
  /** Ends the run with a status; {@link exitRun} is the way to call it. */
  (op: "exit", status: string): undefined;
  /** Tells the working directory. */
  (op: "cwd", path: string): undefined;
  /** Moves the virtual clock on by milliseconds. */
  (op: "advance", milliseconds: string): undefined;
  /** Gives secure random bytes, at most 65536 at a time. */
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
  /** Makes the body of a function of a module's text; request and reply are JSON. */
  (op: "module", request: string): string | undefined;
  /** Evaluates a script that gives a function; gives that, or what was thrown. */
  (op: "compile", name: string, code: string): unknown;
  /**
   * Reads from a source what an error is about; the request is JSON, the reply a place and text.
   */
  (op: "place", request: string): string | undefined;
  /** Bytes of linear memory, as decimal text; undefined if the host does not say. */
  (op: "memory"): string | undefined;
  /**
   * Looks into a promise: its state (`0` pending, `1` fulfilled, `2` rejected, as text) or what
   * it came to. Undefined from a host that does not tell.
   */
  (op: "promise", what: "state" | "result", promise: object): unknown;
}

function isHostFunction(value: unknown): value is HostFunction {
  return typeof value === "function";
}

/** Takes the native function off `globalThis`, where the engine left it. */
export function takeHost(): HostFunction {
  const host = Object.getOwnPropertyDescriptor(globalThis, "__host")?.value;
  if (!isHostFunction(host)) {
    throw new TypeError("The host function is missing");
  }
  ReflectDeleteProperty(globalThis, "__host");
  return host;
}

/** Ends the run. The host interrupts the loop in a way no guest code can catch. */
export function exitRun(host: HostFunction, status: number): never {
  host("exit", `${status}`);
  for (;;);
}
