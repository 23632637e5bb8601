/**
 * The remaining entries of an iterator of a Map or Set. The engine does not expose them, so the
 * iterator is run to its end and then made to yield the same items again.
 *
 * @module
 */
import {
  append,
  ArrayIsArray,
  createList,
  defineHidden,
  type List,
  uncurryThis,
  WeakMapPrototypeGet,
  WeakMapPrototypeSet,
} from "../primordials.ts";

interface Replay {
  readonly items: List<unknown>;
  at: number;
}

/** The remaining items of an iterator. */
export interface Preview {
  readonly items: List<unknown>;
  /** The items are pairs of key and value. */
  readonly isEntries: boolean;
}

type Next = (iterator: unknown) => IteratorResult<unknown>;

const nextOfMap: Next = uncurryThis(Object.getPrototypeOf(new Map().keys()).next);
const nextOfSet: Next = uncurryThis(Object.getPrototypeOf(new Set().keys()).next);
const replays = new WeakMap<object, Replay>();

function drain(iterator: object, next: Next): Replay {
  const items = createList<unknown>();
  try {
    for (let step = next(iterator); step.done !== true; step = next(iterator)) {
      append(items, step.value);
    }
  } catch {
    return { items, at: 0 }; // it only inherits from an iterator
  }
  const replay: Replay = { items, at: 0 };
  WeakMapPrototypeSet(replays, iterator, replay);
  defineHidden(iterator, "next", function next(): IteratorResult<unknown> {
    return replay.at < items.length
      ? { value: items[replay.at++], done: false }
      : { value: undefined, done: true };
  });
  return replay;
}

function arePairs(items: List<unknown>, ofSet: boolean): boolean {
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (!ArrayIsArray(item) || item.length !== 2) return false;
    if (ofSet && item[0] !== item[1]) return false;
  }
  return items.length > 0;
}

/** The items that an iterator of a Map or Set has yet to yield. */
export function previewIterator(iterator: object, kind: "Map Iterator" | "Set Iterator"): Preview {
  const known = WeakMapPrototypeGet(replays, iterator) as Replay | undefined;
  const replay = known ?? drain(iterator, kind === "Map Iterator" ? nextOfMap : nextOfSet);
  const items = createList<unknown>();
  for (let i = replay.at; i < replay.items.length; i++) append(items, replay.items[i]);
  return { items, isEntries: arePairs(items, kind === "Set Iterator") };
}
