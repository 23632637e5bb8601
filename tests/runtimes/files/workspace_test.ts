import { assertEquals } from "@std/assert";
import type { GuestFileSystem } from "../../../runtimes/files/guest_file_system.ts";
import type { WorkspaceEntry } from "../../../runtimes/files/workspace_tree.ts";
import { OperationRunner, randomOperations } from "./operations.ts";
import { bytesOf, errnoOf, names, put, testFiles, text } from "./support.ts";

function paths(entries: readonly WorkspaceEntry[]): string[] {
  return entries.map((entry) => entry.path);
}

function file(path: string, content: string, mtimeMs = 1): WorkspaceEntry {
  return { kind: "file", path, mtimeMs, bytes: bytesOf(content) };
}

function directory(path: string, mtimeMs = 1): WorkspaceEntry {
  return { kind: "directory", path, mtimeMs };
}

/** Bytes and entries as counted, and as found in the tree. */
function budgets(files: GuestFileSystem): [number[], number[]] {
  const { bytes, entries } = files.usage.workspace;
  const all = files.exportWorkspace();
  const shown = all.reduce(
    (sum, entry) => sum + (entry.kind === "file" ? entry.bytes.length : 0),
    0,
  );
  return [[bytes, entries], [shown, all.length]];
}

Deno.test("changes: empty after a mark", () => {
  const { files } = testFiles();
  put(files, "f", "x");
  const mark = files.mark();
  text(files, "f");
  assertEquals(files.changesSince(mark), { created: [], updated: [], deleted: [] });
});

Deno.test("changes: list what was created, changed and removed", () => {
  const { files } = testFiles();
  for (const path of ["keep", "write", "time", "remove", "swap"]) put(files, path, path);
  files.makeDirectory("d");
  put(files, "d/inner", "x");
  const mark = files.mark();
  put(files, "write", "new");
  files.setTime("time", 9);
  files.removeFile("remove");
  put(files, "made", "");
  files.removeFile("swap");
  files.makeDirectory("swap");
  files.rename("d", "e");
  put(files, "/tmp/elsewhere", "");
  const { created, updated, deleted } = files.changesSince(mark);
  assertEquals(paths(created), ["/workspace/e", "/workspace/e/inner", "/workspace/made"]);
  assertEquals(paths(updated), ["/workspace/swap", "/workspace/time", "/workspace/write"]);
  assertEquals(deleted, ["/workspace/d", "/workspace/d/inner", "/workspace/remove"]);
  assertEquals(updated.map((entry) => entry.kind), ["directory", "file", "file"]);
  assertEquals(updated[1], file("/workspace/time", "time", 9));
});

Deno.test("changes: removing and recreating within a run is an update, and so is changing there and back", () => {
  const { files } = testFiles();
  put(files, "a", "1");
  put(files, "b", "2");
  const mark = files.mark();
  files.rename("a", "c");
  files.rename("b", "a");
  files.rename("c", "b");
  put(files, "gone", "");
  files.removeFile("gone");
  const { created, updated, deleted } = files.changesSince(mark);
  assertEquals([paths(created), paths(updated), deleted], [
    [],
    ["/workspace/a", "/workspace/b"],
    [],
  ]);
});

Deno.test("changes: a mark survives a reset", () => {
  const { files } = testFiles();
  put(files, "a", "1");
  const mark = files.mark();
  files.reset();
  put(files, "a", "1");
  assertEquals(paths(files.changesSince(mark).updated), ["/workspace/a"]);
});

Deno.test("export: sorted by path, and unaffected by later changes", () => {
  const { files } = testFiles();
  files.makeDirectory("a");
  put(files, "a/x", "inner");
  put(files, "a-b", "1");
  put(files, "B", "2");
  files.setTime("a-b", 77);
  const entries = files.exportWorkspace();
  assertEquals(paths(entries), [
    "/workspace/B",
    "/workspace/a",
    "/workspace/a-b",
    "/workspace/a/x",
  ]);
  assertEquals(entries[2], file("/workspace/a-b", "1", 77));
  put(files, "a/x", "changed");
  files.truncate("B", 0);
  assertEquals(entries[3], file("/workspace/a/x", "inner", entries[3]?.mtimeMs));
  assertEquals(entries[0], file("/workspace/B", "2", entries[0]?.mtimeMs));
});

Deno.test("import: replaces everything in any order, creates parents and keeps times", () => {
  const { files } = testFiles();
  put(files, "old", "x");
  files.importWorkspace([
    file("/workspace/p/q/f", "deep", 3),
    directory("/workspace/p", 4),
    directory("/workspace/empty", 5),
  ]);
  assertEquals([names(files, "."), text(files, "p/q/f")], [["empty", "p"], "deep"]);
  assertEquals(["p/q/f", "p", "empty"].map((path) => files.stat(path).mtimeMs), [3, 4, 5]);
  const [counted, shown] = budgets(files);
  assertEquals([counted, shown], [[4, 4], [4, 4]]);
});

Deno.test("import: bytes are used without a copy, and copied before a write", () => {
  const { files } = testFiles();
  const bytes = bytesOf("given");
  files.importWorkspace([{ kind: "file", path: "/workspace/f", mtimeMs: 1, bytes }]);
  const fd = files.open("f", { write: true });
  files.descriptors.write(fd, bytesOf("G"));
  files.descriptors.close(fd);
  assertEquals([text(files, "f"), new TextDecoder().decode(bytes)], ["Given", "given"]);
});

Deno.test("import: a tree that does not fit changes nothing", () => {
  const { files } = testFiles({ workspaceBytes: 10, fileBytes: 6, entries: 3 });
  put(files, "old", "x");
  const before = files.exportWorkspace();
  const cases: [string, WorkspaceEntry[]][] = [
    ["EFBIG", [file("/workspace/a", "1234567")]],
    ["ENOSPC", [file("/workspace/a", "123456"), file("/workspace/b", "12345")]],
    ["ENOSPC", [file("/workspace/a/b/c/d", "")]],
    ["EEXIST", [file("/workspace/a", ""), file("/workspace/a", "")]],
    ["ENOTDIR", [file("/workspace/a", ""), file("/workspace/a/b", "")]],
    ["EACCES", [file("/tmp/a", "")]],
    ["EACCES", [file("/workspacea", "")]],
    ["ENOTDIR", [file("/workspace/a", ""), directory("/workspace/a")]],
    ["ENOTDIR", [file("/workspace/a", ""), directory("/workspace/a/b")]],
    ["ENAMETOOLONG", [file(`/workspace/${"x".repeat(256)}`, "")]],
    ["EINVAL", [file("/workspace/a", "", NaN)]],
    ["EINVAL", [file("/workspace/a//b", "")]],
    ["EINVAL", [file("/workspace/", "")]],
  ];
  for (const [expected, entries] of cases) {
    assertEquals(errnoOf(() => files.importWorkspace(entries)), expected, JSON.stringify(entries));
    assertEquals(files.exportWorkspace(), before);
    assertEquals(budgets(files), [[1, 1], [1, 1]]);
  }
});

Deno.test("import: dots in a path do not lead elsewhere", () => {
  const { files } = testFiles();
  for (
    const path of ["/workspace/../tmp/x", "/workspace/./x", "/workspace/x/..", "/workspace/x/."]
  ) {
    assertEquals(errnoOf(() => files.importWorkspace([file(path, "")])), "EINVAL", path);
    assertEquals(errnoOf(() => files.importWorkspace([directory(path)])), "EINVAL", path);
  }
  assertEquals([names(files, "/tmp"), names(files, ".")], [[], []]);
});

Deno.test("reset: no file is left, and inode numbers start again", () => {
  const { files, output } = testFiles();
  const story = () => {
    put(files, "f", "x");
    files.makeDirectory("/tmp/d");
    files.open("f", { read: true });
    const held = files.open("held", { write: true, create: true });
    files.descriptors.write(held, new Uint8Array(100));
    files.removeFile("held");
    files.descriptors.close(2);
    files.setMode(".", 0o700);
    return [files.stat("f").inode, files.stat("/tmp/d").inode, files.descriptors.numbers().length];
  };
  const first = story();
  files.reset();
  assertEquals([names(files, "."), names(files, "/tmp")], [[], []]);
  assertEquals([files.usage.workspace.bytes, files.usage.workspace.entries], [0, 0]);
  assertEquals([files.stat(".").links, files.stat(".").mode], [2, 0o040755]);
  assertEquals(files.descriptors.numbers(), [0, 1, 2]);
  assertEquals(story(), first);
  files.descriptors.write(1, bytesOf("x"));
  assertEquals(output[1], "x");
});

Deno.test("endRun: keeps /workspace, empties /tmp and closes all descriptors", () => {
  const { files } = testFiles();
  put(files, "f", "kept");
  put(files, "/tmp/f", "gone");
  files.open("f", { read: true });
  files.open("/tmp/f", { read: true });
  files.endRun();
  assertEquals([text(files, "f"), names(files, "/tmp")], ["kept", []]);
  assertEquals(files.usage.temporary.bytes, 0);
  assertEquals(files.descriptors.numbers(), [0, 1, 2]);
});

Deno.test("workspace: budgets and changes stay right through random operations", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const { files } = testFiles({ workspaceBytes: 2000, fileBytes: 1500, entries: 25 });
    const runner = new OperationRunner(files);
    for (const operation of randomOperations(seed, 500)) runner.run(operation);
    const before = new Map(files.exportWorkspace().map((entry) => [entry.path, entry]));
    const mark = files.mark();
    for (const operation of randomOperations(seed + 1000, 300)) runner.run(operation);
    const { created, updated, deleted } = files.changesSince(mark);
    for (const path of deleted) assertEquals(before.delete(path), true, `seed ${seed}: ${path}`);
    for (const entry of created) assertEquals(before.has(entry.path), false, `seed ${seed}`);
    for (const entry of updated) assertEquals(before.has(entry.path), true, `seed ${seed}`);
    for (const entry of [...created, ...updated]) before.set(entry.path, entry);
    const after = files.exportWorkspace();
    assertEquals(after, after.map((entry) => before.get(entry.path)), `seed ${seed}`);
    assertEquals(before.size, after.length, `seed ${seed}`);
    files.descriptors.closeAll();
    const [counted, shown] = budgets(files);
    assertEquals(counted, shown, `seed ${seed}`);
    files.importWorkspace(after);
    assertEquals(files.exportWorkspace(), after, `seed ${seed}`);
    assertEquals(budgets(files), [counted, shown], `seed ${seed}`);
  }
});
