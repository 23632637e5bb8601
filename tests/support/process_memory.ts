/**
 * The memory of a process, searched through Linux's `/proc`.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { pause } from "./wait.ts";

const PIECE_BYTES = 4 * 1024 * 1024;
const PAGE_BYTES = 4_096;
/** Bytes of a page's entry in `pagemap`. */
const ENTRY_BYTES = 8;
/** Bits of an entry, in its highest byte: in memory, or swapped out. */
const HAS_BYTES = 0xc0;

/** Bytes of addresses, from the first to before the last. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds which of the texts a process holds in readable memory, as UTF-8 or UTF-16. Files, and pages
 * that were never written, are left out.
 */
export async function textsInMemory(
  pid: number,
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const needles = texts.flatMap((text) => [
    { text, bytes: Buffer.from(text, "utf8") },
    { text, bytes: Buffer.from(text, "utf16le") },
  ]);
  const longest = Math.max(...needles.map(({ bytes }) => bytes.length));
  const found = new Set<string>();
  const piece = Buffer.alloc(PIECE_BYTES + longest);
  using memory = await Deno.open(`/proc/${pid}/mem`);
  using pagemap = await Deno.open(`/proc/${pid}/pagemap`);
  for (const region of await regions(pid)) {
    for (const { from, to } of writtenRanges(pagemap, region)) {
      for (let at = from; at < to; at += PIECE_BYTES) {
        const bytes = piece.subarray(0, Math.min(piece.length, to - at));
        const read = bytes.subarray(0, readAt(memory, at, bytes));
        await pause(0); // others have work here, too
        for (const { text, bytes: needle } of needles) {
          if (!found.has(text) && read.includes(needle)) found.add(text);
        }
      }
    }
  }
  return found;
}

/** Readable regions with memory of their own: the others are files. */
async function regions(pid: number): Promise<readonly Range[]> {
  const maps = await Deno.readTextFile(`/proc/${pid}/maps`);
  return maps.split("\n").flatMap((line) => {
    const [, from, to, inode, name = ""] =
      /^([0-9a-f]+)-([0-9a-f]+) r\S+ \S+ \S+ (\d+)\s*(.*)$/.exec(line) ?? [];
    const isFile = inode !== "0" && !name.startsWith("/dev/shm") && !name.startsWith("/memfd");
    if (from === undefined || to === undefined || isFile || name.startsWith("[v")) return [];
    return [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }];
  });
}

/** The parts of a region whose pages have bytes. */
function writtenRanges(pagemap: Deno.FsFile, { from, to }: Range): readonly Range[] {
  const entries = new Uint8Array((to - from) / PAGE_BYTES * ENTRY_BYTES);
  const length = readAt(pagemap, from / PAGE_BYTES * ENTRY_BYTES, entries);
  const ranges: { from: number; to: number }[] = [];
  for (let entry = 0; entry < length; entry += ENTRY_BYTES) {
    if (((entries[entry + ENTRY_BYTES - 1] ?? 0) & HAS_BYTES) === 0) continue;
    const at = from + entry / ENTRY_BYTES * PAGE_BYTES;
    const last = ranges.at(-1);
    if (last?.to === at) last.to += PAGE_BYTES;
    else ranges.push({ from: at, to: at + PAGE_BYTES });
  }
  return ranges;
}

/** Reads bytes at a place. Returns how many there are; none where nobody may read. */
function readAt(file: Deno.FsFile, place: number, into: Uint8Array): number {
  try {
    file.seekSync(place, Deno.SeekMode.Start);
    let length = 0;
    while (length < into.length) {
      const read = file.readSync(into.subarray(length));
      if (read === null || read === 0) break;
      length += read;
    }
    return length;
  } catch {
    return 0; // a region that is gone
  }
}
