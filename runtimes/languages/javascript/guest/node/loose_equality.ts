/**
 * The language's loose equality, for assertions that are defined by it.
 *
 * @module
 */

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function call(target: object, name: PropertyKey, ...args: readonly unknown[]): unknown {
  const method: unknown = Reflect.get(target, name);
  return typeof method === "function" ? Reflect.apply(method, target, args) : target;
}

/** An object as a primitive, without a preferred type. */
function toPrimitive(value: object): unknown {
  if (Symbol.toPrimitive in value) return call(value, Symbol.toPrimitive, "default");
  const first = call(value, "valueOf");
  if (!isObject(first)) return first;
  const second = call(value, "toString");
  if (!isObject(second)) return second;
  throw new TypeError("Cannot convert object to primitive value");
}

/** Compares numbers, bigints, booleans and numeric strings by their numeric value. */
function areSameNumber(left: unknown, right: unknown): boolean {
  if (typeof left === "symbol" || typeof right === "symbol") return false;
  const a = typeof left === "boolean" ? Number(left) : left as number;
  const b = typeof right === "boolean" ? Number(right) : right as number;
  return a <= b && a >= b;
}

/** Whether two values are equal by `==`. */
export function isLooselyEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const isLeftEmpty = left === null || left === undefined;
  const isRightEmpty = right === null || right === undefined;
  if (isLeftEmpty || isRightEmpty) return isLeftEmpty && isRightEmpty;
  if (isObject(left)) return !isObject(right) && isLooselyEqual(toPrimitive(left), right);
  if (isObject(right)) return isLooselyEqual(left, toPrimitive(right));
  return typeof left !== typeof right && areSameNumber(left, right);
}
