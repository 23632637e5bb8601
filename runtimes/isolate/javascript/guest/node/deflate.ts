/**
 * Compression to the format DEFLATE (RFC 1951), in the guest itself. Matches are looked for in
 * short chains, and codes are the fixed ones: it is made for little work, and comes out some
 * tenths larger than zlib's.
 *
 * @module
 */
import {
  DISTANCES,
  END_OF_BLOCK,
  FIXED,
  FIXED_DISTANCE_LENGTHS,
  FIXED_LITERAL_LENGTHS,
  LENGTHS,
  MAX_MATCH,
  MAX_STORED,
  MIN_MATCH,
  type Ranges,
  STORED,
  WINDOW,
} from "./deflate_tables.ts";

const HASH_BITS = 13;
const HASH_FACTOR = 0x9e3779b1;
const MAX_CHAIN = 8;
/** A match as long as this will do. */
const GOOD_MATCH = 64;
const NO_MATCH = [0, 0] as const;
/** Literals of 9 bits are the longest codes. */
const MOST_BITS_PER_BYTE = 9;

/** The bits of a canonical code, in the order they are written in. */
function codesFor(lengths: readonly number[]): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  let next = 0;
  for (let bits = 1; bits <= MOST_BITS_PER_BYTE; bits++) {
    next <<= 1;
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== bits) continue;
      let reversed = 0;
      for (let bit = 0; bit < bits; bit++) reversed = reversed << 1 | (next >> bit & 1);
      codes[symbol] = reversed;
      next++;
    }
  }
  return codes;
}

/** The code of the range that a number is in. */
function rangeOf({ bases }: Ranges, value: number): number {
  let [low, high] = [0, bases.length - 1];
  while (low < high) {
    const middle = low + high + 1 >> 1;
    if ((bases[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface Tables {
  readonly literals: Uint16Array;
  readonly distances: Uint16Array;
}

let tables: Tables | undefined;

class Deflater {
  readonly #input: Uint8Array;
  readonly #output: Uint8Array;
  readonly #tables: Tables;
  #length = 0;
  #bits = 0;
  #bitCount = 0;

  constructor(input: Uint8Array) {
    this.#input = input;
    this.#output = new Uint8Array(Math.ceil(input.length * MOST_BITS_PER_BYTE / 8) + 16);
    this.#tables = tables ??= {
      literals: codesFor(FIXED_LITERAL_LENGTHS),
      distances: codesFor(FIXED_DISTANCE_LENGTHS),
    };
  }

  #put(value: number, count: number): void {
    this.#bits |= value << this.#bitCount;
    this.#bitCount += count;
    while (this.#bitCount >= 8) {
      this.#output[this.#length++] = this.#bits & 0xff;
      this.#bits >>>= 8;
      this.#bitCount -= 8;
    }
  }

  #literal(symbol: number): void {
    this.#put(this.#tables.literals[symbol] ?? 0, FIXED_LITERAL_LENGTHS[symbol] ?? 0);
  }

  #match(length: number, distance: number): void {
    const code = rangeOf(LENGTHS, length);
    this.#literal(END_OF_BLOCK + 1 + code);
    this.#put(length - (LENGTHS.bases[code] ?? 0), LENGTHS.bits[code] ?? 0);
    const far = rangeOf(DISTANCES, distance);
    this.#put(this.#tables.distances[far] ?? 0, FIXED_DISTANCE_LENGTHS[far] ?? 0);
    this.#put(distance - (DISTANCES.bases[far] ?? 0), DISTANCES.bits[far] ?? 0);
  }

  #common(from: number, at: number): number {
    const input = this.#input;
    const most = Math.min(MAX_MATCH, input.length - at);
    let length = 0;
    while (length < most && input[from + length] === input[at + length]) length++;
    return length;
  }

  /** Length and distance of the longest match in a chain. */
  #longest(before: Int32Array, first: number, at: number): readonly [number, number] {
    const input = this.#input;
    let [length, distance, from] = [MIN_MATCH - 1, 0, first];
    for (let tries = MAX_CHAIN; tries > 0 && at - from <= WINDOW; tries--) {
      if (input[from + length] === input[at + length]) {
        const found = this.#common(from, at);
        if (found > length) [length, distance] = [found, at - from];
        if (length >= GOOD_MATCH) break;
      }
      const earlier = before[from & WINDOW - 1] ?? -1;
      if (earlier < 0 || earlier >= from) break;
      from = earlier;
    }
    return length < MIN_MATCH ? NO_MATCH : [length, distance];
  }

  run(): Uint8Array {
    const input = this.#input;
    const heads = new Int32Array(1 << HASH_BITS).fill(-1);
    const before = new Int32Array(WINDOW);
    this.#put(1 | FIXED << 1, 3);
    const lastStart = input.length - MIN_MATCH;
    // behind `next` starts what no match has taken yet
    for (let at = 0, next = 0; at < input.length; at++) {
      let from = -1;
      if (at <= lastStart) {
        const bytes = (input[at] ?? 0) << 16 | (input[at + 1] ?? 0) << 8 | (input[at + 2] ?? 0);
        const hash = Math.imul(bytes, HASH_FACTOR) >>> 32 - HASH_BITS;
        from = heads[hash] ?? -1;
        before[at & WINDOW - 1] = from;
        heads[hash] = at;
      }
      if (at < next) continue;
      const [length, distance] = from < 0 ? NO_MATCH : this.#longest(before, from, at);
      if (length < MIN_MATCH) this.#literal(input[at] ?? 0);
      else this.#match(length, distance);
      next = at + Math.max(length, 1);
    }
    this.#literal(END_OF_BLOCK);
    if (this.#bitCount > 0) this.#put(0, 8 - this.#bitCount);
    return this.#output.subarray(0, this.#length);
  }
}

/** The data as they are, in as many blocks as they need. */
function store(input: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(input.length / MAX_STORED));
  const output = new Uint8Array(input.length + blocks * 5);
  for (let i = 0, at = 0; i < blocks; i++) {
    const piece = input.subarray(i * MAX_STORED, (i + 1) * MAX_STORED);
    const size = piece.length;
    const kind = STORED << 1 | (i === blocks - 1 ? 1 : 0);
    output.set([kind, size & 0xff, size >> 8, ~size & 0xff, ~size >> 8 & 0xff], at);
    output.set(piece, at + 5);
    at += 5 + size;
  }
  return output;
}

/** Compresses; `level` 0 only wraps. */
export function deflate(input: Uint8Array, level: number): Uint8Array {
  if (level === 0) return store(input);
  const compressed = new Deflater(input).run();
  const stored = input.length + Math.ceil(input.length / MAX_STORED) * 5;
  return input.length > 0 && compressed.length > stored ? store(input) : compressed;
}
