/**
 * The hash functions of the guest's `crypto`, by the names that the guest's environment asks for
 * them and the host knows them by.
 *
 * @module
 */

/** Bytes of scratch memory that deriving a key may take: what a guest may have itself. */
export const MAX_SCRYPT_BYTES: number = 64 * 1024 * 1024;

/** A hash function. */
export interface Algorithm {
  readonly name: string;
  /** Bytes that are hashed at one stroke. */
  readonly blockBytes: number;
  readonly digestBytes: number;
  /**
   * Fuel for a byte, at 12 units per nanosecond: twice what it takes here, where the processor
   * has instructions for some of them and others have not.
   */
  readonly byteFuel: number;
  /** Gives as many bytes as are asked for. */
  readonly variable: boolean;
  /** Can be what keys are derived with. */
  readonly derives: boolean;
}

/** Name, bytes of a block, bytes of a digest, fuel for a byte. */
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

/** The function of that very name. */
export function findAlgorithm(name: string): Algorithm | undefined {
  return find(name);
}
