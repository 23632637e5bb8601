/**
 * The inode numbers that programs see. In the workspace they are derived from paths, so that a file
 * keeps its number when a context continues in another process, whose tree is new: for SQLite another
 * number means another file.
 *
 * @module
 */
import { type DirectoryInode, type Inode, isWithin, pathOf } from "../../../files/inode.ts";

const PRIME = 0x01000193;
const SEEDS = [0x811c9dc5, 0x1b873593] as const;
/** The first derived number. It is above all numbers that a tree hands out. */
const FIRST = 2 ** 52;
const HIGH_BITS = 0xfffff;

function hash(text: string, seed: number): number {
  let value = seed;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), PRIME);
  }
  return value >>> 0;
}

/**
 * The number of an inode that programs see. A removed file has its tree's number, so that it differs
 * from a new file at the same path.
 */
export function visibleNumber(inode: Inode, workspace: DirectoryInode): number {
  if (!inode.linked || inode === workspace || !isWithin(inode, workspace)) return inode.number;
  const path = pathOf(inode);
  const [low, high] = [hash(path, SEEDS[0]), hash(path, SEEDS[1])];
  return FIRST + (high & HIGH_BITS) * 2 ** 32 + low;
}
