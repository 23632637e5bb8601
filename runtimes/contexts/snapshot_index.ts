/**
 * The index of a stored snapshot: its baseline, its segments, and a reference that authenticates
 * every byte of it.
 *
 * @module
 */
import type { SnapshotInfo } from "../../client/protocol/sandbox_types.ts";
import { z } from "zod";
import { type BlobRef, blobRefSchema } from "../../store/blobs.ts";
import { contentHash } from "../../shared/content_hash.ts";
import type { ClockReading } from "../engine/clock.ts";
import type { GlobalValues } from "../engine/snapshot/engine_state.ts";
import { SNAPSHOT_PAGE_BYTES } from "../engine/snapshot/page_hash.ts";

/** Everything about a snapshot except its pages. */
export interface SnapshotIndex {
  /** Unique; begins with the fence under which it was written. */
  readonly id: string;
  /** Digest of the engine that can read it. */
  readonly engine: string;
  /** The baseline that it is a delta against. */
  readonly baseline: string;
  /** Whether it is a delta against the second of the two baselines with that name. @default {false} */
  readonly preloaded?: boolean | undefined;
  /** Name of the build that wrote it, for people. */
  readonly build: string;
  readonly memoryBytes: number;
  readonly globals: GlobalValues;
  /** Pages of 4 KiB that differ from the baseline. */
  readonly pages: number;
  /** The blobs of the pages, oldest first. */
  readonly segments: readonly BlobRef[];
  readonly cwd: string;
  /**
   * The guest's clocks at the end of the last run that had real ones; absent if none had. A run whose
   * caller sets the clock does not move it.
   */
  readonly clock?: ClockReading | undefined;
  /** Number of runs of the context, including the one that left this state. */
  readonly executions: number;
  /** Epoch milliseconds. */
  readonly takenAt: number;
  /**
   * The snapshot from which the run started, and those of its segments that this one does not use.
   */
  readonly replaced: { readonly id: string; readonly segments: readonly BlobRef[] } | null;
}

const count = z.number().int().nonnegative();

const indexSchema: z.ZodType<SnapshotIndex> = z.object({
  id: z.string(),
  engine: z.string(),
  baseline: z.string(),
  preloaded: z.boolean().optional(),
  build: z.string(),
  memoryBytes: count,
  globals: z.record(z.string(), z.number().int()),
  pages: count,
  segments: z.array(blobRefSchema),
  cwd: z.string(),
  clock: z.object({ epochMs: z.number(), monotonicMs: z.number() }).optional(),
  executions: count,
  takenAt: count,
  replaced: z.object({ id: z.string(), segments: z.array(blobRefSchema) }).nullable(),
});

/** An index as bytes. */
export function encodeIndex(index: SnapshotIndex): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(index));
}

/**
 * The reference to a snapshot: its id and the hash of its index, which contains those of its pages.
 */
export function referenceTo(id: string, index: Uint8Array): string {
  return `${id}.${contentHash(index)}`;
}

/** The id in a reference; undefined when the reference is not valid. */
export function snapshotIdOf(reference: string): string | undefined {
  return /^([0-9]+-[0-9a-f-]{36})\.[0-9a-f]{64}$/.exec(reference)?.[1];
}

/** Reads the index that a reference names; undefined when the bytes do not match it. */
export function readIndex(bytes: Uint8Array, reference: string): SnapshotIndex | undefined {
  const id = snapshotIdOf(reference);
  if (id === undefined || referenceTo(id, bytes) !== reference) return undefined;
  try {
    const parsed = indexSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return parsed.success && parsed.data.id === id ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Bytes that are stored for a snapshot. */
export function storedBytes({ segments }: Pick<SnapshotIndex, "segments">): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The public information about a snapshot (docs/contract.md#snapshotinfo). */
export function snapshotInfo(index: SnapshotIndex): SnapshotInfo {
  return {
    build: index.build,
    pages: index.pages,
    bytes: index.pages * SNAPSHOT_PAGE_BYTES,
    storedBytes: storedBytes(index),
    takenAt: index.takenAt,
  };
}
