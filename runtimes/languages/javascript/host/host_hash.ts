/**
 * The host side of the guest's digests, message authentication codes and derived keys. QuickJS
 * takes about a thousand times as long per byte as the host process.
 *
 * - A call is a pure function of bytes. No state is kept between calls. A request names an
 *   algorithm from a list and a few bounded numbers, nothing else.
 * - Each part of the work is paid for before it begins, at its maximum cost; what the run cannot
 *   pay for is not done.
 *
 * A request is words with a space between: `digest NAME BYTES`, `hmac NAME`, `pbkdf2 NAME
 * ITERATIONS BYTES`, `scrypt N R P BYTES`. The data follow as separate arguments: a message as text
 * or in pieces, a key or password before the message or salt.
 *
 * @module
 */
import { type NodeCrypto, nodeCrypto } from "../../../engine/node_crypto.ts";
import type { HostArguments, PaidService } from "./host_calls.ts";
import { type Algorithm, findAlgorithm, MAX_SCRYPT_BYTES } from "./hash_algorithms.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Pay = (units: number) => boolean;

/** Maximum bytes of a derived key. */
const MAX_KEY_BYTES = 4 * 1024 * 1024;
/** Maximum output, in bytes, of a function with variable output. */
const MAX_DIGEST_BYTES = 1024 * 1024;
/** First argument that holds data. */
const DATA = 2;

// Fuel at 12,000 units per microsecond, the rate of guest code.
/** A digest takes 2 to 2.5 µs in addition to its bytes. */
const DIGEST_FUEL = 55_000;
/** An iteration takes 0.3 to 0.7 µs in addition to the two blocks that it hashes. */
const ITERATION_FUEL = 6_000;
const BLOCKS_PER_ITERATION = 2;
/**
 * 2.5 ns per byte of scratch memory, which is written and read; more when other processes use
 * memory.
 */
const SCRYPT_FUEL = 48;

/** Thrown for a request that the guest environment never makes. */
class BadRequest extends Error {
  override name = "BadRequest";
}

function integer(word: string | undefined, least: number, greatest: number): number {
  const value = Number(word);
  if (Number.isInteger(value) && value >= least && value <= greatest) return value;
  throw new BadRequest("A number is out of bounds");
}

function algorithm(word: string | undefined): Algorithm {
  const found = findAlgorithm(word ?? "");
  if (found === undefined) throw new BadRequest("No such algorithm");
  return found;
}

/** Hashes at a price for each byte; undefined once the run cannot pay. */
class PaidHash {
  readonly #hash: ReturnType<NodeCrypto["createHash"]>;
  readonly #byteFuel: number;
  readonly #pay: Pay;
  #paid: boolean;

  constructor({ name, byteFuel, blockBytes, variable }: Algorithm, pay: Pay, length: number) {
    this.#pay = pay;
    this.#byteFuel = byteFuel;
    const outputFuel = (blockBytes + (variable ? length : 0)) * byteFuel;
    this.#paid = pay(DIGEST_FUEL + outputFuel);
    this.#hash = nodeCrypto().createHash(name, variable ? { outputLength: length } : {});
  }

  update(bytes: Bytes): this {
    this.#paid &&= this.#pay(bytes.length * this.#byteFuel);
    if (this.#paid) this.#hash.update(bytes);
    return this;
  }

  /** Hashes all data from the given argument on: text, or pieces. */
  updateFrom(args: HostArguments, first: number): this {
    for (let i = first; this.#paid && i < args.count; i++) this.update(args.data(i));
    return this;
  }

  digest(): Bytes | undefined {
    return this.#paid ? new Uint8Array(this.#hash.digest()) : undefined;
  }
}

function digest(words: readonly string[], args: HostArguments, pay: Pay): Bytes | undefined {
  const wanted = algorithm(words[1]);
  const length = wanted.variable ? integer(words[2], 1, MAX_DIGEST_BYTES) : wanted.digestBytes;
  return new PaidHash(wanted, pay, length).updateFrom(args, DATA).digest();
}

/** A key extended to a block, with the bits of `mask` inverted. */
function padded(key: Bytes, blockBytes: number, mask: number): Bytes {
  const pad = new Uint8Array(blockBytes);
  pad.set(key);
  return pad.map((byte) => byte ^ mask);
}

function hmac(words: readonly string[], args: HostArguments, pay: Pay): Bytes | undefined {
  const wanted = algorithm(words[1]);
  const { blockBytes, digestBytes } = wanted;
  const hash = () => new PaidHash(wanted, pay, digestBytes);
  const given = args.data(DATA);
  const key = given.length > blockBytes ? hash().update(given).digest() : given;
  if (key === undefined) return undefined;
  const inner = hash().update(padded(key, blockBytes, 0x36)).updateFrom(args, DATA + 1).digest();
  return inner === undefined
    ? undefined
    : hash().update(padded(key, blockBytes, 0x5c)).update(inner).digest();
}

function pbkdf2(words: readonly string[], args: HostArguments, pay: Pay): Bytes | undefined {
  const { name, blockBytes, digestBytes, byteFuel, derives } = algorithm(words[1]);
  if (!derives) return undefined;
  const iterations = integer(words[2], 1, 2 ** 31 - 1);
  const length = integer(words[3], 1, MAX_KEY_BYTES);
  const [password, salt] = [args.data(DATA), args.data(DATA + 1)];
  const blocks = Math.ceil(length / digestBytes);
  const hashed = password.length + (salt.length + BLOCKS_PER_ITERATION * blockBytes) * blocks;
  const each = ITERATION_FUEL + BLOCKS_PER_ITERATION * blockBytes * byteFuel;
  if (!pay(DIGEST_FUEL + hashed * byteFuel + blocks * iterations * each)) return undefined;
  return new Uint8Array(nodeCrypto().pbkdf2Sync(password, salt, iterations, length, name));
}

function scrypt(words: readonly string[], args: HostArguments, pay: Pay): Bytes | undefined {
  const N = integer(words[1], 2, 2 ** 24);
  const r = integer(words[2], 1, 2 ** 20);
  const p = integer(words[3], 1, 2 ** 20);
  const length = integer(words[4], 1, MAX_KEY_BYTES);
  const bytes = 128 * r * (N + p);
  if (bytes > MAX_SCRYPT_BYTES || !Number.isInteger(Math.log2(N))) return undefined;
  const [password, salt] = [args.data(DATA), args.data(DATA + 1)];
  const ends = (password.length + salt.length + length + 128 * r * p) * SCRYPT_FUEL;
  if (!pay(DIGEST_FUEL + ends + 128 * N * r * p * SCRYPT_FUEL)) return undefined;
  const options = { N, r, p, maxmem: 2 * MAX_SCRYPT_BYTES };
  return new Uint8Array(nodeCrypto().scryptSync(password, salt, length, options));
}

const OPERATIONS = new Map([
  ["digest", digest],
  ["hmac", hmac],
  ["pbkdf2", pbkdf2],
  ["scrypt", scrypt],
]);

/** The service. It returns nothing for a request that the guest environment never makes. */
export const HASH_SERVICE: PaidService = {
  serve(args, pay) {
    const words = args.text(1).split(" ", 6);
    try {
      return OPERATIONS.get(words[0] ?? "")?.(words, args, pay);
    } catch (error) {
      if (error instanceof BadRequest) return undefined;
      throw error;
    }
  },
};
