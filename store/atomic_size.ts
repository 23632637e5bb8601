/**
 * The limits of one atomic operation of Deno KV, and whether something still fits. Measured on Deno
 * 2.5 and 2.9 with the local backend; the published limits are the same or higher.
 *
 * @module
 */

/** Largest value: exactly this many bytes when it is a raw `Uint8Array`. */
export const MAX_VALUE_BYTES = 65_536;
/** Maximum number of keys of one `getMany`. */
export const MAX_KEYS_PER_READ = 10;
/** Maximum number of sets, deletions and sums in one atomic operation. */
const MAX_MUTATIONS = 1_000;
/** Maximum number of checks in one atomic operation. */
const MAX_CHECKS = 100;

/** Of 819,200 for keys and values together: twelve values of the largest size and 32 KiB more. */
const MAX_ATOMIC_BYTES = 819_000;
/** KV counts the key of a mutation twice into the size of an atomic operation. */
const KEYS_COUNTED = 2;
/** Of 81,920 for the keys of one atomic operation. */
const MAX_KEY_BYTES = 81_000;
/** Head of a serialized value, and slack for the overhead of a key or value. */
const OVERHEAD_BYTES = 16;

const utf8 = new TextEncoder();

/** Bytes of a key as KV encodes it, never underestimated. */
export function keyBytes(key: Deno.KvKey): number {
  return key.reduce<number>((sum, part) => sum + keyPartBytes(part), 0);
}

/** KV escapes a zero byte inside text or bytes, which doubles it. */
function keyPartBytes(part: Deno.KvKeyPart): number {
  if (typeof part === "number") return 9;
  if (typeof part === "boolean") return 1;
  if (typeof part === "bigint") return 4 + part.toString(16).length;
  if (typeof part === "symbol") throw new TypeError("a symbol cannot be part of a key");
  const bytes = typeof part === "string" ? textBytes(part) : countBytes(part);
  return 2 + bytes;
}

/** Nearly all keys are ASCII, whose bytes need no copy of the text. */
function textBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return countBytes(utf8.encode(text));
    if (code === 0) bytes++;
  }
  return bytes;
}

function countBytes(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum + (byte === 0 ? 2 : 1), 0);
}

/**
 * Bytes of a value as KV serializes it, never underestimated for plain data; at most {@link
 * MAX_VALUE_BYTES}, because KV refuses more.
 */
export function valueBytes(value: unknown): number {
  if (value instanceof Uint8Array) return Math.min(value.byteLength, MAX_VALUE_BYTES);
  if (value instanceof Deno.KvU64) return 8;
  return Math.min(MAX_VALUE_BYTES, OVERHEAD_BYTES + serializedBytes(value, MAX_VALUE_BYTES));
}

/** Stops once it exceeds `budget`, so large or cyclic values do no harm. */
function serializedBytes(value: unknown, budget: number): number {
  if (typeof value === "string") return 2 * value.length + 8;
  if (typeof value === "bigint") return 16 + value.toString(16).length;
  if (typeof value !== "object" || value === null || value instanceof Date) return 12;
  if (ArrayBuffer.isView(value)) return value.byteLength + 32;
  if (value instanceof ArrayBuffer) return value.byteLength + 16;
  if (Array.isArray(value)) return sizeOfAll(value, 24, budget);
  if (value instanceof Set) return sizeOfAll([...value], 24, budget);
  if (value instanceof Map) return sizeOfAll([...value].flat(), 24, budget);
  const names = Object.keys(value);
  const withNames = sizeOfAll(names, 24, budget);
  return sizeOfAll(Object.values(value), withNames, budget);
}

function sizeOfAll(parts: readonly unknown[], start: number, budget: number): number {
  let sum = start;
  for (let at = 0; at < parts.length && sum <= budget; at++) {
    sum += serializedBytes(parts[at], budget - sum);
  }
  return sum;
}

/** The most that an atomic operation, or a part of one, may contain. */
export interface AtomicBounds {
  readonly mutations: number;
  readonly checks: number;
  /** Of all keys. */
  readonly keyBytes: number;
  /** Of values and keys, as KV counts them. */
  readonly bytes: number;
}

/** A whole operation. */
const WHOLE: AtomicBounds = {
  mutations: MAX_MUTATIONS,
  checks: MAX_CHECKS,
  keyBytes: MAX_KEY_BYTES,
  bytes: MAX_ATOMIC_BYTES,
};

/** The deciding part of a transaction that joins another one, which has records of its own. */
export const JOINED: AtomicBounds = {
  mutations: 64,
  checks: 8,
  keyBytes: 8_000,
  bytes: 2 * MAX_VALUE_BYTES,
};

/** Adds up the contents of an atomic operation, and refuses what would exceed the bounds. */
export class AtomicBudget {
  readonly #most: AtomicBounds;
  #mutations = 0;
  #checks = 0;
  #keyBytes = 0;
  #bytes = 0;

  constructor(most: AtomicBounds = WHOLE) {
    this.#most = most;
  }

  /** Counts one mutation if it fits. A deletion has no value. */
  addMutation(key: Deno.KvKey, bytesOfValue = 0): boolean {
    const bytesOfKey = keyBytes(key);
    const fits = this.#mutations < this.#most.mutations && this.#hasRoom(bytesOfKey, bytesOfValue);
    if (fits) {
      this.#mutations++;
      this.#add(bytesOfKey, bytesOfValue);
    }
    return fits;
  }

  /** Counts one check if it fits. */
  addCheck(key: Deno.KvKey): boolean {
    const bytesOfKey = keyBytes(key);
    const fits = this.#checks < this.#most.checks && this.#hasRoom(bytesOfKey, 0);
    if (fits) {
      this.#checks++;
      this.#add(bytesOfKey, 0);
    }
    return fits;
  }

  #hasRoom(bytesOfKey: number, bytesOfValue: number): boolean {
    return this.#keyBytes + bytesOfKey <= this.#most.keyBytes &&
      this.#bytes + KEYS_COUNTED * bytesOfKey + bytesOfValue <= this.#most.bytes;
  }

  #add(bytesOfKey: number, bytesOfValue: number): void {
    this.#keyBytes += bytesOfKey;
    this.#bytes += KEYS_COUNTED * bytesOfKey + bytesOfValue;
  }
}
