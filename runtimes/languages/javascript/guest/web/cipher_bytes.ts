/**
 * AES over the host. The host keeps nothing between calls, so the state for the next call (the last
 * block, or the count of bytes) is kept here.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import { nodeError } from "./node_error.ts";

const BLOCK = 16;
const NOTHING = new Uint8Array(0);

/** The cipher and its direction. */
export interface CipherParts {
  readonly isEncrypting: boolean;
  /** Such as `aes-256-cbc`. */
  readonly name: string;
  readonly key: Uint8Array;
  readonly vector: Uint8Array;
}

/** Encrypts or decrypts a message in parts. */
export interface CipherBytes {
  update(bytes: Uint8Array): Uint8Array;
  /** The remaining output at the end of the message. */
  final(): Uint8Array;
}

let host: HostFunction | undefined;

/** Sets the host function that computes. Call it once. */
export function useCipherHost(use: HostFunction): void {
  host = use;
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function compute(parts: CipherParts, data: readonly Uint8Array[]): Uint8Array | undefined {
  const { isEncrypting, name, key, vector } = parts;
  const request = `${isEncrypting ? "encrypt" : "decrypt"} ${name}`;
  const reply = host?.("cipher", request, ...[key, vector, ...data].map(bufferOf));
  return reply instanceof ArrayBuffer ? new Uint8Array(reply) : undefined;
}

function operationFailed(): Error {
  return nodeError(Error, "ERR_CRYPTO_OPERATION_FAILED", "Operation failed");
}

function transform(parts: CipherParts, data: Uint8Array): Uint8Array {
  if (data.length === 0) return NOTHING;
  const result = compute(parts, [data]);
  if (result === undefined) throw operationFailed();
  return result;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function failure(code: string, number: string, reason: string): Error {
  const message = `error:${number}:Provider routines::${reason}`;
  return Object.assign(nodeError(Error, code, message), { library: "Provider routines", reason });
}

function badLength(): Error {
  const reason = "wrong final block length";
  return failure("ERR_OSSL_WRONG_FINAL_BLOCK_LENGTH", "1C80006B", reason);
}

/** Bytes of padding at the end of the last block; 0 when the padding is invalid. */
function paddingOf(block: Uint8Array): number {
  const count = block.at(-1) ?? 0;
  const isPadding = count > 0 && count <= BLOCK &&
    block.subarray(-count).every((byte) => byte === count);
  return isPadding ? count : 0;
}

/** Block modes, chained or not, with padding at the end unless it is switched off. */
export class BlockBytes implements CipherBytes {
  isPadded = true;
  #parts: CipherParts;
  #pending: Uint8Array = NOTHING;

  constructor(parts: CipherParts) {
    this.#parts = parts;
  }

  update(bytes: Uint8Array): Uint8Array {
    const all = joined(this.#pending, bytes);
    const rest = all.length % BLOCK;
    // the last decrypted block may be padding
    const isHeld = rest === 0 && this.isPadded && !this.#parts.isEncrypting && all.length > 0;
    const whole = all.length - rest - (isHeld ? BLOCK : 0);
    this.#pending = all.subarray(whole);
    return this.#blocks(all.subarray(0, whole));
  }

  final(): Uint8Array {
    const pending = this.#pending;
    if (!this.isPadded) {
      if (pending.length > 0) throw badLength();
      return NOTHING;
    }
    if (this.#parts.isEncrypting) {
      const count = BLOCK - pending.length;
      return this.#blocks(joined(pending, new Uint8Array(count).fill(count)));
    }
    if (pending.length !== BLOCK) throw badLength();
    const last = this.#blocks(pending);
    const padding = paddingOf(last);
    if (padding === 0) throw failure("ERR_OSSL_BAD_DECRYPT", "1C800064", "bad decrypt");
    return last.subarray(0, BLOCK - padding);
  }

  #blocks(data: Uint8Array): Uint8Array {
    const parts = this.#parts;
    const result = transform(parts, data);
    if (data.length > 0 && parts.vector.length > 0) {
      const last = parts.isEncrypting ? result : data;
      this.#parts = { ...parts, vector: last.slice(-BLOCK) };
    }
    return result;
  }
}

/** The vector, as one number of 128 bits, advanced by `blocks`. */
function advanced(vector: Uint8Array, blocks: number): Uint8Array {
  const next = vector.slice();
  let carry = blocks;
  for (let i = next.length - 1; i >= 0 && carry > 0; i--) {
    carry += next[i] ?? 0;
    next[i] = carry % 256;
    carry = Math.floor(carry / 256);
  }
  return next;
}

/** Counter mode: a stream of bytes, in which encryption and decryption are the same. */
export class CounterBytes implements CipherBytes {
  readonly #parts: CipherParts;
  #count = 0;

  constructor(parts: CipherParts) {
    this.#parts = parts;
  }

  update(bytes: Uint8Array): Uint8Array {
    const offset = this.#count % BLOCK;
    const vector = advanced(this.#parts.vector, Math.floor(this.#count / BLOCK));
    this.#count += bytes.length;
    const data = offset === 0 ? bytes : joined(new Uint8Array(offset), bytes);
    return transform({ ...this.#parts, vector }, data).subarray(offset);
  }

  final(): Uint8Array {
    return NOTHING;
  }
}

/**
 * Length of a vector to which GCM appends a counter directly; vectors of other lengths are hashed.
 */
const PLAIN_VECTOR_BYTES = 12;
const FIRST_COUNTER = 2;

/** The stream that GCM encrypts with; undefined when its start is not known. */
function streamOf(parts: CipherParts): CounterBytes | undefined {
  if (parts.vector.length !== PLAIN_VECTOR_BYTES) return undefined;
  const vector = new Uint8Array(BLOCK);
  vector.set(parts.vector);
  vector[BLOCK - 1] = FIRST_COUNTER;
  return new CounterBytes({ ...parts, name: parts.name.replace("gcm", "ctr"), vector });
}

/**
 * GCM. The host processes only whole messages. Each part is therefore encrypted as part of a
 * stream, or, when the stream is unknown, together with all previous parts. The tag is computed at
 * the end.
 */
export class GaloisBytes implements CipherBytes {
  /** The tag: set it to verify, or read it after the end. */
  tag: Uint8Array | undefined;
  readonly #parts: CipherParts;
  readonly #stream: CounterBytes | undefined;
  #additional: Uint8Array = NOTHING;
  #pieces: Uint8Array[] = [];
  #count = 0;
  #hasBegun = false;

  constructor(parts: CipherParts) {
    this.#parts = parts;
    this.#stream = streamOf(parts);
  }

  /** Adds data that only the tag covers; false once the message has begun. */
  addAdditional(bytes: Uint8Array): boolean {
    if (this.#hasBegun) return false;
    this.#additional = joined(this.#additional, bytes);
    return true;
  }

  update(bytes: Uint8Array): Uint8Array {
    const from = this.#count;
    this.#hasBegun = true;
    this.#pieces.push(bytes.slice());
    this.#count += bytes.length;
    return this.#stream?.update(bytes) ?? this.#whole().subarray(from, this.#count);
  }

  final(): Uint8Array {
    if (this.#parts.isEncrypting) this.tag = this.#whole().slice(this.#count);
    else if (!this.#isGenuine()) {
      throw new Error("Unsupported state or unable to authenticate data");
    }
    return NOTHING;
  }

  #message(): Uint8Array {
    const message = new Uint8Array(this.#count);
    let at = 0;
    for (const piece of this.#pieces) {
      message.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [message];
    return message;
  }

  #whole(): Uint8Array {
    const whole = compute(this.#parts, [this.#message(), this.#additional]);
    if (whole === undefined) throw operationFailed();
    return whole;
  }

  #isGenuine(): boolean {
    const { tag } = this;
    return tag !== undefined &&
      compute(this.#parts, [this.#message(), this.#additional, tag]) !== undefined;
  }
}
