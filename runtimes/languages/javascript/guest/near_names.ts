/**
 * Names that somebody may have meant: those that few changes turn into the name given.
 *
 * @module
 */
import { createList, type List, MathMax, MathMin } from "./primordials.ts";

/** Most changes, for a name of three letters for each. */
const MOST_CHANGES = 3;
const LETTERS_FOR_A_CHANGE = 3;
const MOST_NAMES = 3;

/** Number of letters to insert, remove or replace; more than `most` when there are more. */
function changesBetween(from: string, to: string, most: number): number {
  if (MathMax(from.length, to.length) - MathMin(from.length, to.length) > most) return most + 1;
  let row = createList<number>();
  for (let j = 0; j <= to.length; j++) row[j] = j;
  for (let i = 1; i <= from.length; i++) {
    const next = createList<number>();
    next[0] = i;
    let least = i;
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const changes = MathMin(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next[j] = changes;
      least = MathMin(least, changes);
    }
    if (least > most) return most + 1;
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The nearest names as a text with commas; empty when none is near. */
export function nearestNames(name: string, names: List<string>): string {
  const most = MathMin(MOST_CHANGES, MathMax(1, name.length / LETTERS_FOR_A_CHANGE));
  let found = "";
  let count = 0;
  for (let changes = 0; changes <= most && count < MOST_NAMES; changes++) {
    for (let i = 0; i < names.length && count < MOST_NAMES; i++) {
      const other = names[i] ?? "";
      if (changesBetween(name, other, most) !== changes) continue;
      found += count++ === 0 ? other : `, ${other}`;
    }
  }
  return found;
}
