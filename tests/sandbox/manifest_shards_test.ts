import { assert, assertEquals, assertLess } from "@std/assert";
import { serialize } from "node:v8";
import { decodeShard, encodeShard, planShards, type Shard } from "../../sandbox/manifest_shards.ts";
import { emptyRecord, readRecord, type SandboxRecord } from "../../sandbox/root_record.ts";
import { Tree, TreeEdit, type TreeNode } from "../../sandbox/tree.ts";
import { seeded } from "../support/random.ts";

const RUN = crypto.randomUUID();
const SHA256 = "f".repeat(64);

function file(n: number): TreeNode {
  return { type: "file", modifiedAt: 1_700_000_000_000 + n, ref: refOf(n) };
}

function refOf(n: number) {
  return { run: RUN, n, bytes: n, sha256: SHA256 };
}

/** Plans and applies the writes. Returns the shards, and how many were written. */
function keep(nodes: ReadonlyMap<string, TreeNode>, before: readonly Shard[], edit: TreeEdit) {
  const { unchanged, written, dropped } = planShards(nodes, before, edit.slices);
  const store = written.map((shard) => ({
    from: shard.from,
    end: shard.end,
    ref: { ...refOf(0), bytes: encodeShard(shard).byteLength },
  }));
  return { shards: [...unchanged, ...store], written, dropped };
}

const seed = Number(Deno.env.get("SEED") ?? crypto.getRandomValues(new Uint32Array(1))[0]);

Deno.test(`shards: the shards after any edits depend only on the tree, SEED=${seed}`, () => {
  const next = seeded(seed);
  let tree = new Tree(new Map());
  let shards: readonly Shard[] = [];
  const contents = new Map<string, string>();
  for (let round = 0; round < 60; round++) {
    const edit = new TreeEdit(tree);
    for (let change = 0; change < next() * 80; change++) {
      const path = `/workspace/${Math.floor(next() * 900)}${"x".repeat(200)}`;
      if (next() < 0.35) edit.remove(path);
      else if (next() < 0.3) edit.set(path, { type: "directory", modifiedAt: round });
      else edit.set(path, file(round * 1_000 + change));
    }
    tree = new Tree(edit.finish(() => refOf(0)));
    const kept = keep(tree.nodes, shards, edit);
    for (const shard of kept.dropped) contents.delete(`${shard.from}-${shard.end}`);
    for (const shard of kept.written) {
      contents.set(`${shard.from}-${shard.end}`, new TextDecoder().decode(encodeShard(shard)));
    }
    shards = kept.shards;
    const read = [...contents.values()].flatMap((text) => [
      ...decodeShard(new TextEncoder().encode(text)),
    ]);
    assertEquals(new Map(read.toSorted()), new Map([...tree.nodes].toSorted()), `SEED=${seed}`);
    const anew = keep(tree.nodes, [], edit).shards.map(({ from, end }) => [from, end]);
    assertEquals(shards.map(({ from, end }) => [from, end]).toSorted(), anew.toSorted());
  }
});

Deno.test("shards: one changed file rewrites one shard of at most one part", () => {
  const nodes = new Map<string, TreeNode>();
  for (let n = 0; n < 4_096; n++) nodes.set(`/workspace/${n}`.padEnd(200, "x"), file(n));
  const all = new TreeEdit(new Tree(new Map()));
  const { shards } = keep(nodes, [], all);
  assert(shards.length > 20);
  for (const { ref } of shards) assertLess(ref.bytes, 65_537);
  const edit = new TreeEdit(new Tree(nodes));
  edit.set("/workspace/7".padEnd(200, "x"), file(9_999));
  const tree = edit.finish(() => refOf(0));
  const { written, dropped } = keep(tree, shards, edit);
  assertEquals([written.length, dropped.length], [1, 1]);
});

Deno.test("root record: at its largest it is within KV's limit", () => {
  const layer = { ...refOf(999), bytes: 32_768 };
  const snapshot = {
    build: "b".repeat(128),
    pages: 8_192,
    bytes: 33_554_432,
    storedBytes: 33_554_432,
    takenAt: 1_700_000_000_000,
  };
  const context = {
    id: RUN,
    binding: "JAVASCRIPT",
    language: "javascript",
    engine: "e".repeat(64),
    cwd: `/workspace/${"\u4e00".repeat(337)}`,
    createdAt: 1_700_000_000_000,
    lastUsed: 1_700_000_000_000,
    executions: 1_000_000_000,
    env: layer,
    snapshotRef: "r".repeat(256),
    snapshot,
  };
  const shards = Array.from({ length: 256 }, (_, from) => ({
    from,
    end: from + 1,
    ref: { ...layer, run: crypto.randomUUID(), n: 4_000 },
  }));
  const record: SandboxRecord = {
    ...emptyRecord(RUN, 1_700_000_000_000),
    expiresAt: 1_700_000_000_000,
    env: layer,
    contexts: Array.from({ length: 8 }, () => context),
    workspace: { state: RUN, files: 4_096, bytes: 16_777_216, shards },
  };
  const bytes = serialize(record).byteLength;
  assertLess(bytes, 65_536 - 4_096);
  assertEquals(readRecord(record), record);
});
