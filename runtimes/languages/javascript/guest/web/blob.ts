/**
 * `Blob` and `File` of the File API: bytes that do not change.
 *
 * @module
 */
import { exposeInterface, INSPECT, inspectAs } from "./expose.ts";
import { invalidArgument, missingArguments } from "./node_error.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

let bytesOf: (part: unknown) => Uint8Array;
let streamOf: (bytes: Uint8Array) => unknown = () => undefined;

function readType(options: unknown): string {
  const type: unknown = (options as { type?: unknown } | null | undefined)?.type;
  const text = type === undefined ? "" : `${type}`;
  return /[^\x20-\x7e]/.test(text) ? "" : text.toLowerCase();
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function readParts(parts: unknown): Uint8Array<ArrayBuffer> {
  if (parts === undefined) return new Uint8Array(0);
  if (typeof parts !== "object" || parts === null || !(Symbol.iterator in parts)) {
    throw invalidArgument("sources", "a sequence", parts);
  }
  return concatenate(Array.from(parts as Iterable<unknown>, (part) => bytesOf(part)));
}

/** Where a slice begins or ends; counted from the end when negative. */
function position(value: unknown, size: number): number {
  const offset = Math.trunc(Number(value)) || 0;
  return offset < 0 ? Math.max(size + offset, 0) : Math.min(offset, size);
}

/** Bytes with a type. */
export class Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #type: string;

  static {
    bytesOf = (part) => {
      if (typeof part === "object" && part !== null && #bytes in part) return part.#bytes;
      if (part instanceof ArrayBuffer) return new Uint8Array(part);
      if (ArrayBuffer.isView(part)) {
        return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
      }
      return encodeUtf8(`${part}`);
    };
  }

  constructor(parts: unknown = undefined, options: unknown = undefined) {
    this.#bytes = readParts(parts);
    this.#type = readType(options);
  }

  get type(): string {
    return this.#type;
  }

  get size(): number {
    return this.#bytes.length;
  }

  slice(start: unknown = 0, end: unknown = undefined, type: unknown = ""): Blob {
    const { length } = this.#bytes;
    const last = end === undefined ? length : position(end, length);
    return new Blob([this.#bytes.subarray(position(start, length), last)], { type });
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return await Promise.resolve(this.#bytes.slice().buffer);
  }

  async text(): Promise<string> {
    const text = decodeUtf8(this.#bytes);
    return await Promise.resolve(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  }

  stream(): unknown {
    return streamOf(this.#bytes);
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return await Promise.resolve(this.#bytes.slice());
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    return inspectAs(this, "Blob", { size: this.size, type: this.type }, args);
  }
}

/** A blob with a name. */
export class File extends Blob {
  readonly #name: string;
  readonly #lastModified: number;

  constructor(parts: unknown, name: unknown, options: unknown = undefined) {
    if (arguments.length < 2) throw missingArguments("fileBits", "fileName");
    super(parts, options);
    this.#name = `${name}`;
    const time: unknown = (options as { lastModified?: unknown } | null | undefined)?.lastModified;
    this.#lastModified = time === undefined ? Date.now() : Math.trunc(Number(time)) || 0;
  }

  get name(): string {
    return this.#name;
  }

  get lastModified(): number {
    return this.#lastModified;
  }

  override [INSPECT](...args: readonly unknown[]): unknown {
    const { size, type, name, lastModified } = this;
    return inspectAs(this, "File", { size, type, name, lastModified }, args);
  }
}

/** The bytes of a blob, of a buffer or a view of one. */
export function bytesOfPart(part: unknown): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytesOf(part);
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Sets the function that makes the stream of a blob. */
export function useBlobStreams(make: (bytes: Uint8Array) => unknown): void {
  streamOf = make;
}

/** Prepares the classes for guests. */
export function exposeBlob(): void {
  exposeInterface(Blob, "Blob");
  exposeInterface(File, "File");
}
