/**
 * `CryptoKey`: bytes and their purpose.
 *
 * @module
 */
import { exposeInterface, INSPECT, inspectAs } from "./expose.ts";
import { illegalConstructor } from "./node_error.ts";

/** The algorithm of a key, as guests read it. */
export interface KeyAlgorithm {
  readonly name: string;
  readonly hash?: { readonly name: string };
  readonly length?: number;
}

/** The parts of a key. */
export interface KeyParts {
  readonly bytes: Uint8Array;
  readonly algorithm: KeyAlgorithm;
  readonly extractable: boolean;
  readonly usages: readonly string[];
}

const CONSTRUCT = Symbol("construct");

let readParts: (key: CryptoKey) => KeyParts | undefined;

/** A secret key. */
export class CryptoKey {
  static {
    readParts = (key) => #parts in key ? key.#parts : undefined;
  }

  readonly #parts: KeyParts;

  constructor(key: unknown = undefined, parts: KeyParts | undefined = undefined) {
    if (key !== CONSTRUCT || parts === undefined) throw illegalConstructor();
    this.#parts = parts;
  }

  get type(): string {
    return "secret";
  }

  get extractable(): boolean {
    return this.#parts.extractable;
  }

  get algorithm(): KeyAlgorithm {
    return this.#parts.algorithm;
  }

  get usages(): readonly string[] {
    return [...this.#parts.usages];
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    const { type, extractable, algorithm, usages } = this;
    return inspectAs(this, "CryptoKey", { type, extractable, algorithm, usages }, args);
  }
}

/** Makes a key. */
export function createKey(parts: KeyParts): CryptoKey {
  return new CryptoKey(CONSTRUCT, { ...parts, bytes: parts.bytes.slice() });
}

/** The parts of a key; undefined for other values. */
export function partsOf(key: unknown): KeyParts | undefined {
  return key instanceof CryptoKey ? readParts(key) : undefined;
}

/** Prepares the class for guests. */
export function exposeCryptoKey(): void {
  exposeInterface(CryptoKey, "CryptoKey");
}
