/**
 * Decompression of the format DEFLATE (RFC 1951), in the guest itself: it costs what it takes, and
 * no code of the host sees the bytes.
 *
 * @module
 */
import {
  CODE_LENGTH_ORDER,
  DISTANCES,
  DYNAMIC,
  END_OF_BLOCK,
  FIXED,
  FIXED_DISTANCE_LENGTHS,
  FIXED_LITERAL_LENGTHS,
  LENGTHS,
  type Ranges,
  STORED,
} from "./deflate_tables.ts";

/** Why data cannot be decompressed, in zlib's words. */
export class BadData extends Error {
  /** The data end too early; else they are wrong. */
  readonly isEnd: boolean;

  constructor(message: string, isEnd = false) {
    super(message);
    this.isEnd = isEnd;
  }
}

/** There would be more output than is wanted. */
export class TooLarge extends Error {}

const MAX_CODE_BITS = 15;
const FIRST_BYTES = 1024;

/** Codes up to this length are looked up at once. */
const FAST_BITS = 9;
const LENGTH_BITS = 4;

/** How many codes there are of each length, and their symbols in order. */
interface Codes {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
  /** By the next bits of the input: symbol and length of the code that they begin with; or 0. */
  readonly fast: Uint16Array;
}

function reversed(code: number, bits: number): number {
  let result = 0;
  for (let bit = 0; bit < bits; bit++) result = result << 1 | (code >> bit & 1);
  return result;
}

/** Looks up short codes: they are counted through in the order of their lengths. */
function fastCodes(counts: Uint16Array, symbols: Uint16Array): Uint16Array {
  const fast = new Uint16Array(1 << FAST_BITS);
  let [code, index] = [0, 0];
  for (let bits = 1; bits <= FAST_BITS; bits++) {
    for (let left = counts[bits] ?? 0; left > 0; left--) {
      const entry = (symbols[index++] ?? 0) << LENGTH_BITS | bits;
      const step = 1 << bits;
      for (let at = reversed(code++, bits); at < fast.length; at += step) fast[at] = entry;
    }
    code <<= 1;
  }
  return fast;
}

function codesFor(lengths: readonly number[], what: string): Codes {
  const counts = new Uint16Array(MAX_CODE_BITS + 1);
  for (let i = 0; i < lengths.length; i++) counts[lengths[i] ?? 0]!++;
  let open = 1;
  for (let bits = 1; bits <= MAX_CODE_BITS; bits++) {
    open = open * 2 - (counts[bits] ?? 0);
    if (open < 0) throw new BadData(`invalid ${what} set`);
  }
  const used = lengths.length - (counts[0] ?? 0);
  if (open > 0 && (used > 1 || what === "code lengths")) throw new BadData(`invalid ${what} set`);
  const starts = new Uint16Array(MAX_CODE_BITS + 2);
  for (let bits = 1; bits <= MAX_CODE_BITS; bits++) {
    starts[bits + 1] = (starts[bits] ?? 0) + (counts[bits] ?? 0);
  }
  const symbols = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const bits = lengths[symbol] ?? 0;
    if (bits > 0) symbols[starts[bits]!++] = symbol;
  }
  counts[0] = 0;
  return { counts, symbols, fast: fastCodes(counts, symbols) };
}

class Inflater {
  readonly #input: Uint8Array;
  readonly #limit: number;
  /** Index of the next byte of the input; there may be whole bytes among the bits. */
  #at: number;
  #bits = 0;
  #bitCount = 0;
  #output = new Uint8Array(FIRST_BYTES);
  #length = 0;

  constructor(input: Uint8Array, start: number, limit: number) {
    this.#input = input;
    this.#at = start;
    this.#limit = limit;
  }

  get output(): Uint8Array {
    return this.#output.subarray(0, this.#length);
  }

  /** Index of the first byte of the input of which no bit was taken. */
  get end(): number {
    return this.#at - (this.#bitCount >> 3);
  }

  /** Sees to it that there are 16 bits at least, as long as there is input. */
  #fill(): void {
    const input = this.#input;
    while (this.#bitCount < 16 && this.#at < input.length) {
      this.#bits |= (input[this.#at++] ?? 0) << this.#bitCount;
      this.#bitCount += 8;
    }
  }

  #byte(): number {
    const byte = this.#input[this.#at++];
    if (byte === undefined) throw new BadData("unexpected end of file", true);
    return byte;
  }

  #take(count: number): number {
    if (this.#bitCount < count) this.#fill();
    if (this.#bitCount < count) throw new BadData("unexpected end of file", true);
    const taken = this.#bits & (1 << count) - 1;
    this.#bits >>>= count;
    this.#bitCount -= count;
    return taken;
  }

  #symbol(codes: Codes, what: string): number {
    if (this.#bitCount < MAX_CODE_BITS) this.#fill();
    const entry = codes.fast[this.#bits & (1 << FAST_BITS) - 1] ?? 0;
    const length = entry & (1 << LENGTH_BITS) - 1;
    if (length === 0 || length > this.#bitCount) return this.#longSymbol(codes, what);
    this.#bits >>>= length;
    this.#bitCount -= length;
    return entry >> LENGTH_BITS;
  }

  #longSymbol({ counts, symbols }: Codes, what: string): number {
    let [code, first, index] = [0, 0, 0];
    for (let bits = 1; bits <= MAX_CODE_BITS; bits++) {
      code |= this.#take(1);
      const count = counts[bits] ?? 0;
      if (code - first < count) return symbols[index + code - first] ?? 0;
      index += count;
      first = first + count << 1;
      code <<= 1;
    }
    throw new BadData(`invalid ${what} code`);
  }

  /** Makes room for more output. */
  #reserve(count: number): void {
    const wanted = this.#length + count;
    if (wanted > this.#limit) throw new TooLarge();
    if (wanted <= this.#output.length) return;
    const grown = new Uint8Array(Math.max(wanted, this.#output.length * 2));
    grown.set(this.#output);
    this.#output = grown;
  }

  #number(ranges: Ranges, code: number, what: string): number {
    const base = ranges.bases[code];
    if (base === undefined) throw new BadData(`invalid ${what} code`);
    return base + this.#take(ranges.bits[code] ?? 0);
  }

  #copy(length: number, distance: number): void {
    if (distance > this.#length) throw new BadData("invalid distance too far back");
    this.#reserve(length);
    const output = this.#output;
    const end = this.#length + length;
    if (distance >= length) {
      output.copyWithin(this.#length, this.#length - distance, this.#length - distance + length);
    } else {
      for (let at = this.#length; at < end; at++) output[at] = output[at - distance] ?? 0;
    }
    this.#length = end;
  }

  #compressed(literals: Codes, distances: Codes): void {
    for (;;) {
      const symbol = this.#symbol(literals, "literal/length");
      if (symbol === END_OF_BLOCK) return;
      if (symbol < END_OF_BLOCK) {
        if (this.#length === this.#output.length || this.#length >= this.#limit) this.#reserve(1);
        this.#output[this.#length++] = symbol;
        continue;
      }
      const length = this.#number(LENGTHS, symbol - END_OF_BLOCK - 1, "literal/length");
      const distance = this.#symbol(distances, "distance");
      this.#copy(length, this.#number(DISTANCES, distance, "distance"));
    }
  }

  #stored(): void {
    this.#at = this.end;
    this.#bits = 0;
    this.#bitCount = 0;
    const length = this.#byte() | this.#byte() << 8;
    const check = this.#byte() | this.#byte() << 8;
    if (length !== (~check & 0xffff)) throw new BadData("invalid stored block lengths");
    const end = this.#at + length;
    if (end > this.#input.length) throw new BadData("unexpected end of file", true);
    this.#reserve(length);
    this.#output.set(this.#input.subarray(this.#at, end), this.#length);
    this.#length += length;
    this.#at = end;
  }

  #dynamic(): void {
    const literalCount = this.#take(5) + 257;
    const distanceCount = this.#take(5) + 1;
    const given = this.#take(4) + 4;
    if (literalCount > 286 || distanceCount > 30) {
      throw new BadData("too many length or distance symbols");
    }
    const order = Array<number>(CODE_LENGTH_ORDER.length).fill(0);
    for (let i = 0; i < given; i++) order[CODE_LENGTH_ORDER[i] ?? 0] = this.#take(3);
    const codes = codesFor(order, "code lengths");
    const lengths = this.#lengths(codes, literalCount + distanceCount);
    if (lengths[END_OF_BLOCK] === 0) throw new BadData("invalid code -- missing end-of-block");
    this.#compressed(
      codesFor(lengths.slice(0, literalCount), "literal/lengths"),
      codesFor(lengths.slice(literalCount), "distances"),
    );
  }

  #lengths(codes: Codes, count: number): readonly number[] {
    const lengths: number[] = [];
    while (lengths.length < count) {
      const symbol = this.#symbol(codes, "code lengths");
      if (symbol < 16) {
        lengths.push(symbol);
        continue;
      }
      const last = lengths.at(-1);
      if (symbol === 16 && last === undefined) throw new BadData("invalid bit length repeat");
      const repeats = symbol === 16
        ? 3 + this.#take(2)
        : symbol === 17
        ? 3 + this.#take(3)
        : 11 + this.#take(7);
      if (lengths.length + repeats > count) throw new BadData("invalid bit length repeat");
      for (let i = 0; i < repeats; i++) lengths.push(symbol === 16 ? last ?? 0 : 0);
    }
    return lengths;
  }

  run(): void {
    for (let isLast = false; !isLast;) {
      isLast = this.#take(1) === 1;
      const kind = this.#take(2);
      if (kind === STORED) this.#stored();
      else if (kind === DYNAMIC) this.#dynamic();
      else if (kind === FIXED) {
        this.#compressed(
          codesFor(FIXED_LITERAL_LENGTHS, "literal/lengths"),
          codesFor([...FIXED_DISTANCE_LENGTHS, 5, 5], "distances"),
        );
      } else throw new BadData("invalid block type");
    }
  }
}

/** Decompresses what begins at `start`; gives the output and the index behind the input's end. */
export function inflate(
  input: Uint8Array,
  start: number,
  limit: number,
): { readonly output: Uint8Array; readonly end: number } {
  const inflater = new Inflater(input, start, limit);
  inflater.run();
  return { output: inflater.output, end: inflater.end };
}
