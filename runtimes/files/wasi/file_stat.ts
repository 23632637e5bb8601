/**
 * The results of `stat` in WASI's layout.
 *
 * @module
 */
import type { FileStat } from "../file_data.ts";
import type { OpenFile } from "../open_file.ts";
import { ALL_RIGHTS, FDFLAGS, FILETYPE, FSTFLAGS, RIGHTS } from "./abi.ts";
import type { GuestMemory } from "./guest_memory.ts";

const NS_PER_MS = 1e6;
/** The latest time that C libraries take: in the year 2262. */
const LATEST_NS = 2n ** 63n - 1n;

/** Milliseconds as whole nanoseconds, at least zero, and at most what 64 bits with a sign hold. */
export function nanoseconds(ms: number): bigint {
  const exact = BigInt(Math.max(0, Math.round(ms * NS_PER_MS)));
  return exact < LATEST_NS ? exact : LATEST_NS;
}

/** Nanoseconds as milliseconds with a fraction. */
export function milliseconds(ns: bigint): number {
  return Number(BigInt.asUintN(64, ns)) / NS_PER_MS;
}

/** Writes a `filestat`. */
export function writeFileStat(memory: GuestMemory, pointer: number, stat: FileStat): void {
  const at = pointer >>> 0;
  const time = nanoseconds(stat.mtimeMs);
  memory.setUint64(at, BigInt(stat.device));
  memory.setUint64(at + 8, BigInt(stat.inode));
  memory.setUint64(at + 16, BigInt(FILETYPE[stat.kind]));
  memory.setUint64(at + 24, BigInt(stat.links));
  memory.setUint64(at + 32, BigInt(stat.size));
  memory.setUint64(at + 40, time);
  memory.setUint64(at + 48, time);
  memory.setUint64(at + 56, time);
}

/**
 * Writes an `fdstat`. Guests take a character device that cannot seek for a terminal,
 * so ours can seek; the standard streams are pipes.
 */
export function writeFdStat(
  memory: GuestMemory,
  pointer: number,
  kind: FileStat["kind"],
  file: OpenFile,
): void {
  const at = pointer >>> 0;
  let rights = ALL_RIGHTS;
  if (kind !== "directory" && !file.readable) rights &= ~RIGHTS.read;
  if (kind !== "directory" && !file.writable) rights &= ~RIGHTS.write;
  if (kind === "pipe") rights &= ~(RIGHTS.seek | RIGHTS.tell);
  memory.setUint16(at, FILETYPE[kind]);
  memory.setUint16(at + 2, file.append ? FDFLAGS.append : 0);
  memory.setUint32(at + 4, 0);
  memory.setUint64(at + 8, rights);
  memory.setUint64(at + 16, ALL_RIGHTS);
}

/** The one time that a call sets; undefined when it sets none. */
export function requestedTime(
  flags: number,
  atime: bigint,
  mtime: bigint,
  now: () => number,
): number | undefined {
  if ((flags & FSTFLAGS.mtimeNow) !== 0) return now();
  if ((flags & FSTFLAGS.mtime) !== 0) return milliseconds(mtime);
  if ((flags & FSTFLAGS.atimeNow) !== 0) return now();
  if ((flags & FSTFLAGS.atime) !== 0) return milliseconds(atime);
  return undefined;
}
