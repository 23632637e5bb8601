/**
 * Pauses between the chunks of a body. A chunk costs the thread the same whatever its length, so
 * senders of very small ones share a small part of it, and take turns by tenants.
 *
 * @module
 */
import { Slices, slicesOf } from "./slices.ts";

/** Chunks of one turn. */
const CHUNKS = 64;
/** Average length of a chunk, in bytes, below which the chunks are small. */
const SMALL_BYTES = 128;
/** Between two turns of senders of small chunks: 16,000 chunks a second in the whole service. */
const TURN_MS = 4;

const SMALL_CHUNKS = new Slices((next) => void setTimeout(next, TURN_MS));

/** To be awaited after each chunk, with its length in bytes. */
export type ChunkPause = (bytes: number) => Promise<void>;

/** The pauses of one body. */
export function chunkPauses(tenant: string, smallChunks: Slices = SMALL_CHUNKS): ChunkPause {
  const slicer = slicesOf(tenant);
  let [chunks, length] = [0, 0];
  return async (bytes) => {
    length += bytes;
    if (++chunks < CHUNKS) return;
    const areSmall = length < CHUNKS * SMALL_BYTES;
    [chunks, length] = [0, 0];
    await (areSmall ? smallChunks.next(tenant) : slicer.pause());
  };
}
