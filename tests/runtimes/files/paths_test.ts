import { assertEquals, assertThrows } from "@std/assert";
import { pathOf } from "../../../runtimes/files/inode.ts";
import type { GuestFileSystem } from "../../../runtimes/files/guest_file_system.ts";
import { bytesOf, errnoOf, names, put, testFiles, text } from "./support.ts";

/** `/workspace`: a/b/f, a/g, empty; and read-only /lib/x/y.txt. */
function sampleFiles(): GuestFileSystem {
  const { files } = testFiles();
  files.addReadOnly([["/lib/x/y.txt", bytesOf("y")]], 5);
  for (const path of ["a", "a/b", "empty"]) files.makeDirectory(path);
  put(files, "a/b/f", "f");
  put(files, "a/g", "g");
  return files;
}

Deno.test("paths: resolve as on Linux", () => {
  const files = sampleFiles();
  const cases: [string, string][] = [
    ["a/g", "/workspace/a/g"],
    ["./a//b/../g", "/workspace/a/g"],
    ["a/b/", "/workspace/a/b"],
    ["..", "/"],
    ["../..", "/"],
    ["/../../workspace", "/workspace"],
    ["../lib/x/y.txt", "/lib/x/y.txt"],
    ["/tmp/../workspace/./a/.", "/workspace/a"],
  ];
  for (const [path, expected] of cases) assertEquals(pathOf(files.resolve(path)), expected, path);
  const refused: [string, string][] = [
    ["", "ENOENT"],
    ["missing", "ENOENT"],
    ["missing/../a", "ENOENT"],
    ["a/g/", "ENOTDIR"],
    ["a/g/.", "ENOTDIR"],
    ["a/g/..", "ENOTDIR"],
    ["a/g/x", "ENOTDIR"],
    ["A/g", "ENOENT"],
    ["/etc/passwd", "ENOENT"],
    ["/proc/self/environ", "ENOENT"],
    ["a\0b", "EINVAL"],
    ["\ud83d", "EILSEQ"],
  ];
  for (const [path, expected] of refused) {
    assertEquals(errnoOf(() => files.resolve(path)), expected, path);
  }
});

Deno.test("paths: a relative path starts at its base, an absolute one does not", () => {
  const files = sampleFiles();
  const base = files.directory("a");
  assertEquals(pathOf(files.resolve("b/f", base)), "/workspace/a/b/f");
  assertEquals(pathOf(files.resolve("../empty", base)), "/workspace/empty");
  assertEquals(pathOf(files.resolve("/tmp", base)), "/tmp");
  assertEquals(errnoOf(() => files.directory("a/g")), "ENOTDIR");
  files.rename("g", "h", base, files.directory("empty"));
  assertEquals(names(files, "empty"), ["h"]);
});

Deno.test("read-only parts: every write is EROFS, unless an existence error comes first", () => {
  const files = sampleFiles();
  const create = { write: true, create: true };
  const cases: [string, () => unknown][] = [
    ["EROFS", () => files.makeDirectory("/x")],
    ["EEXIST", () => files.makeDirectory("/lib")],
    ["EEXIST", () => files.makeDirectory("/")],
    ["EROFS", () => put(files, "/x", "")],
    ["EROFS", () => files.open("/lib/x/y.txt", { write: true })],
    ["EROFS", () => files.open("/lib/x/y.txt", { read: true, truncate: true })],
    ["EROFS", () => files.open("/lib/new", create)],
    ["EISDIR", () => files.open("/lib", create)],
    ["EEXIST", () => files.open("/lib/x/y.txt", { ...create, exclusive: true })],
    ["ok", () => files.open("/lib/x/y.txt", { read: true, create: true })],
    ["EROFS", () => files.truncate("/lib/x/y.txt", 0)],
    ["EROFS", () => files.removeFile("/lib/x/y.txt")],
    ["EROFS", () => files.removeDirectory("/lib")],
    ["EROFS", () => files.removeDirectory("/workspace")],
    ["EROFS", () => files.rename("/workspace", "/w")],
    ["EROFS", () => files.rename("/lib/x/y.txt", "/lib/z")],
    ["EXDEV", () => files.rename("a/g", "/lib/g")],
    ["EXDEV", () => files.rename("/lib/x/y.txt", "y")],
    ["EXDEV", () => files.rename("a/g", "/tmp/g")],
    ["EROFS", () => files.setTime("/lib/x/y.txt", 1)],
    ["EROFS", () => files.setMode("/lib", 0o777)],
    ["EROFS", () => files.access("/lib", { write: true })],
    ["ok", () => files.access("/lib", { read: true, execute: true })],
    ["EACCES", () => files.access("/lib/x/y.txt", { execute: true })],
    ["EBUSY", () => files.removeDirectory("/")],
    ["EBUSY", () => files.rename("/", "/lib")],
    ["EISDIR", () => files.removeFile("/")],
  ];
  for (const [expected, operation] of cases) {
    assertEquals(errnoOf(operation), expected, `${operation}`);
  }
  assertEquals(text(files, "/lib/x/y.txt"), "y");
  assertEquals([names(files, "/"), names(files, "/lib")], [["dev", "lib", "tmp", "workspace"], [
    "x",
  ]]);
  assertEquals(files.stat("/lib/x").mtimeMs, 5);
});

Deno.test("read-only parts: a boot adds them where the path is free", () => {
  const { files } = testFiles();
  for (const path of ["/workspace/x", "/tmp/x/y", "/dev", "/dev/null", "relative", "/"]) {
    assertThrows(
      () => files.addReadOnly([[path, bytesOf("")]]),
      TypeError,
      "the place is not free",
    );
  }
  assertEquals([names(files, "/workspace"), names(files, "/tmp")], [[], []]);
});

Deno.test("open: rejects incompatible flags, and entries that are not files", () => {
  const files = sampleFiles();
  const cases: [string, () => unknown][] = [
    ["EINVAL", () => files.open("d", { read: true, create: true, directory: true })],
    ["ENOTDIR", () => files.open("a/g", { read: true, directory: true })],
    ["EISDIR", () => files.open("a", { write: true })],
    ["EISDIR", () => files.open("a", { read: true, truncate: true })],
    ["EISDIR", () => files.open("a/b/.", { write: true, create: true })],
    ["EEXIST", () => files.open("a/b/..", { write: true, create: true, exclusive: true })],
    ["EISDIR", () => files.open("new/", { write: true, create: true })],
    ["ok", () => files.open("a/", { read: true, directory: true })],
    ["EINVAL", () => files.truncate("a/g", -1)],
    ["EINVAL", () => files.truncate("a/g", 0.5)],
    ["EINVAL", () => files.truncate("/dev/null", 0)],
    ["EISDIR", () => files.truncate("a", 0)],
    ["EINVAL", () => files.setTime("a/g", Infinity)],
  ];
  for (const [expected, operation] of cases) {
    assertEquals(errnoOf(operation), expected, `${operation}`);
  }
});

Deno.test("stat: kinds, links, modes, times and numbers", () => {
  const files = sampleFiles();
  const file = files.stat("a/g");
  assertEquals([file.kind, file.mode, file.links, file.size, file.device], [
    "file",
    0o100644,
    1,
    1,
    2,
  ]);
  const directory = files.stat("a");
  assertEquals([directory.mode, directory.links, directory.size], [0o040755, 3, 4096]);
  assertEquals([files.stat("/").device, files.stat("/tmp").device], [1, 3]);
  assertEquals(files.stat("/dev/null").mode, 0o020666);
  const numbers = ["/", "/tmp", "/dev", ".", "a", "a/b", "a/g"].map((path) =>
    files.stat(path).inode
  );
  assertEquals(new Set(numbers).size, numbers.length);
});

Deno.test("times: writing, adding and removing change the time; reading and renaming do not", () => {
  const files = sampleFiles();
  const time = (path: string) => files.stat(path).mtimeMs;
  const [file, directory] = [time("a/g"), time("a")];
  text(files, "a/g");
  files.entries("a");
  files.access("a/g", { read: true });
  files.setMode("a/g", 0o600);
  assertEquals([time("a/g"), time("a")], [file, directory]);
  files.rename("a/g", "a/h");
  assertEquals([time("a/h") === file, time("a") > directory], [true, true]);
  const renamed = time("a");
  put(files, "a/h", "changed");
  assertEquals([time("a/h") > file, time("a") === renamed], [true, true]);
  files.removeFile("a/h");
  assertEquals(time("a") > renamed, true);
  files.setTime("a/b/f", 1.5);
  assertEquals(time("a/b/f"), 1.5);
});

Deno.test("modes: are kept and shown, forbid nothing, and end with the run", () => {
  const files = sampleFiles();
  files.setMode("a/g", 0o400);
  files.setMode("a", 0);
  put(files, "a/g", "still");
  files.makeDirectory("private", 0o700);
  files.setMode("a/g", 0o100755);
  files.access("a/g", { execute: true });
  assertEquals([files.stat("a/g").mode, files.stat("private").mode], [0o100755, 0o040700]);
  files.endRun();
  assertEquals([files.stat("a/g").mode, files.stat("private").mode], [0o100644, 0o040755]);
});

Deno.test("names: paths are case-sensitive, not normalised, and sorted by code points", () => {
  const { files } = testFiles();
  for (const name of ["b", "\uff5e", "a", "𝒳", "e\u0301", "é", "B", "é".normalize("NFD") + "x"]) {
    put(files, name, "");
  }
  assertEquals(names(files, "."), ["B", "a", "b", "e\u0301", "e\u0301x", "é", "\uff5e", "𝒳"]);
});

Deno.test("tree: the names . and .. cannot be created, removed or renamed", () => {
  const files = sampleFiles();
  const { tree, workspace } = files;
  for (const name of [".", "..", "", "a/b"]) {
    const operations = [
      () => tree.createFile(workspace, name),
      () => tree.makeDirectory(workspace, name),
      () => tree.removeFile(workspace, name),
      () => tree.removeDirectory(workspace, name),
      () => tree.rename(workspace, name, workspace, "x"),
      () => tree.rename(workspace, "a", workspace, name),
    ];
    for (const operation of operations) assertEquals(errnoOf(operation), "EINVAL", `${operation}`);
  }
  assertEquals(names(files, "."), ["a", "empty"]);
});

Deno.test("paths: a directory that is left out of listings is found by its path", () => {
  const files = sampleFiles();
  assertEquals(names(files, "/"), ["dev", "lib", "tmp", "workspace"]);
  files.unlist("lib");
  files.unlist("none");
  assertEquals(names(files, "/"), ["dev", "tmp", "workspace"]);
  assertEquals([text(files, "/lib/x/y.txt"), names(files, "/lib")], ["y", ["x"]]);
  assertEquals(errnoOf(() => files.makeDirectory("/lib")), "EEXIST");
});
