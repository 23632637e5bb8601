/**
 * The hash functions of the guest's `crypto`, by the names that the guest environment and the host
 * use.
 *
 * @module
 */

/** Bytes of scratch memory that deriving a key may take: as many as a guest may have. */
export const MAX_SCRYPT_BYTES: number = 64 * 1024 * 1024;

/** A hash function. */
export interface Algorithm {
  readonly name: string;
  /** Bytes of a block. */
  readonly blockBytes: number;
  readonly digestBytes: number;
  /**
   * Fuel for a byte, at 12 units per nanosecond: twice the measured time, because the measuring
   * processor has instructions for some functions and others have none.
   */
  readonly byteFuel: number;
  /** Whether the function returns any requested number of bytes. */
  readonly variable: boolean;
  /** Whether keys can be derived with the function. */
  readonly derives: boolean;
}

/** Columns: name, bytes of a block, bytes of a digest, fuel for a byte. */
const FIXED = [
  ["md5", 64, 16, 40],
  ["sha1", 64, 20, 40],
  ["ripemd160", 64, 20, 70],
  ["sha224", 64, 28, 60],
  ["sha256", 64, 32, 60],
  ["sha384", 128, 48, 40],
  ["sha512", 128, 64, 40],
  ["sha512-224", 128, 28, 40],
  ["sha512-256", 128, 32, 40],
  ["sha3-224", 144, 28, 80],
  ["sha3-256", 136, 32, 85],
  ["sha3-384", 104, 48, 110],
  ["sha3-512", 72, 64, 160],
] as const;
const OTHERS = [
  ["blake2b512", 128, 64, 70],
  ["blake2s256", 64, 32, 70],
  ["sm3", 64, 32, 200],
] as const;
const VARIABLE = [
  ["shake128", 168, 16, 90],
  ["shake256", 136, 32, 90],
] as const;

type Row = readonly [name: string, blockBytes: number, digestBytes: number, byteFuel: number];

function entries(
  rows: readonly Row[],
  kind: Pick<Algorithm, "variable" | "derives">,
): [string, Algorithm][] {
  return rows.map(([name, blockBytes, digestBytes, byteFuel]) => [
    name,
    { name, blockBytes, digestBytes, byteFuel, ...kind },
  ]);
}

const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map([
  ...entries(FIXED, { variable: false, derives: true }),
  ...entries(OTHERS, { variable: false, derives: false }),
  ...entries(VARIABLE, { variable: true, derives: false }),
]);
const find = ALGORITHMS.get.bind(ALGORITHMS);

/** The function with exactly this name. */
export function findAlgorithm(name: string): Algorithm | undefined {
  return find(name);
}
