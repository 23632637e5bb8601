import { assertEquals } from "@std/assert";
import { mergeRun } from "../../sandbox/merge.ts";
import { type Tree, TreeEdit } from "../../sandbox/tree.ts";
import type { WorkspaceDiff } from "../../shared/run_in_context.ts";
import { WORKSPACE_LIMITS } from "../../shared/limits.ts";
import { printedSeed, seeded } from "../support/random.ts";
import { keptFile, ModelEdit, parentsOf, randomPath, randomShape, treeOf } from "./tree_model.ts";

const ROUNDS = 400;

/** Checks that all queries of an edit give the model's results. */
function assertAlike(edit: TreeEdit, model: ModelEdit, base: Tree, hint: string): void {
  assertEquals(new Map(edit.nodes), model.nodes, hint);
  assertEquals([edit.entries, edit.bytes], [model.nodes.size, model.bytes], hint);
  assertEquals(edit.slices, model.slices, hint);
  for (const directory of ["/workspace", ...model.nodes.keys()]) {
    const below = model.below(directory);
    assertEquals(edit.below(directory).map(([path]) => path).sort(), below.toSorted(), hint);
    assertEquals(edit.isEmpty(directory), below.length === 0, hint);
  }
  const named = new Set(
    [...model.nodes.values()].flatMap((node) => "ref" in node ? [node.ref.n] : []),
  );
  const before = [...base.nodes.values()].flatMap((node) => "ref" in node ? [node.ref.n] : []);
  const left = [...edit.leftBehind].map(({ n }) => n).filter((n) => before.includes(n));
  assertEquals(left.sort(), before.filter((n) => !named.has(n)).sort(), hint);
}

/** One edit as made by the operations of `/files` and by the merge: every parent is kept. */
function editBoth(edit: TreeEdit, model: ModelEdit, random: () => number, n: number): void {
  const path = randomPath(random);
  const free = () => !model.nodes.has(path) && parentsOf(path).every((at) => edit.isDirectory(at));
  const kind = random();
  if (kind < 0.3) {
    edit.remove(path);
    model.remove(path);
  } else if (kind < 0.5) {
    const paths = [...model.nodes.keys()];
    const from = paths[Math.floor(random() * paths.length)];
    if (from === undefined || !free() || path.startsWith(`${from}/`)) return;
    edit.move(from, path);
    model.move(from, path);
  } else if (free()) {
    const node = random() < 0.5 ? keptFile(n) : { type: "directory", modifiedAt: n } as const;
    edit.set(path, node);
    model.set(path, node);
  } else if (model.nodes.get(path)?.type === "file") {
    const node = { type: "file", modifiedAt: n, data: new Uint8Array(n % 5) } as const;
    edit.set(path, node);
    model.set(path, node);
  }
}

Deno.test("tree edit: any edits give the results of a simple model", () => {
  const seed = printedSeed("trees");
  const random = seeded(seed);
  for (let round = 0; round < ROUNDS; round++) {
    const base = treeOf(randomShape(random));
    const edit = new TreeEdit(base);
    const model = new ModelEdit(base);
    for (let n = 0; n < 20; n++) {
      editBoth(edit, model, random, 1_000 + n);
      if (n % 5 === 0) assertAlike(edit, model, base, `SEED=${seed} round ${round} edit ${n}`);
    }
    assertAlike(edit, model, base, `SEED=${seed} round ${round}`);
  }
});

/** A possible outcome of a run that began with `base` and does not know later changes. */
function randomDiff(base: Tree, random: () => number): WorkspaceDiff {
  const made = randomShape(random);
  const kept = [...base.directories()].filter(() => random() < 0.6);
  const parents = kept.flatMap(parentsOf);
  const deleted = [...base.nodes].filter(([_, node]) => node.type === "file" && random() < 0.3);
  return {
    dirs: [...new Set([...parents, ...kept, ...made.dirs])],
    files: made.files.map((path, n) => ({ path, data: new Uint8Array(n), updatedAt: n })),
    deleted: deleted.map(([path]) => path),
  };
}

Deno.test("merge: a run and later changes give the results of a simple model", () => {
  const seed = printedSeed("trees");
  const random = seeded(seed);
  for (let round = 0; round < ROUNDS; round++) {
    const base = treeOf(randomShape(random));
    const edit = new TreeEdit(base);
    const model = new ModelEdit(base);
    for (let n = Math.floor(random() * 10); n > 0; n--) editBoth(edit, model, random, 1_000 + n);
    const run = { base, diff: randomDiff(base, random), now: 5 };
    mergeRun(edit, run, WORKSPACE_LIMITS);
    model.merge(run);
    assertAlike(edit, model, base, `SEED=${seed} round ${round}`);
  }
});
