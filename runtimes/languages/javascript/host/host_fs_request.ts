/**
 * Requests of the guest's `fs`: untrusted JSON.
 *
 * @module
 */
import type { Errno } from "../../../files/errno.ts";
import { FileError } from "../../../files/file_error.ts";
import type { OpenFlags } from "../../../files/open_file.ts";
import { Buffer } from "node:buffer";

/** The encodings of Node's `Buffer`. */
export type TextEncoding =
  | "utf8"
  | "utf16le"
  | "latin1"
  | "ascii"
  | "base64"
  | "base64url"
  | "hex";

const ENCODINGS: ReadonlySet<string> = new Set<TextEncoding>(
  ["utf8", "utf16le", "latin1", "ascii", "base64", "base64url", "hex"],
);
const MODE_MASK = 0o7777;
/** Maximum length of a call's name that an error repeats. */
const MAX_CALL_LENGTH = 32;

/** The bits of `open` flags, as on Linux. */
const OPEN = {
  accessMode: 3,
  writeOnly: 1,
  readWrite: 2,
  create: 0o100,
  exclusive: 0o200,
  truncate: 0o1000,
  append: 0o2000,
  directory: 0o200000,
  temporary: 0o20000000,
} as const;

/** The name of the call in an error, in Node's words. */
export interface CallStory {
  readonly syscall: string;
  readonly path?: string;
  readonly dest?: string;
}

/** A refused call, thrown by `attempt`. Not an `Error`: it never leaves the host side. */
export class FailedCall {
  readonly code: Errno;
  readonly story: CallStory;

  constructor(code: Errno, story: CallStory) {
    this.code = code;
    this.story = story;
  }
}

/** Runs one system call. A refusal by the file system becomes a {@linkcode FailedCall}. */
export function attempt<Result>(story: CallStory, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof FileError) throw new FailedCall(cause.code, story);
    throw cause;
  }
}

/** Reads and checks the fields of a request; a malformed field is EINVAL. */
export class FsRequest {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #bytes: Uint8Array<ArrayBuffer> | undefined;

  constructor(fields: Readonly<Record<string, unknown>>, bytes?: Uint8Array<ArrayBuffer>) {
    this.#fields = fields;
    this.#bytes = bytes;
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined && this.#fields[name] !== null;
  }

  flag(name: string): boolean {
    return this.#fields[name] === true;
  }

  text(name: string): string {
    const value = this.#fields[name];
    if (typeof value !== "string") throw new FileError("EINVAL");
    return value;
  }

  /** A path, with lone surrogates replaced by U+FFFD as in Node's encoder. */
  path(name: "path" | "dest" | "cwd"): string {
    return this.text(name).toWellFormed();
  }

  number(name: string): number {
    const value = this.#fields[name];
    if (typeof value !== "number" || !Number.isFinite(value)) throw new FileError("EINVAL");
    return value;
  }

  /** A whole number that is not negative. */
  count(name: string): number {
    const value = this.number(name);
    if (!Number.isSafeInteger(value) || value < 0) throw new FileError("EINVAL");
    return value;
  }

  mode(name: string): number {
    return this.count(name) & MODE_MASK;
  }

  encoding(): TextEncoding {
    const value = this.text("encoding");
    if (!isEncoding(value)) throw new FileError("EINVAL");
    return value;
  }

  /** The data to write: bytes as they are, or `text` in `encoding`. */
  data(): Uint8Array {
    if (this.#bytes !== undefined) return this.#bytes;
    return Buffer.from(this.text("text"), this.encoding());
  }

  openFlags(): OpenFlags {
    return decodeOpenFlags(this.count("flags"));
  }

  /** How an error names a call: the guest may choose another name, as Node does. */
  story(syscall: string): CallStory {
    const call = this.has("call") ? this.text("call").slice(0, MAX_CALL_LENGTH) : syscall;
    if (!this.has("path")) return { syscall: call };
    const path = this.text(this.has("as") ? "as" : "path");
    return this.has("dest")
      ? { syscall: call, path, dest: this.text("dest") }
      : { syscall: call, path };
  }
}

function isEncoding(value: string): value is TextEncoding {
  return ENCODINGS.has(value);
}

/** Reads a request; EINVAL unless it is a JSON object. */
export function parseRequest(text: string, bytes?: Uint8Array<ArrayBuffer>): FsRequest {
  const fields = parseObject(text);
  if (fields === undefined) throw new FileError("EINVAL");
  return new FsRequest(fields, bytes);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function decodeOpenFlags(bits: number): OpenFlags {
  const access = bits & OPEN.accessMode;
  if (access === OPEN.accessMode) throw new FileError("EINVAL");
  if ((bits & OPEN.temporary) !== 0) throw new FileError("ENOTSUP");
  return {
    read: access !== OPEN.writeOnly,
    write: access !== 0,
    create: (bits & OPEN.create) !== 0,
    exclusive: (bits & OPEN.exclusive) !== 0,
    truncate: (bits & OPEN.truncate) !== 0,
    append: (bits & OPEN.append) !== 0,
    directory: (bits & OPEN.directory) !== 0,
  };
}
