/**
 * Deep equality of sets and maps, whose members have no order.
 *
 * @module
 */
type Compare = (left: unknown, right: unknown) => boolean;

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Whether a primitive may loosely equal a different one, so that all members must be compared. */
function mayEqualLoosely(value: unknown): boolean {
  if (typeof value === "symbol") return false;
  return !(typeof value === "string" || typeof value === "number") || !Number.isNaN(Number(value));
}

/** Removes the first member that matches from `rest`; false if none does. */
function takeMatch(rest: Set<unknown>, matches: (member: unknown) => boolean): boolean {
  for (const member of rest) {
    if (matches(member)) return rest.delete(member);
  }
  return false;
}

/** Equality of two sets of equal size. */
export function equalSets(
  left: Set<unknown>,
  right: Set<unknown>,
  strict: boolean,
  compare: Compare,
): boolean {
  const rest = new Set<unknown>();
  for (const value of left) {
    if (right.has(value)) continue;
    if (!isObject(value) && (strict || !mayEqualLoosely(value))) return false;
    rest.add(value);
  }
  if (rest.size === 0) return true;
  for (const value of right) {
    if (left.has(value)) continue;
    if (!isObject(value) && strict) return false;
    if (!takeMatch(rest, (member) => compare(member, value))) return false;
  }
  return rest.size === 0;
}

/** Equality of two maps of equal size. */
export function equalMaps(
  left: Map<unknown, unknown>,
  right: Map<unknown, unknown>,
  strict: boolean,
  compare: Compare,
): boolean {
  const rest = new Set<unknown>();
  for (const [key, value] of left) {
    if (!isObject(key) && right.has(key) && compare(value, right.get(key))) continue;
    if (!isObject(key) && (strict || !mayEqualLoosely(key))) return false;
    rest.add(key);
  }
  if (rest.size === 0) return true;
  for (const [key, value] of right) {
    if (!isObject(key) && left.has(key) && compare(left.get(key), value)) continue;
    if (!isObject(key) && strict) return false;
    const matches = (other: unknown) => compare(other, key) && compare(left.get(other), value);
    if (!takeMatch(rest, matches)) return false;
  }
  return rest.size === 0;
}
