/**
 * Suggestions for a misspelled name.
 *
 * @module
 */

const MAX_DISTANCE = 2;
const MAX_NAMES = 3;

/** Known names that differ by at most two edits, nearest first. */
export function nearNames(name: string, known: Iterable<string>): readonly string[] {
  return [...new Set(known)].map((other) => ({ other, distance: distance(name, other) }))
    .filter(({ distance }) => distance <= Math.min(MAX_DISTANCE, name.length / 2))
    .sort((a, b) => a.distance - b.distance || (a.other < b.other ? -1 : 1))
    .slice(0, MAX_NAMES).map(({ other }) => other);
}

/** The edit distance: how many characters must be added, removed or changed. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_DISTANCE) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const changed = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
