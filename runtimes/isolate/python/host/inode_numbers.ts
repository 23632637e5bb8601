/**
 * The inode numbers that programs see. In the workspace they are derived from paths: SQLite takes
 * a file that has got another number for another file, and a context may go on in a process whose
 * tree was made anew.
 *
 * @module
 */
import { type DirectoryInode, type Inode, isWithin, pathOf } from "../../files/inode.ts";

const PRIME = 0x01000193;
const SEEDS = [0x811c9dc5, 0x1b873593] as const;
/** Above the numbers that a tree hands out. */
const FIRST = 2 ** 52;
const HIGH_BITS = 0xfffff;

function hash(text: string, seed: number): number {
  let value = seed;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), PRIME);
  }
  return value >>> 0;
}

/** A removed file keeps the number that the tree gave it, so that it is not one made since. */
export function visibleNumber(inode: Inode, workspace: DirectoryInode): number {
  if (!inode.linked || inode === workspace || !isWithin(inode, workspace)) return inode.number;
  const path = pathOf(inode);
  const [low, high] = [hash(path, SEEDS[0]), hash(path, SEEDS[1])];
  return FIRST + (high & HIGH_BITS) * 2 ** 32 + low;
}
