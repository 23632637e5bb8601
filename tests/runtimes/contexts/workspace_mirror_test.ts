// test: slow
import { assertEquals, assertLess } from "@std/assert";
import {
  EMPTY_MIRROR,
  isWorkspacePath,
  mirrorOf,
  workspaceAfter,
  type WorkspaceMirror,
} from "../../../runtimes/contexts/workspace_mirror.ts";
import { contentHash } from "../../../shared/content_hash.ts";
import type { WorkspaceManifest } from "../../../shared/run_in_context.ts";
import { WORKSPACE_LIMITS } from "../../../shared/limits.ts";
import {
  deepChains,
  filesInTheDeep,
  flat,
  parentsOf,
  randomPath,
  randomShape,
  type Shape,
} from "../../sandbox/tree_model.ts";
import { workOf } from "../../sandbox/work_count.ts";
import { printedSeed, seeded } from "../../support/random.ts";

const WORKSPACE = "/workspace";
const HASH = contentHash(new Uint8Array());

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The rule, stated name by name. */
function isPath(path: string): boolean {
  const [root, folder, ...names] = path.split("/");
  const isName = (name: string) => !["", ".", ".."].includes(name) && byteLength(name) <= 255;
  return root === "" && folder === "workspace" && names.length > 0 && names.every(isName) &&
    byteLength(path) <= 1_024 && path.isWellFormed() && !path.includes("\0");
}

Deno.test("mirror: the possible paths are those of the rule", () => {
  const seed = printedSeed("paths");
  const random = seeded(seed);
  const pieces = [
    "/",
    "/",
    "/workspace",
    ".",
    "..",
    "a",
    "\0",
    "\u00e9",
    "\u4e00",
    "\ud83d",
    "\ude00",
  ];
  const long = ["a", "\u00e9", "\u4e00", "\u{1f600}"].map((name) =>
    name.repeat(252 / byteLength(name))
  );
  let found = 0;
  for (let round = 0; round < 40_000; round++) {
    const from = random() < 0.3 ? long : pieces;
    let path = random() < 0.9 ? `${WORKSPACE}/` : "";
    for (let n = Math.floor(random() * 7); n > 0; n--) {
      path += from[Math.floor(random() * from.length)];
      if (random() < 0.5) path += ["/", "ab", "abc", "abcd"][Math.floor(random() * 4)];
    }
    const expected = isPath(path);
    found += Number(expected);
    assertEquals(isWorkspacePath(path), expected, `SEED=${seed} ${JSON.stringify(path)}`);
  }
  assertLess(2_000, found);
});

Deno.test("mirror: lengths at the limit, in characters of each length", () => {
  for (const name of ["a", "\u00e9", "\u4e00", "\u{1f600}"]) {
    const longest = name.repeat(Math.floor(255 / byteLength(name)));
    const full = longest + "a".repeat(255 - byteLength(longest));
    const parent = `${WORKSPACE}/${full}/${full}/${full}`;
    const rest = "a".repeat(1_023 - byteLength(parent));
    assertEquals([isWorkspacePath(parent), isWorkspacePath(`${parent}a`)], [true, false]);
    assertEquals(isWorkspacePath(`${WORKSPACE}/${full}a/b`), false);
    assertEquals(isWorkspacePath(`${parent}/${rest}`), true);
    assertEquals(isWorkspacePath(`${parent}/${rest}a`), false);
  }
});

function manifestOf({ dirs, files }: Shape): WorkspaceManifest {
  return { dirs, manifest: Object.fromEntries(files.map((path) => [path, HASH])) };
}

Deno.test("mirror: the mirror has all parents of a manifest's entries", () => {
  const seed = printedSeed("mirrors");
  const random = seeded(seed);
  for (let round = 0; round < 500; round++) {
    const shape = randomShape(random);
    const dirs = shape.dirs.filter(() => random() < 0.4);
    if (random() < 0.1) dirs.push(WORKSPACE);
    const { files, dirs: found } = mirrorOf(manifestOf({ dirs, files: shape.files }));
    const named = dirs.filter((path) => path !== WORKSPACE);
    const expected = new Set([...named, ...[...named, ...shape.files].flatMap(parentsOf)]);
    assertEquals(found, expected, `SEED=${seed} round ${round}`);
    assertEquals([...files.keys()], shape.files);
  }
});

/** The entries after a run that left these paths; undefined when no run can leave them. */
function expectedAfter(
  before: WorkspaceMirror,
  dirs: readonly string[],
  files: readonly string[],
  deleted: readonly string[],
): WorkspaceMirror | undefined {
  const present = [...dirs, ...files];
  if (![...present, ...deleted].every(isPath)) return undefined;
  if (new Set(present).size < present.length) return undefined;
  const all = new Map([...before.files].filter(([path]) => ![...deleted, ...dirs].includes(path)));
  for (const path of files) all.set(path, HASH);
  const inPlace = [...all.keys(), ...dirs].every((path) =>
    parentsOf(path).every((parent) => dirs.includes(parent))
  );
  return inPlace ? { files: all, dirs: new Set(dirs) } : undefined;
}

Deno.test("mirror: a run's changes are accepted or refused as by a simple model", () => {
  const seed = printedSeed("runs");
  const random = seeded(seed);
  const odd = [WORKSPACE, `${WORKSPACE}/`, "/etc/a", `${WORKSPACE}/a/../b`, `${WORKSPACE}/\ud800`];
  let taken = 0;
  for (let round = 0; round < 3_000; round++) {
    const before = mirrorOf(manifestOf(randomShape(random)));
    const made = randomShape(random);
    const some = random() < 0.5 ? [] : [...before.dirs];
    const isTold = random() < 0.7;
    const dirs = isTold ? [...new Set([...made.dirs, ...some])] : [...before.dirs];
    const deleted = [...before.files.keys()].filter(() => random() < 0.7);
    if (random() < 0.1) deleted.push(randomPath(random));
    for (const paths of isTold ? [dirs, deleted] : [deleted]) {
      if (random() < 0.05) paths.push(odd[Math.floor(random() * odd.length)] ?? "");
    }
    const files = made.files.map((path) => [path, 1] as const);
    const after = workspaceAfter(
      before,
      { ...(isTold ? { dirs } : {}), files, deleted },
      files.map(() => new Uint8Array()),
    );
    const expected = expectedAfter(before, dirs, made.files, deleted);
    assertEquals(after?.mirror, expected, `SEED=${seed} round ${round}`);
    if (after === undefined || expected === undefined) continue;
    taken++;
    const gone = [...before.files.keys()].filter((path) => !expected.files.has(path));
    assertEquals(after.diff.deleted, gone);
    assertEquals(after.diff.dirs, dirs);
    assertEquals(after.diff.files.map(({ path }) => path), made.files);
  }
  assertLess(300, taken);
});

Deno.test("mirror: a run cannot leave the root as a path, even if a manifest names it", () => {
  const before = mirrorOf({ dirs: [WORKSPACE], manifest: { [WORKSPACE]: HASH } });
  const head = { dirs: [], files: [], deleted: [WORKSPACE] };
  assertEquals(workspaceAfter(before, head, []), undefined);
});

const ENTRIES = 4_096;
const SHAPES: { readonly [name: string]: Shape } = {
  "deep chains": deepChains(ENTRIES, WORKSPACE_LIMITS.pathBytes),
  "files in the deep": filesInTheDeep(ENTRIES, 500),
  flat: flat(ENTRIES),
};

for (const [name, shape] of Object.entries(SHAPES)) {
  Deno.test(`mirror: a run's work is proportional to its paths, at any depth: ${name}`, () => {
    const { dirs, files } = shape;
    const manifest = manifestOf(shape);
    const units = [...dirs, ...files].reduce((sum, path) => sum + path.length, 0);
    const checked = workOf(() => assertEquals([...dirs, ...files].every(isWorkspacePath), true));
    assertLess(checked.calls, 4 * ENTRIES);
    assertLess(checked.units, 2 * units);
    let mirror = EMPTY_MIRROR;
    const mirrored = workOf(() => mirror = mirrorOf(manifest));
    assertLess(mirrored.calls, 20 * ENTRIES);
    let isTaken = false;
    const trivial = workOf(() => {
      isTaken = workspaceAfter(mirror, { dirs, files: [], deleted: [] }, []) !== undefined;
    });
    assertEquals([isTaken, trivial.units], [true, 0]); // nothing is new, so no text is read
    assertLess(trivial.calls, 20 * ENTRIES);
    const emptied = workOf(() => {
      const deleted = [...dirs, ...files];
      isTaken = workspaceAfter(mirror, { dirs: [], files: [], deleted }, []) !== undefined;
    });
    assertEquals([isTaken, emptied.units], [true, 0]);
    assertLess(emptied.calls, 20 * ENTRIES);
  });
}
