/**
 * The random bytes of a run: those of the process, or those that a seed gives, which are the same in
 * every process (docs/contract.md#replay).
 *
 * @module
 */

import { chacha20 } from "@noble/ciphers/chacha.js";

/** Fills with random bytes. */
export type FillRandom = (target: Uint8Array) => void;

const WORD_BYTES = 4;

/** The random bytes of the runs of one engine. */
export class RunRandom {
  readonly #process: FillRandom;
  #fill: FillRandom;

  /** @param process The process's secure source. */
  constructor(process: FillRandom) {
    this.#process = process;
    this.#fill = process;
  }

  /**
   * Begins a run: with a seed, its bytes are always the same. From an integer from 0 to 2^53-1 they
   * are not secure, from 32 secret bytes they are.
   */
  start(seed: number | Uint8Array | undefined): void {
    if (seed === undefined) this.#fill = this.#process;
    else this.#fill = typeof seed === "number" ? seededFill(seed) : secretFill(seed);
  }

  /** Fills with the next bytes of the run. */
  readonly fill: FillRandom = (target) => this.#fill(target);
}

const SECRET_PIECE_BYTES = 4096;
const NONCE_BYTES = 12;
const BLOCK_BYTES = 64;

/** The key stream of ChaCha20, made in pieces. */
function secretFill(seed: Uint8Array): FillRandom {
  const nonce = new Uint8Array(NONCE_BYTES);
  const zeros = new Uint8Array(SECRET_PIECE_BYTES);
  let pieces = 0;
  let piece = new Uint8Array(0);
  const next = () => {
    const perNonce = 2 ** 31 / (SECRET_PIECE_BYTES / BLOCK_BYTES);
    new DataView(nonce.buffer).setUint32(0, Math.floor(pieces / perNonce), true);
    const block = (pieces++ % perNonce) * (SECRET_PIECE_BYTES / BLOCK_BYTES);
    piece = chacha20(seed, nonce, zeros, undefined, block);
  };
  return (target) => {
    for (let at = 0; at < target.length;) {
      if (piece.length === 0) next();
      const taken = piece.subarray(0, target.length - at);
      target.set(taken, at);
      at += taken.length;
      piece = piece.subarray(taken.length);
    }
  };
}

/**
 * The generator xoshiro128**. It is not secure, and need not be: who knows the seed knows the
 * bytes. A secure one takes several times the time that guests pay for.
 */
function seededFill(seed: number): FillRandom {
  const nextWord = generator(seed);
  return (target) => {
    const whole = target.length - target.length % WORD_BYTES;
    const view = new DataView(target.buffer, target.byteOffset, target.length);
    for (let at = 0; at < whole; at += WORD_BYTES) view.setUint32(at, nextWord(), true);
    if (whole === target.length) return;
    const last = nextWord();
    for (let at = whole; at < target.length; at++) target[at] = last >>> (8 * (at - whole));
  };
}

function generator(seed: number): () => number {
  let [a, b, c, d] = expanded(BigInt(seed));
  return () => {
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 11);
    return result;
  };
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** The first outputs of the generator splitmix64, as its author advises. */
function expanded(seed: bigint): [number, number, number, number] {
  const words = [1n, 2n].flatMap((index) => {
    let mixed = BigInt.asUintN(64, seed + index * 0x9e3779b97f4a7c15n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    mixed ^= mixed >> 31n;
    return [Number(BigInt.asIntN(32, mixed)), Number(BigInt.asIntN(32, mixed >> 32n))];
  });
  const [a = 1, b = 0, c = 0, d = 0] = words;
  return [a, b, c, d];
}
