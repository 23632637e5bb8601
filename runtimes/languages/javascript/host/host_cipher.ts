/**
 * The host side of the guest's ciphers: AES of whole messages or whole blocks, as a stateless
 * function of bytes. The work is paid for before it is done.
 *
 * A request is `encrypt NAME` or `decrypt NAME`. The data follow: key, initialization vector and
 * message; for GCM also additional data and, to verify, the tag. Blocks are not padded. GCM
 * encrypts to the message followed by the tag. It decrypts to the message, or verifies: then the
 * reply is empty, or nothing when the tag differs.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { type NodeCrypto, nodeCrypto } from "../../../engine/node_crypto.ts";
import type { PaidService } from "./host_calls.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const REQUEST = /^(encrypt|decrypt) aes-(128|192|256)-(cbc|ctr|ecb|gcm)$/;
const BLOCK_BYTES = 16;
const TAG_BYTES = 16;
const MAX_VECTOR_BYTES = 1024;
/** Ciphers that the host does not have; they are composed of single blocks. */
const COMPOSED = "aes-192-cbc";
const COMPOSED_PART = "aes-192-ecb";

// Fuel at 12,000 units per microsecond, the rate of guest code.
/** Making a cipher takes 3 to 5 µs. */
const CIPHER_FUEL = 60_000;
/** A byte takes 1 to 5 ns. */
const BYTE_FUEL = 70;
/** A block that is encrypted by itself takes 1 µs. */
const BLOCK_FUEL = 20_000;

interface Job {
  readonly isEncrypting: boolean;
  readonly name: string;
  readonly key: Bytes;
  readonly vector: Bytes;
  readonly message: Bytes;
}

function plain(bytes: Uint8Array): Bytes {
  return new Uint8Array(bytes);
}

function transform(crypto: NodeCrypto, job: Job): Bytes {
  const { isEncrypting, name, key, message } = job;
  const vector = job.vector.length === 0 ? null : job.vector;
  const cipher = isEncrypting
    ? crypto.createCipheriv(name, key, vector)
    : crypto.createDecipheriv(name, key, vector);
  cipher.setAutoPadding(false);
  // unless it is ended, the host would keep the cipher
  return plain(Buffer.concat([cipher.update(message), cipher.final()]));
}

/** Combines a block with the one before it. */
function combine(target: Bytes, at: number, previous: Bytes, previousAt: number): void {
  for (let i = 0; i < BLOCK_BYTES; i++) {
    target[at + i] = (target[at + i] ?? 0) ^ (previous[previousAt + i] ?? 0);
  }
}

/** Cipher block chaining over a cipher of single blocks. */
function chain(crypto: NodeCrypto, { isEncrypting, key, vector, message }: Job): Bytes {
  const single = { isEncrypting, name: COMPOSED_PART, key, vector: new Uint8Array() };
  if (!isEncrypting) {
    const result = transform(crypto, { ...single, message });
    for (let at = 0; at < result.length; at += BLOCK_BYTES) {
      if (at === 0) combine(result, at, vector, 0);
      else combine(result, at, message, at - BLOCK_BYTES);
    }
    return result;
  }
  const cipher = crypto.createCipheriv(COMPOSED_PART, key, null);
  cipher.setAutoPadding(false);
  const result = message.slice();
  for (let at = 0; at < result.length; at += BLOCK_BYTES) {
    if (at === 0) combine(result, at, vector, 0);
    else combine(result, at, result, at - BLOCK_BYTES);
    result.set(cipher.update(result.subarray(at, at + BLOCK_BYTES)), at);
  }
  cipher.final();
  return result;
}

/**
 * The transformed message (encryption and decryption are the same), followed by the tag of the
 * input.
 */
function sealed(crypto: NodeCrypto, job: Job, additional: Bytes): Bytes {
  const cipher = crypto.createCipheriv(job.name as "aes-256-gcm", job.key, job.vector);
  cipher.setAAD(additional);
  const parts = [cipher.update(job.message), cipher.final()];
  return plain(Buffer.concat([...parts, cipher.getAuthTag()]));
}

function authenticated(
  crypto: NodeCrypto,
  job: Job,
  additional: Bytes,
  tag: Bytes,
): Bytes | undefined {
  const once = sealed(crypto, job, additional);
  if (job.isEncrypting) return once;
  const message = once.subarray(0, job.message.length);
  if (tag.length === 0) return message;
  const twice = sealed(crypto, { ...job, message }, additional).subarray(message.length);
  return tag.every((byte, index) => byte === twice[index]) ? new Uint8Array() : undefined;
}

/** Lengths that each mode accepts. */
function isSound({ key, vector, message }: Job, mode: string, bits: number): boolean {
  if (key.length * 8 !== bits) return false;
  if (mode === "gcm") return vector.length > 0 && vector.length <= MAX_VECTOR_BYTES;
  if (vector.length !== (mode === "ecb" ? 0 : BLOCK_BYTES)) return false;
  return mode === "ctr" || message.length % BLOCK_BYTES === 0;
}

/** The service. It returns nothing for a request that the guest environment never makes. */
export const CIPHER_SERVICE: PaidService = {
  serve(args, pay) {
    const [, what, bits = "", mode = ""] = REQUEST.exec(args.text(1)) ?? [];
    if (what === undefined) return undefined;
    const [key, vector, message] = [args.data(2), args.data(3), args.data(4)];
    const [additional, tag] = [args.data(5), args.data(6)];
    const name = `aes-${bits}-${mode}`;
    const job: Job = { isEncrypting: what === "encrypt", name, key, vector, message };
    if (!isSound(job, mode, Number(bits)) || tag.length > TAG_BYTES) return undefined;
    const blocks = name === COMPOSED ? message.length / BLOCK_BYTES : 0;
    const passes = tag.length > 0 ? 2 : 1;
    const bytes = (message.length + additional.length + vector.length) * passes;
    if (!pay(CIPHER_FUEL + bytes * BYTE_FUEL + blocks * BLOCK_FUEL)) return undefined;
    const crypto = nodeCrypto();
    if (mode === "gcm") {
      return bits === "192" ? undefined : authenticated(crypto, job, additional, tag);
    }
    return name === COMPOSED ? chain(crypto, job) : transform(crypto, job);
  },
};
