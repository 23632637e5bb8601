/**
 * Calls to the host's files, and the errors of refused ones.
 *
 * @module
 */
import { WORKSPACE } from "../../../../../../client/protocol/paths.ts";
import type { HostFunction } from "../../host.ts";
import { bare, JSONParse, JSONStringify, StringPrototypeStartsWith } from "../../primordials.ts";

/** The fields of a request, and the bytes that go with it. */
export interface FileRequest {
  readonly op: string;
  readonly path?: string;
  readonly dest?: string;
  readonly fd?: number;
  /** The name of the call and the path, for errors. */
  readonly call?: string;
  readonly as?: string;
  readonly [field: string]: unknown;
}

/** An error of a system call, as Node shapes it. */
interface SystemError extends Error {
  errno: number;
  code: string;
  syscall: string;
  path?: string;
  dest?: string;
}

interface ErrorReply {
  readonly errno: number;
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
  readonly dest?: string;
  readonly message: string;
}

/** The calls to the host's files. A refused call throws Node's error. */
export class HostFiles {
  readonly #host: HostFunction;
  readonly #cwd: () => string;

  constructor(host: HostFunction, cwd: () => string) {
    this.#host = host;
    this.#cwd = cwd;
  }

  get cwd(): string {
    return this.#cwd();
  }

  /** A call that is answered with a value. */
  value(request: FileRequest, bytes?: ArrayBuffer): unknown {
    const reply = this.#send(request, bytes);
    if (typeof reply !== "string") return undefined;
    const { error, value } = bare(
      JSONParse(reply) as { error: ErrorReply | undefined; value: unknown },
    );
    if (error !== undefined) throw systemError(error);
    return value;
  }

  /** A call that is answered with bytes. */
  bytes(request: FileRequest): ArrayBuffer {
    const reply = this.#send(request);
    if (typeof reply !== "string") return reply;
    const { error } = bare(JSONParse(reply) as { error: ErrorReply });
    throw systemError(error);
  }

  /** Secure random bytes. */
  random(count: number): ArrayBuffer {
    return this.#host("random", `${count}`);
  }

  #send(request: FileRequest, bytes?: ArrayBuffer): string | ArrayBuffer {
    const cwd = this.#cwd();
    const { path, dest } = request;
    const relative = isRelative(path) || isRelative(dest);
    const text = relative && cwd !== WORKSPACE
      ? JSONStringify(bare({ ...request, cwd }))
      : JSONStringify(bare(request));
    return bytes === undefined ? this.#host("fs", text) : this.#host("fs", text, bytes);
  }
}

function isRelative(path: string | undefined): boolean {
  return path !== undefined && !StringPrototypeStartsWith(path, "/");
}

/** Makes the error of a refused call, with its properties in Node's order. */
function systemError(reply: ErrorReply): SystemError {
  const { errno, code, syscall, path, dest } = bare(reply);
  const error: SystemError = Object.assign(new Error(reply.message), { errno, code, syscall });
  if (path !== undefined) error.path = path;
  if (dest !== undefined) error.dest = dest;
  return error;
}

/** The `code` of an error; undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Runs a call. Returns undefined when it is refused with one of the given codes. */
export function unless<Result>(code: string, run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (codeOf(error) === code) return undefined;
    throw error;
  }
}
