/**
 * C structures that calls fill: `struct stat`, `struct statfs`, `struct dirent` and their kin,
 * as musl lays them out for wasm32 under Emscripten.
 *
 * @module
 */
import { BLOCK_SIZE, type FileStat } from "../../../files/file_data.ts";
import type { Inode } from "../../../files/inode.ts";
import type { Volume } from "../../../files/volume.ts";
import type { GuestMemory } from "./guest_memory.ts";

const SECTOR_BYTES = 512;
const STAT_BYTES = 96;
/** Offsets of the three times in `struct stat`. */
const STAT_TIMES = [40, 56, 72] as const;
const NAME_MAX = 255;

/** Size of `struct dirent`: all entries have the same size. */
export const DIRENT_BYTES = 280;
const DIRENT_NAME = 19;
const DIRENT_TYPES = { device: 2, directory: 4, file: 8 } as const;

/** Seconds and nanoseconds of a time in milliseconds. */
function splitTime(ms: number): readonly [seconds: bigint, nanoseconds: number] {
  const seconds = Math.floor(ms / 1000);
  return [BigInt(seconds), Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6))];
}

/** Fills a `struct stat`. `number` is the inode number that programs see. */
export function writeStat(
  memory: GuestMemory,
  at: number,
  stat: FileStat,
  number: number,
): void {
  const { view } = memory;
  const base = at >>> 0;
  memory.span(base, STAT_BYTES).fill(0);
  view.setUint32(base, stat.device, true);
  view.setUint32(base + 4, stat.mode, true);
  view.setUint32(base + 8, stat.links, true);
  view.setBigInt64(base + 24, BigInt(stat.size), true);
  view.setUint32(base + 32, BLOCK_SIZE, true);
  view.setUint32(base + 36, Math.ceil(stat.size / SECTOR_BYTES), true);
  const [seconds, nanoseconds] = splitTime(stat.mtimeMs);
  for (const offset of STAT_TIMES) {
    view.setBigInt64(base + offset, seconds, true);
    view.setUint32(base + offset + 8, nanoseconds, true);
  }
  view.setBigUint64(base + 88, BigInt(number), true);
}

/** Fills a `struct statfs`. A read-only volume has no free space. */
export function writeStatFs(memory: GuestMemory, at: number, volume: Volume): void {
  const { view } = memory;
  const base = at >>> 0;
  memory.span(base, 72).fill(0);
  const { bytes, maxBytes, entries, maxEntries } = volume.usage;
  const [blocks, inodes] = volume.readOnly ? [bytes, entries] : [maxBytes, maxEntries];
  const blocksFree = Math.max(0, Math.floor((blocks - bytes) / BLOCK_SIZE));
  view.setUint32(base + 4, BLOCK_SIZE, true);
  view.setBigInt64(base + 8, BigInt(Math.floor(blocks / BLOCK_SIZE)), true);
  view.setBigInt64(base + 16, BigInt(blocksFree), true);
  view.setBigInt64(base + 24, BigInt(blocksFree), true);
  view.setBigInt64(base + 32, BigInt(inodes), true);
  view.setBigInt64(base + 40, BigInt(Math.max(0, inodes - entries)), true);
  view.setUint32(base + 48, volume.device, true);
  view.setUint32(base + 56, NAME_MAX, true);
  view.setUint32(base + 60, BLOCK_SIZE, true);
}

/** Fills a `struct dirent` for entry number `index` of a listing. */
export function writeDirent(
  memory: GuestMemory,
  at: number,
  entry: {
    readonly name: string;
    readonly inode: Inode;
    readonly index: number;
    readonly number: number;
  },
): void {
  const { view } = memory;
  view.setBigUint64(at, BigInt(entry.number), true);
  view.setBigInt64(at + 8, BigInt(entry.index + 1), true);
  view.setUint16(at + 16, DIRENT_BYTES, true);
  view.setUint8(at + 18, DIRENT_TYPES[entry.inode.kind]);
  memory.setText(at + DIRENT_NAME, entry.name);
}

/** Type bytes of `fd_fdstat_get`. */
const FILE_TYPES = { character: 2, directory: 3, file: 4, pipe: 6, link: 7 } as const;

/** Fills the `fdstat` of WASI. The C library reads only the type. */
export function writeDescriptorStat(memory: GuestMemory, at: number, kind: FileStat["kind"]): void {
  const base = at >>> 0;
  memory.span(base, 24).fill(0);
  memory.view.setUint8(base, FILE_TYPES[kind]);
}
