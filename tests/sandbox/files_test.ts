import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { type Body, Caller, sandboxProcess, withStore } from "./fixture.ts";

const MIB = 1024 * 1024;

function withBox(work: (box: Caller) => Promise<void>): () => Promise<void> {
  return () => withStore((store) => work(new Caller(sandboxProcess(store))));
}

/** Expects an operation to fail. Returns the error. */
async function fails(
  box: Caller,
  [status, code, errno]: readonly [number, string, string],
  op: string,
  path: string,
  fields: Body = {},
): Promise<Body> {
  const error = await box.fails(status, code, "POST", "/files", { op, path, ...fields });
  const { context } = error;
  assert(typeof context === "object" && context !== null);
  assertEquals({ ...context, maxSize: 0, actualSize: 0 }, {
    path,
    operation: op,
    errno,
    maxSize: 0,
    actualSize: 0,
  });
  assertEquals(error["operation"], `file.${op}`);
  return { ...context };
}

const MISSING = [404, "FILE_NOT_FOUND", "ENOENT"] as const;
const DENIED = [403, "PERMISSION_DENIED", "EACCES"] as const;
const EXISTS = [409, "FILE_EXISTS", "EEXIST"] as const;
const IS_DIRECTORY = [400, "IS_DIRECTORY", "EISDIR"] as const;
const NOT_DIRECTORY = [400, "NOT_DIRECTORY", "ENOTDIR"] as const;
const NOT_EMPTY = [400, "FILESYSTEM_ERROR", "ENOTEMPTY"] as const;
const INVALID = [400, "FILESYSTEM_ERROR", "EINVAL"] as const;
const TOO_LONG = [400, "FILESYSTEM_ERROR", "ENAMETOOLONG"] as const;
const TOO_LARGE = [413, "FILE_TOO_LARGE", "EFBIG"] as const;
const NO_SPACE = [507, "NO_SPACE", "ENOSPC"] as const;

Deno.test(
  "files: write and read text and bytes",
  withBox(async (box) => {
    const written = await box.file("write", "./a/../note.txt", { content: "grüß\n" });
    const { timestamp, ...rest } = written;
    assertEquals(rest, { success: true, path: "/workspace/note.txt" });
    assertMatch(String(timestamp), /^\d{4}-.*Z$/);
    const read = await box.file("read", "note.txt");
    assertEquals({ ...read, timestamp: "" }, {
      success: true,
      path: "/workspace/note.txt",
      timestamp: "",
      content: "grüß\n",
      encoding: "utf-8",
      isBinary: false,
      mimeType: "text/plain",
      size: 7,
    });
    const asBytes = await box.file("read", "/workspace/note.txt", { encoding: "base64" });
    assertEquals([asBytes["content"], asBytes["encoding"], asBytes["isBinary"]], [
      Buffer.from("grüß\n").toString("base64"),
      "base64",
      false,
    ]);
    await box.file("write", "bin", { content: "/wD+", encoding: "base64" });
    const binary = await box.file("read", "bin");
    assertEquals(
      [binary["content"], binary["encoding"], binary["isBinary"], binary["mimeType"]],
      ["/wD+", "base64", true, "application/octet-stream"],
    );
    const forced = await box.file("read", "bin", { encoding: "utf-8" });
    assertEquals([forced["content"], forced["isBinary"]], ["\ufffd\0\ufffd", true]);
    await box.file("write", "bom.ts", { content: "\ufeffx" });
    const bom = await box.file("read", "bom.ts");
    assertEquals([bom["content"], bom["mimeType"]], ["\ufeffx", "text/typescript"]);
    await box.file("write", "e.json", { content: "" });
    const empty = await box.file("read", "e.json");
    assertEquals([empty["content"], empty["size"], empty["mimeType"]], ["", 0, "application/json"]);
    await box.file("write", "note.txt", { content: "new" });
    assertEquals(await box.text("note.txt"), "new");
  }),
);

Deno.test(
  "files: invalid bodies are refused",
  withBox(async (box) => {
    const refused = async (body: unknown, status = 400) =>
      String((await box.fails(status, "VALIDATION_FAILED", "POST", "/files", body))["message"]);
    assertMatch(await refused({ path: "a" }), /^op must be one of read, /);
    assertMatch(await refused({ op: "chmod", path: "a" }), /^op must be one of/);
    assertMatch(await refused({ op: "read" }), /^path must be a string/);
    assertMatch(await refused({ op: "read", path: "" }), /^path must not be empty/);
    assertMatch(await refused({ op: "read", path: 1 }), /^path must be a string/);
    assertMatch(await refused({ op: "write", path: "a" }), /^content must be a string/);
    assertMatch(await refused({ op: "write", path: "a", content: 1 }), /^content must be/);
    assertMatch(await refused({ op: "rename", path: "a" }), /^newPath must be a string/);
    assertMatch(await refused({ op: "move", path: "a", newPath: "" }), /^newPath must not/);
    assertMatch(await refused({ op: "read", path: "a", encoding: "latin1" }), /^encoding must be/);
    assertMatch(await refused({ op: "mkdir", path: "a", recursive: 1 }), /^recursive must be/);
    for (const content of ["a", "a===", "ab=c", "YQ==\n", "-_-_"]) {
      const body = { op: "write", path: "a", content, encoding: "base64" };
      assertMatch(await refused(body), /^content is not valid base64/);
    }
    assertMatch(await refused({ op: "write", path: "a", content: "\ud800" }), /surrogate/);
    const large = { op: "write", path: "a", content: "x".repeat(6 * MIB) };
    assertMatch(await refused(large, 413), /larger than 6291456 bytes/);
    assertEquals((await box.ok("GET", "/"))["createdAt"], null);
  }),
);

Deno.test(
  "files: paths that leave the workspace, are too long or are not text are refused",
  withBox(async (box) => {
    for (const op of ["read", "exists", "stat", "list", "delete", "mkdir"]) {
      for (const path of ["..", "/", "/etc/passwd", "a/../../b", "/workspacex", "/workspace/.."]) {
        await fails(box, DENIED, op, path);
      }
      await fails(box, INVALID, op, "a\0b");
      await fails(box, [400, "FILESYSTEM_ERROR", "EILSEQ"], op, "a\ud800b");
      await fails(box, TOO_LONG, op, "é".repeat(128));
      await fails(box, TOO_LONG, op, "a/".repeat(508));
    }
    await fails(box, DENIED, "rename", "a", { newPath: "../b" });
    await box.file("write", "a/../../workspace/in", { content: "" });
    const name = "n".repeat(255);
    await box.file("write", name, { content: "longest name" });
    assertEquals(await box.text(name), "longest name");
    const path = `${"d/".repeat(500)}${"x".repeat(13)}`;
    await box.file("write", path, { content: "longest path", recursive: true });
    await fails(box, TOO_LONG, "write", `${path}x`, { content: "" });
    await fails(box, TOO_LONG, "rename", "d", { newPath: "dd" });
  }),
);

Deno.test(
  "files: names are kept as given; composed and decomposed forms are distinct",
  withBox(async (box) => {
    await box.file("write", "\u00e9", { content: "composed" });
    await box.file("write", "e\u0301", { content: "decomposed" });
    await box.file("write", "\ufe0f", { content: "" });
    await box.file("write", "\u{1f600}", { content: "" });
    await box.file("write", "A", { content: "" });
    assertEquals(await box.text("\u00e9"), "composed");
    assertEquals(await box.text("e\u0301"), "decomposed");
    assertEquals(await box.paths(), [
      "/workspace/A",
      "/workspace/e\u0301",
      "/workspace/\u00e9",
      "/workspace/\ufe0f",
      "/workspace/\u{1f600}",
    ]);
  }),
);

Deno.test(
  "files: write",
  withBox(async (box) => {
    await box.file("mkdir", "d");
    await box.file("write", "f", { content: "" });
    await fails(box, IS_DIRECTORY, "write", "d", { content: "" });
    await fails(box, IS_DIRECTORY, "write", ".", { content: "" });
    await fails(box, IS_DIRECTORY, "write", "new/", { content: "" });
    await fails(box, MISSING, "write", "x/y", { content: "" });
    await fails(box, NOT_DIRECTORY, "write", "f/y", { content: "" });
    await fails(box, NOT_DIRECTORY, "write", "f/y/z", { content: "", recursive: true });
    await box.file("write", "x/y/z", { content: "deep", recursive: true });
    assertEquals(await box.paths(), ["d", "f", "x", "x/y", "x/y/z"].map((p) => `/workspace/${p}`));
  }),
);

Deno.test(
  "files: mkdir",
  withBox(async (box) => {
    assertEquals((await box.file("mkdir", "a"))["recursive"], false);
    await fails(box, EXISTS, "mkdir", "a");
    await fails(box, EXISTS, "mkdir", "/workspace");
    assertEquals((await box.file("mkdir", "a", { recursive: true }))["recursive"], true);
    await fails(box, MISSING, "mkdir", "b/c");
    await box.file("mkdir", "b/c/d/", { recursive: true });
    await box.file("write", "f", { content: "" });
    await fails(box, EXISTS, "mkdir", "f", { recursive: true });
    await fails(box, NOT_DIRECTORY, "mkdir", "f/a", { recursive: true });
    assertEquals(await box.paths(), [
      "/workspace/a",
      "/workspace/b",
      "/workspace/b/c",
      "/workspace/b/c/d",
      "/workspace/f",
    ]);
  }),
);

Deno.test(
  "files: delete",
  withBox(async (box) => {
    await fails(box, MISSING, "delete", "none");
    await box.file("delete", "none", { force: true });
    await fails(box, DENIED, "delete", ".", { recursive: true, force: true });
    await box.file("write", "d/e/f", { content: "", recursive: true });
    await box.file("write", "de", { content: "" });
    await fails(box, IS_DIRECTORY, "delete", "d");
    await fails(box, NOT_DIRECTORY, "delete", "de/");
    await fails(box, NOT_DIRECTORY, "delete", "de/x");
    await box.file("delete", "de/x", { force: true });
    await box.file("delete", "d", { recursive: true });
    assertEquals(await box.paths(), ["/workspace/de"]);
    await box.file("delete", "de");
    assertEquals(await box.paths(), []);
  }),
);

Deno.test(
  "files: rename and move",
  withBox(async (box) => {
    await fails(box, MISSING, "rename", "none", { newPath: "other" });
    await box.file("write", "d/e/f", { content: "f", recursive: true });
    await box.file("write", "g", { content: "g" });
    await box.file("mkdir", "empty");
    const moved = await box.file("move", "g", { newPath: "./h" });
    assertEquals([moved["path"], moved["newPath"]], ["/workspace/g", "/workspace/h"]);
    await box.file("write", "g", { content: "second" });
    await box.file("rename", "g", { newPath: "h" });
    assertEquals(await box.text("h"), "second");
    await fails(box, MISSING, "rename", "h", { newPath: "none/h" });
    const { message } = await box.fails(404, "FILE_NOT_FOUND", "POST", "/files", {
      op: "move",
      path: "h",
      newPath: "none/h",
    });
    assertEquals(message, "ENOENT: no such file or directory, move 'h' -> 'none/h'");
    await fails(box, NOT_DIRECTORY, "rename", "d", { newPath: "h/x" });
    await fails(box, IS_DIRECTORY, "rename", "h", { newPath: "empty" });
    await fails(box, NOT_DIRECTORY, "rename", "d", { newPath: "h" });
    await fails(box, NOT_EMPTY, "rename", "empty", { newPath: "d" });
    await fails(box, INVALID, "rename", "d", { newPath: "d/e/x" });
    await fails(box, DENIED, "rename", ".", { newPath: "x" });
    await fails(box, IS_DIRECTORY, "rename", "h", { newPath: "." });
    await fails(box, NOT_EMPTY, "rename", "d", { newPath: "/workspace" });
    await box.file("rename", "d", { newPath: "d" });
    await box.file("rename", "h", { newPath: "h" });
    await box.file("rename", "d", { newPath: "empty" });
    assertEquals(await box.paths(), [
      "/workspace/empty",
      "/workspace/empty/e",
      "/workspace/empty/e/f",
      "/workspace/h",
    ]);
    assertEquals(await box.text("empty/e/f"), "f");
  }),
);

Deno.test(
  "files: list, exists and stat",
  withBox(async (box) => {
    assertEquals((await box.file("list", "."))["count"], 0);
    await fails(box, MISSING, "list", "none");
    await fails(box, MISSING, "stat", "none");
    assertEquals((await box.ok("GET", "/"))["createdAt"], null);
    for (const path of ["b", "a/x", "a/.git/config", ".env", "a-"]) {
      await box.file("write", path, { content: path, recursive: true });
    }
    await fails(box, NOT_DIRECTORY, "list", "b");
    await fails(box, NOT_DIRECTORY, "list", "b/c");
    const names = async (path: string, fields: Body = {}) => {
      const { files, count } = await box.file("list", path, fields);
      assert(Array.isArray(files) && files.length === count);
      return files.map((file) => file.relativePath);
    };
    assertEquals(await names("."), ["a", "a-", "b"]);
    assertEquals(await names("/workspace", { recursive: true }), ["a", "a-", "a/x", "b"]);
    assertEquals(await names("a", { recursive: true, includeHidden: true }), [
      ".git",
      ".git/config",
      "x",
    ]);
    assertEquals(await names("a/.git"), ["config"]);
    assertEquals(await names(".", { includeHidden: true }), [".env", "a", "a-", "b"]);
    const exists = async (path: string) => (await box.file("exists", path))["exists"];
    assertEquals(
      await Promise.all(["a", "a/", "b", "b/", "b/c", "no", "."].map(exists)),
      [true, true, true, false, false, false, true],
    );
    const { file } = await box.file("stat", "a/x");
    assert(typeof file === "object" && file !== null && "modifiedAt" in file);
    assertEquals({ ...file, modifiedAt: "" }, {
      name: "x",
      absolutePath: "/workspace/a/x",
      relativePath: "a/x",
      type: "file",
      size: 3,
      modifiedAt: "",
      mode: "-rw-r--r--",
      permissions: { readable: true, writable: true, executable: false },
    });
    assertMatch(String(file.modifiedAt), /^\d{4}-.*Z$/);
    const root = (await box.file("stat", "."))["file"];
    assert(typeof root === "object" && root !== null && "modifiedAt" in root);
    assertEquals({ ...root, modifiedAt: "" }, {
      name: "workspace",
      absolutePath: "/workspace",
      relativePath: ".",
      type: "directory",
      size: 4096,
      modifiedAt: "",
      mode: "drwxr-xr-x",
      permissions: { readable: true, writable: true, executable: true },
    });
    await fails(box, IS_DIRECTORY, "read", "a");
    await fails(box, IS_DIRECTORY, "read", ".");
    await fails(box, NOT_DIRECTORY, "read", "b/");
    await fails(box, NOT_DIRECTORY, "stat", "b/c");
  }),
);

Deno.test(
  "files: the limits of a workspace",
  withBox(async (box) => {
    const content = Buffer.alloc(4 * MIB).toString("base64");
    const write = (path: string) => box.file("write", path, { content, encoding: "base64" });
    for (const path of ["1", "2", "3", "4"]) await write(path);
    const over = Buffer.alloc(4 * MIB + 1).toString("base64");
    const sizes = await fails(box, TOO_LARGE, "write", "1", { content: over, encoding: "base64" });
    assertEquals([sizes["maxSize"], sizes["actualSize"]], [4 * MIB, 4 * MIB + 1]);
    const full = await fails(box, NO_SPACE, "write", "5", { content: "x" });
    assertEquals([full["maxSize"], full["actualSize"]], [16 * MIB, 16 * MIB + 1]);
    await box.file("write", "5", { content: "" });
    await write("4");
    assertEquals((await box.ok("GET", "/"))["workspace"], { files: 5, bytes: 16 * MIB });
    await box.file("write", "1", { content: "small" });
    assertEquals((await box.ok("GET", "/"))["workspace"], { files: 5, bytes: 12 * MIB + 5 });
  }),
);
