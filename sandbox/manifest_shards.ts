/**
 * Stores the tree of a workspace in shards, each a blob of at most about 48 KiB. So a changed file
 * rewrites one shard, for any size of the tree.
 *
 * A path belongs to one of 256 slices ({@link sliceOf}). A shard holds a range of slices; a range that
 * would be too long is halved. The set of shards depends only on the tree. So their number is
 * bounded, and with it the record that names them.
 *
 * @module
 */
import { z } from "zod";
import { utf8Length } from "../client/protocol/text.ts";
import type { BlobRef } from "../store/blobs.ts";
import { WORKSPACE_LIMITS } from "../shared/limits.ts";
import { sliceOf, SLICES, type TreeNode } from "./tree.ts";

/** Length from which a range of slices is halved. */
const TARGET_BYTES = 48 * 1024;
/** Room for the bytes of any valid path, so that counting them allocates nothing. */
const PATH_ROOM = new Uint8Array(3 * WORKSPACE_LIMITS.pathBytes);
const ENCODER = new TextEncoder();
/** Bytes of numbers and punctuation of an entry, never underestimated. */
const DIRECTORY_BYTES = 24;
/** The same for a file, with the reference to its contents. */
const FILE_BYTES = 184;

/** A shard in the root record: its slices from `from` up to `end`, exclusive. */
export interface Shard {
  readonly from: number;
  readonly end: number;
  readonly ref: BlobRef;
}

/** A shard to write. */
export interface NewShard {
  readonly from: number;
  readonly end: number;
  readonly nodes: readonly (readonly [path: string, node: TreeNode])[];
}

/** The difference between the shards of two consecutive trees. */
export interface ShardPlan {
  readonly unchanged: readonly Shard[];
  readonly written: readonly NewShard[];
  readonly dropped: readonly Shard[];
}

/** The slices of nodes at their paths: most nodes of a tree were in the tree before it. */
const KNOWN_SLICES = new WeakMap<TreeNode, { readonly path: string; readonly slice: number }>();

function knownSlice([path, node]: readonly [path: string, node: TreeNode]): number {
  const known = KNOWN_SLICES.get(node);
  if (known?.path === path) return known.slice;
  const slice = sliceOf(path);
  KNOWN_SLICES.set(node, { path, slice });
  return slice;
}

/** Determines which shards of a tree can stay and which must be written. `changed`: slices. */
export function planShards(
  nodes: ReadonlyMap<string, TreeNode>,
  before: readonly Shard[],
  changed: ReadonlySet<number>,
): ShardPlan {
  const slices: (readonly [string, TreeNode])[][] = Array.from({ length: SLICES }, () => []);
  for (const entry of nodes) slices[knownSlice(entry)]?.push(entry);
  const sizes = slices.map((slice) => slice.reduce((sum, entry) => sum + bytesOf(entry), 0));
  const known = new Map(before.map((shard) => [`${shard.from}-${shard.end}`, shard]));
  const unchanged: Shard[] = [];
  const written: NewShard[] = [];
  for (const [from, end] of rangesOf(sizes, 0, SLICES)) {
    const shard = known.get(`${from}-${end}`);
    const touched = [...changed].some((slice) => slice >= from && slice < end);
    if (shard !== undefined && !touched) unchanged.push(shard);
    else written.push({ from, end, nodes: slices.slice(from, end).flat() });
  }
  return { unchanged, written, dropped: before.filter((shard) => !unchanged.includes(shard)) };
}

function* rangesOf(
  sizes: readonly number[],
  from: number,
  end: number,
): Generator<readonly [from: number, end: number]> {
  const size = sizes.slice(from, end).reduce((sum, bytes) => sum + bytes, 0);
  if (size === 0) return;
  if (size <= TARGET_BYTES || end - from === 1) {
    yield [from, end];
    return;
  }
  const middle = (from + end) / 2;
  yield* rangesOf(sizes, from, middle);
  yield* rangesOf(sizes, middle, end);
}

function bytesOf([path, node]: readonly [string, TreeNode]): number {
  return pathBytes(path) + (node.type === "file" ? FILE_BYTES : DIRECTORY_BYTES);
}

function pathBytes(path: string): number {
  if (3 * path.length > PATH_ROOM.length) return utf8Length(path);
  return ENCODER.encodeInto(path, PATH_ROOM).written;
}

type Row =
  | readonly [path: string, modifiedAt: number]
  | readonly [
    path: string,
    modifiedAt: number,
    run: string,
    n: number,
    bytes: number,
    sha256: string,
  ];

const rowsSchema: z.ZodType<readonly Row[], unknown> = z.array(z.union([
  z.tuple([z.string(), z.number()]),
  z.tuple([z.string(), z.number(), z.string(), z.number(), z.number(), z.string()]),
]));

/** Encodes a shard as bytes. */
export function encodeShard({ nodes }: NewShard): Uint8Array {
  const rows = nodes.map(([path, node]): Row => {
    if (node.type === "directory") return [path, node.modifiedAt];
    const { run, n, bytes, sha256 } = node.ref;
    return [path, node.modifiedAt, run, n, bytes, sha256];
  });
  return ENCODER.encode(JSON.stringify(rows));
}

/** The inverse of {@link encodeShard}. Throws when the bytes are something else. */
export function decodeShard(bytes: Uint8Array): NewShard["nodes"] {
  return rowsSchema.parse(JSON.parse(new TextDecoder().decode(bytes))).map((row) => {
    const [path, modifiedAt, run, n, length, sha256] = row;
    const isFile = run !== undefined && n !== undefined && length !== undefined &&
      sha256 !== undefined;
    if (!isFile) return [path, { type: "directory", modifiedAt }];
    return [path, { type: "file", modifiedAt, ref: { run, n, bytes: length, sha256 } }];
  });
}
