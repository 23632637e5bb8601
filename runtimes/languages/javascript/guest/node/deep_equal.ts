/**
 * Deep equality by Node's rules: `util.isDeepStrictEqual`, `assert.deepEqual` and related
 * functions.
 *
 * @module
 */
import {
  DatePrototypeGetTime,
  isErrorLike,
  type Kind,
  kindOf,
  unboxed,
} from "../inspect/brands.ts";
import {
  ObjectPrototypeToString,
  TypedArrayPrototypeGetSymbolToStringTag,
} from "../primordials.ts";
import { equalMaps, equalSets } from "./deep_equal_collections.ts";
import { isLooselyEqual } from "./loose_equality.ts";

/** Compares two values nested in the values being compared. */
type Compare = (left: unknown, right: unknown) => boolean;

interface Memo {
  readonly left: Map<object, number>;
  readonly right: Map<object, number>;
  position: number;
}

const isEnumerable = Object.prototype.propertyIsEnumerable;
const hasOwn = Object.hasOwn;

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isIndex(key: string): boolean {
  return /^(0|[1-9][0-9]*)$/.test(key);
}

function bytesOf(value: object): Uint8Array {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  return new Uint8Array(value as ArrayBuffer);
}

function equalBytes(left: object, right: object): boolean {
  const a = bytesOf(left);
  const b = bytesOf(right);
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** One comparison, strict or loose. */
class Comparison {
  readonly #strict: boolean;
  readonly #memo: Memo = { left: new Map(), right: new Map(), position: 0 };

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  equal(left: unknown, right: unknown): boolean {
    if (left === right) return left !== 0 || Object.is(left, right) || !this.#strict;
    if (this.#strict) {
      if (typeof left === "number") return Number.isNaN(left) && Number.isNaN(right);
      if (!isObject(left) || !isObject(right)) return false;
      if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
      return this.#equalObjects(left, right);
    }
    if (isObject(left)) return isObject(right) && this.#equalObjects(left, right);
    if (isObject(right)) return false;
    return isLooselyEqual(left, right) || (Number.isNaN(left) && Number.isNaN(right));
  }

  #equalObjects(left: object, right: object): boolean {
    if (ObjectPrototypeToString(left) !== ObjectPrototypeToString(right)) return false;
    const kind = kindOf(left);
    if (kind !== kindOf(right) || isErrorLike(left) !== isErrorLike(right)) return false;
    return this.#equalSlots(kind, left, right) && this.#equalProperties(kind, left, right);
  }

  /** Compares contents that are not properties. */
  #equalSlots(kind: Kind, left: object, right: object): boolean {
    switch (kind) {
      case "Array":
        return (left as unknown[]).length === (right as unknown[]).length;
      case "Date":
        return DatePrototypeGetTime(left) === DatePrototypeGetTime(right);
      case "RegExp":
        return String(left) === String(right) &&
          Reflect.get(left, "lastIndex") === Reflect.get(right, "lastIndex");
      case "TypedArray":
        return this.#equalViews(left, right);
      case "DataView":
      case "ArrayBuffer":
      case "SharedArrayBuffer":
        return equalBytes(left, right);
      case "Set":
        return (left as Set<unknown>).size === (right as Set<unknown>).size;
      case "Map":
        return (left as Map<unknown, unknown>).size === (right as Map<unknown, unknown>).size;
      case "Number":
      case "String":
      case "Boolean":
      case "BigInt":
      case "Symbol":
        return Object.is(unboxed(kind, left), unboxed(kind, right));
      case "WeakMap":
      case "WeakSet":
      case "Promise":
        return !this.#strict || left === right;
      default:
        return !isErrorLike(left) || this.#equalErrors(left, right);
    }
  }

  #equalViews(left: object, right: object): boolean {
    const tag = TypedArrayPrototypeGetSymbolToStringTag(left);
    if (tag !== TypedArrayPrototypeGetSymbolToStringTag(right)) return false;
    const isFloat = tag === "Float32Array" || tag === "Float64Array";
    if (this.#strict || !isFloat) return equalBytes(left, right);
    const a = left as Float64Array;
    const b = right as Float64Array;
    return a.length === b.length && a.every((value, index) => value === b[index]);
  }

  #equalErrors(left: object, right: object): boolean {
    return ["message", "name", "cause", "errors"].every((key) => {
      const enumerable = isEnumerable.call(left, key);
      if (enumerable !== isEnumerable.call(right, key)) return false;
      return enumerable || this.equal(Reflect.get(left, key), Reflect.get(right, key));
    });
  }

  #keysOf(kind: Kind, value: object): PropertyKey[] {
    const names = Object.keys(value);
    const isIndexed = kind === "TypedArray" || kind === "Array";
    const keys: PropertyKey[] = isIndexed ? names.filter((key) => !isIndex(key)) : names;
    if (!this.#strict) return keys;
    const symbols = Object.getOwnPropertySymbols(value);
    return keys.concat(symbols.filter((symbol) => isEnumerable.call(value, symbol)));
  }

  #equalProperties(kind: Kind, left: object, right: object): boolean {
    const keys = this.#keysOf(kind, left);
    if (keys.length !== this.#keysOf(kind, right).length) return false;
    if (!keys.every((key) => isEnumerable.call(right, key))) return false;
    const known = this.#known(left, right);
    if (known !== undefined) return known;
    const memo = this.#memo;
    memo.position++;
    memo.left.set(left, memo.position);
    memo.right.set(right, memo.position);
    const result = this.#equalContents(kind, left, right, keys);
    memo.left.delete(left);
    memo.right.delete(right);
    return result;
  }

  /** Whether a pair is already being compared and thus counts as equal; cycles end here. */
  #known(left: object, right: object): boolean | undefined {
    const seen = this.#memo.left.get(left);
    const other = this.#memo.right.get(right);
    return seen === undefined || other === undefined ? undefined : seen === other;
  }

  #equalContents(
    kind: Kind,
    left: object,
    right: object,
    keys: readonly PropertyKey[],
  ): boolean {
    const compare: Compare = (a, b) => this.equal(a, b);
    for (const key of keys) {
      if (!compare(Reflect.get(left, key), Reflect.get(right, key))) return false;
    }
    if (kind === "Array") return equalElements(left as unknown[], right as unknown[], compare);
    if (kind === "Set") {
      return equalSets(left as Set<unknown>, right as Set<unknown>, this.#strict, compare);
    }
    if (kind === "Map") {
      return equalMaps(
        left as Map<unknown, unknown>,
        right as Map<unknown, unknown>,
        this.#strict,
        compare,
      );
    }
    return true;
  }
}

/** Compares elements and holes of two arrays of equal length. */
function equalElements(left: unknown[], right: unknown[], compare: Compare): boolean {
  for (let i = 0; i < left.length; i++) {
    const has = hasOwn(left, i);
    if (has !== hasOwn(right, i)) return false;
    if (has && !compare(left[i], right[i])) return false;
    if (!has) return equalSparse(left, right, compare);
  }
  return true;
}

function equalSparse(left: unknown[], right: unknown[], compare: Compare): boolean {
  const keys = Object.keys(left).filter(isIndex);
  return keys.length === Object.keys(right).filter(isIndex).length &&
    keys.every((key) => hasOwn(right, key) && compare(left[Number(key)], right[Number(key)]));
}

/** Equality of `assert.deepEqual`. */
export function isDeepEqual(left: unknown, right: unknown): boolean {
  return new Comparison(false).equal(left, right);
}

/** Equality of `util.isDeepStrictEqual` and `assert.deepStrictEqual`. */
export function isDeepStrictEqual(left: unknown, right: unknown): boolean {
  return new Comparison(true).equal(left, right);
}
