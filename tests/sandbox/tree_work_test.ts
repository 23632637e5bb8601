/**
 * The cost of edits of a workspace: calls in proportion to its size and the changes, whatever its
 * depth. The rest of the service waits during an edit.
 */
import { assertEquals, assertLess } from "@std/assert";
import { renamePath } from "../../sandbox/file_changes.ts";
import { planShards } from "../../sandbox/manifest_shards.ts";
import { mergeRun } from "../../sandbox/merge.ts";
import { EMPTY_TREE, type Tree, TreeEdit } from "../../sandbox/tree.ts";
import { resolvePath } from "../../sandbox/workspace_path.ts";
import type { WorkspaceDiff } from "../../shared/run_in_context.ts";
import { WORKSPACE_LIMITS } from "../../shared/limits.ts";
import { deepChains, filesInTheDeep, flat, type Shape, treeOf } from "./tree_model.ts";
import { workOf } from "./work_count.ts";

/** Maximum number of calls for one entry. */
const CALLS = 40;

const ENTRIES = 4_096;
const SHAPES: { readonly [name: string]: Shape } = {
  "deep chains": deepChains(ENTRIES, WORKSPACE_LIMITS.pathBytes),
  "files in the deep": filesInTheDeep(ENTRIES, 500),
  flat: flat(ENTRIES),
};

function unitsOf({ nodes }: Tree): number {
  return [...nodes.keys()].reduce((sum, path) => sum + path.length, 0);
}

function merged(edit: TreeEdit, base: Tree, diff: WorkspaceDiff): void {
  mergeRun(edit, { base, diff, now: 1 }, WORKSPACE_LIMITS);
}

/** Each returns the number of entries after it. */
const EDITS: { readonly [name: string]: (tree: Tree, shape: Shape) => number } = {
  "a run makes all of it": (tree, { dirs, files }) => {
    const edit = new TreeEdit(EMPTY_TREE);
    const written = files.map((path) => ({ path, data: new Uint8Array(), updatedAt: 1 }));
    merged(edit, EMPTY_TREE, { dirs, files: written, deleted: [] });
    return edit.entries - tree.nodes.size + ENTRIES;
  },
  "a run removes all of it": (tree, { files }) => {
    const edit = new TreeEdit(tree);
    merged(edit, tree, { dirs: [], files: [], deleted: files });
    return edit.entries;
  },
  "each directory is looked into": (tree, { dirs }) => {
    const edit = new TreeEdit(tree);
    for (const path of dirs) edit.isEmpty(path);
    return edit.entries;
  },
  "a directory is renamed": (tree, { dirs: [first = ""] }) => {
    const edit = new TreeEdit(tree);
    const [from, to] = [first, "/workspace/z"].map((path) => resolvePath(path, WORKSPACE_LIMITS));
    if (from !== undefined && to !== undefined) renamePath(edit, from, to, WORKSPACE_LIMITS);
    return edit.entries;
  },
  "shards are planned": (tree) => {
    const all = new Set(Array.from({ length: 256 }, (_, n) => n));
    const { written } = planShards(tree.nodes, [], all);
    return written.reduce((sum, { nodes }) => sum + nodes.length, 0);
  },
};

for (const [shapeName, shape] of Object.entries(SHAPES)) {
  for (const [name, edit] of Object.entries(EDITS)) {
    Deno.test(`work: ${name}: ${shapeName}`, () => {
      const tree = treeOf(shape);
      let left = -1;
      const { calls, units } = workOf(() => left = edit(tree, shape));
      assertEquals(left, name === "a run removes all of it" ? 0 : ENTRIES);
      assertLess(calls, CALLS * ENTRIES);
      assertLess(units, 4 * unitsOf(tree));
    });
  }
}

Deno.test("work: a path of very many names is not read name by name", () => {
  const text = "a/".repeat(100_000);
  const { calls } = workOf(() => {
    try {
      resolvePath(text, WORKSPACE_LIMITS);
    } catch {
      return; // too long, which another test covers
    }
  });
  assertLess(calls, 50);
});
