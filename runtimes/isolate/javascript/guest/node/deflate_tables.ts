/**
 * The numbers of the format DEFLATE (RFC 1951).
 *
 * @module
 */

/** Kinds of blocks. */
export const STORED = 0;
export const FIXED = 1;
export const DYNAMIC = 2;

/** Symbols below are bytes, those above lengths of matches. */
export const END_OF_BLOCK = 256;
const LENGTH_CODES = 29;
const DISTANCE_CODES = 30;
export const MIN_MATCH = 3;
export const MAX_MATCH = 258;
export const WINDOW = 32_768;
export const MAX_STORED = 65_535;

/** Extra bits of each code, and the least number that it stands for. */
export interface Ranges {
  readonly bits: readonly number[];
  readonly bases: readonly number[];
}

function rangesOf(bits: readonly number[], first: number): Ranges {
  let base = first;
  const bases = bits.map((count) => {
    const own = base;
    base += 2 ** count;
    return own;
  });
  return { bits, bases };
}

function lengthRanges(): Ranges {
  const bits = Array.from({ length: LENGTH_CODES - 1 }, (_, i) => i < 8 ? 0 : (i >> 2) - 1);
  const { bases } = rangesOf(bits, MIN_MATCH);
  // the longest match has a code of its own
  return { bits: [...bits, 0], bases: [...bases, MAX_MATCH] };
}

/** Lengths of matches, by symbol − 257. */
export const LENGTHS = lengthRanges();
/** Distances of matches. */
export const DISTANCES = rangesOf(
  Array.from({ length: DISTANCE_CODES }, (_, i) => i < 4 ? 0 : (i >> 1) - 1),
  1,
);

/** Lengths of the codes of a block that brings none. */
export const FIXED_LITERAL_LENGTHS: readonly number[] = Array.from(
  { length: 288 },
  (_, symbol) => symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
);
export const FIXED_DISTANCE_LENGTHS: readonly number[] = Array<number>(30).fill(5);

/** In which order the lengths of the codes for code lengths come. */
export const CODE_LENGTH_ORDER: readonly number[] = [
  ...[16, 17, 18, 0, 8, 7, 9, 6, 10, 5],
  ...[11, 4, 12, 3, 13, 2, 14, 1, 15],
];
