import { assert, assertEquals } from "@std/assert";
import { errnoOf, names, put, testFiles } from "./support.ts";

const MIB = 1024 * 1024;

Deno.test("file limit: the last byte fits, the next is EFBIG and changes nothing", () => {
  const { files } = testFiles();
  const { descriptors } = files;
  put(files, "f", new Uint8Array(4 * MIB));
  const fd = files.open("f", { write: true });
  const before = descriptors.stat(fd);
  assertEquals(errnoOf(() => descriptors.writeAt(fd, Uint8Array.of(1), 4 * MIB)), "EFBIG");
  assertEquals(errnoOf(() => descriptors.writeAt(fd, new Uint8Array(2), 4 * MIB - 1)), "EFBIG");
  assertEquals(errnoOf(() => descriptors.truncate(fd, 4 * MIB + 1)), "EFBIG");
  assertEquals(errnoOf(() => files.truncate("f", Number.MAX_SAFE_INTEGER)), "EFBIG");
  descriptors.seek(fd, Number.MAX_SAFE_INTEGER, "start");
  assertEquals(errnoOf(() => descriptors.write(fd, Uint8Array.of(1))), "EFBIG");
  assertEquals(descriptors.stat(fd), before);
  descriptors.writeAt(fd, Uint8Array.of(1), 4 * MIB - 1);
});

Deno.test("workspace limit: ENOSPC at the exact byte, and removal frees space", () => {
  const { files } = testFiles();
  for (let i = 0; i < 4; i++) put(files, `f${i}`, new Uint8Array(4 * MIB));
  assertEquals(files.usage.workspace.bytes, 16 * MIB);
  const fd = files.open("g", { write: true, create: true });
  assertEquals(errnoOf(() => files.descriptors.write(fd, Uint8Array.of(1))), "ENOSPC");
  assertEquals(errnoOf(() => files.truncate("g", 1)), "ENOSPC");
  assertEquals(files.stat("g").size, 0);
  files.truncate("f0", 4 * MIB - 1);
  files.descriptors.write(fd, Uint8Array.of(1));
  assertEquals(errnoOf(() => files.descriptors.write(fd, Uint8Array.of(1))), "ENOSPC");
  files.removeFile("f1");
  files.descriptors.write(fd, new Uint8Array(2 * MIB));
  assertEquals(files.usage.workspace.bytes, 14 * MIB);
});

Deno.test("workspace limit: /tmp has its own limit", () => {
  const { files } = testFiles();
  for (let i = 0; i < 4; i++) put(files, `/tmp/f${i}`, new Uint8Array(4 * MIB));
  assertEquals(errnoOf(() => put(files, "/tmp/g", "x")), "ENOSPC");
  put(files, "/workspace/g", "x");
  assertEquals(files.usage.workspace.bytes, 1);
  assertEquals(files.usage.temporary.bytes, 16 * MIB);
});

Deno.test("workspace limit: an unlinked open file takes space until it is closed", () => {
  const { files } = testFiles({ workspaceBytes: 100, entries: 2 });
  const fd = files.open("f", { write: true, create: true });
  files.descriptors.write(fd, new Uint8Array(100));
  files.removeFile("f");
  assertEquals(files.usage.workspace, { bytes: 100, maxBytes: 100, entries: 1, maxEntries: 2 });
  assertEquals(errnoOf(() => put(files, "g", "x")), "ENOSPC");
  files.descriptors.close(fd);
  put(files, "g", new Uint8Array(100));
});

Deno.test("workspace limit: removed files hold no memory, even when a listing still names them", () => {
  const { files } = testFiles();
  put(files, "f", new Uint8Array(1000));
  const fd = files.open(".", { read: true });
  const [listed] = files.descriptors.entries(fd);
  files.removeFile("f");
  assert(listed?.kind === "file" && listed === files.descriptors.entries(fd)[0]);
  assertEquals([listed.content.size, files.usage.workspace.bytes], [0, 0]);
});

Deno.test("workspace limit: replacing a file by rename frees its space", () => {
  const { files } = testFiles();
  put(files, "old", new Uint8Array(1000));
  put(files, "new", new Uint8Array(10));
  files.rename("new", "old");
  const { bytes, entries } = files.usage.workspace;
  assertEquals([bytes, entries], [10, 1]);
});

Deno.test("entry limit: 4,096 files and directories, the root not counted", () => {
  const { files } = testFiles();
  files.makeDirectory("d");
  for (let i = 1; i < 4096; i++) files.makeDirectory(`d/${i}`);
  assertEquals(errnoOf(() => files.makeDirectory("e")), "ENOSPC");
  assertEquals(errnoOf(() => put(files, "e", "")), "ENOSPC");
  files.makeDirectory("/tmp/e");
  files.removeDirectory("d/7");
  put(files, "e", "");
  assertEquals(files.usage.workspace.entries, 4096);
});

Deno.test("name limit: 255 bytes of UTF-8", () => {
  const { files } = testFiles();
  put(files, "x".repeat(255), "");
  put(files, `${"é".repeat(127)}x`, "");
  assertEquals(errnoOf(() => put(files, "x".repeat(256), "")), "ENAMETOOLONG");
  assertEquals(errnoOf(() => put(files, "é".repeat(128), "")), "ENAMETOOLONG");
  assertEquals(errnoOf(() => files.stat("x".repeat(256))), "ENAMETOOLONG");
  assertEquals(errnoOf(() => files.stat(`missing/${"x".repeat(256)}`)), "ENOENT");
  put(files, "a", "");
  assertEquals(errnoOf(() => files.rename("a", "x".repeat(256))), "ENAMETOOLONG");
});

/** Makes nested directories whose path has the given number of bytes. Returns the path. */
function deepDirectory(files: ReturnType<typeof testFiles>["files"], bytes: number): string {
  let path = "/workspace";
  while (path.length < bytes) {
    const rest = bytes - path.length - 1;
    path += `/${"d".repeat(rest <= 100 ? rest : rest < 110 ? 50 : 100)}`;
    files.makeDirectory(path);
  }
  return path;
}

Deno.test("path limit: 1,024 bytes of the absolute path, however it is reached", () => {
  const { files } = testFiles();
  const deep = deepDirectory(files, 1020);
  assertEquals(deep.length, 1020);
  put(files, `${deep}/abc`, "x");
  assertEquals(errnoOf(() => put(files, `${deep}/abcd`, "x")), "ENAMETOOLONG");
  const base = files.directory(deep);
  put(files, "ab", "x");
  assertEquals(
    errnoOf(() => files.open("abcd", { write: true, create: true }, 0o644, base)),
    "ENAMETOOLONG",
  );
  assertEquals(errnoOf(() => files.makeDirectory("abcd", 0o755, base)), "ENAMETOOLONG");
  assertEquals(errnoOf(() => files.rename("ab", "abcd", files.workspace, base)), "ENAMETOOLONG");
  files.rename("ab", "xyz", files.workspace, base);
  assertEquals(names(files, deep), ["abc", "xyz"]);
});

Deno.test("path limit: renaming a directory may not push its contents beyond the limit", () => {
  const { files } = testFiles();
  const deep = deepDirectory(files, 1023);
  const [top = ""] = names(files, "/workspace");
  assertEquals(errnoOf(() => files.rename(top, `${top}12`)), "ENAMETOOLONG");
  files.rename(top, `${top}1`);
  files.rename(`${top}1`, "t");
  assertEquals(files.stat(deep.replace(top, "t")).kind, "directory");
});

Deno.test("descriptor limit: EMFILE, before anything is created or truncated", () => {
  const { files } = testFiles({ descriptors: 5 });
  put(files, "f", "content");
  files.open("f", { read: true });
  files.open("f", { read: true });
  assertEquals(errnoOf(() => put(files, "f", "")), "EMFILE");
  assertEquals(errnoOf(() => put(files, "g", "")), "EMFILE");
  assertEquals(errnoOf(() => files.descriptors.duplicate(3)), "EMFILE");
  assertEquals(errnoOf(() => files.descriptors.duplicateTo(3, 5)), "EMFILE");
  assertEquals([files.stat("f").size, names(files, ".")], [7, ["f"]]);
  files.descriptors.close(3);
  put(files, "g", "");
});
