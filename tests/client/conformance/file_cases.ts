/** `sandbox.files`, `info` and `destroy`: additions to the contract's section A. */
import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import {
  FileExistsError,
  FileNotFoundError,
  FileSystemError,
  FileTooLargeError,
  getSandbox,
  PermissionDeniedError,
  SandboxError,
  ValidationFailedError,
} from "../../../client/mod.ts";
import { type ConformanceCase, inSandbox } from "./case.ts";

const BYTES = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);

/** Cases about files, information and deletion. */
export const FILE_CASES: readonly ConformanceCase[] = [
  inSandbox("files: text and bytes come back as they were", async ({ files }) => {
    await files.write("a.txt", "grüße 🌍\n");
    assertEquals(await files.read("/workspace/a.txt"), "grüße 🌍\n");
    await files.write("b.bin", BYTES);
    assertEquals(await files.readBytes("b.bin"), BYTES);
    await files.write("b.bin", "");
    assertEquals((await files.readBytes("b.bin")).length, 0);
  }),
  inSandbox("files: bytes that are no UTF-8 are read as U+FFFD", async ({ files }) => {
    await files.write("bad.txt", Uint8Array.of(0x61, 0xff));
    assertEquals(await files.read("bad.txt"), "a\ufffd");
  }),
  inSandbox("files: what is uploaded is downloaded, under any name", async ({ files }) => {
    const names = ["a.bin", "/workspace/b", "x/y/c.txt", "a b/grüße?#%2F&=.txt", "./d", "a//../e"];
    for (const name of names) {
      await files.upload(name, BYTES);
      assertEquals(await files.download(name), BYTES);
      assertEquals(await files.readBytes(name), BYTES);
    }
    await files.upload("text", "grüße 🌍");
    assertEquals(await files.read("text"), "grüße 🌍");
    await files.upload("text", new Blob([BYTES]).stream());
    assertEquals(await files.download("text"), BYTES);
    await files.upload("text", "");
    assertEquals((await files.download("text")).length, 0);
  }),
  inSandbox("files: a download as a stream; one that is left does no harm", async ({ files }) => {
    await files.upload("a", BYTES);
    const whole = await new Response(await files.downloadStream("a")).arrayBuffer();
    assertEquals(new Uint8Array(whole), BYTES);
    const left = await files.downloadStream("a");
    await left.cancel();
    await assertRejects(() => files.downloadStream("missing"), FileNotFoundError);
  }),
  inSandbox("files: uploads and downloads have the errors of all calls", async ({ files }) => {
    await files.mkdir("dir");
    const isDirectory = () => files.download("dir");
    assertEquals((await assertRejects(isDirectory, FileSystemError)).code, "IS_DIRECTORY");
    for (const path of ["/etc/passwd", "../x", "..", "/workspace/../../x"]) {
      await assertRejects(() => files.download(path), PermissionDeniedError);
      await assertRejects(() => files.upload(path, "x"), PermissionDeniedError);
    }
    const missing = await assertRejects(() => files.download("missing"), FileNotFoundError);
    assertEquals([missing.operation, missing.context["errno"]], ["file.read", "ENOENT"]);
    const tooLarge = () => files.upload("big", new Uint8Array(4 * 1024 * 1024 + 1));
    assertEquals((await assertRejects(tooLarge, FileTooLargeError)).operation, "file.write");
  }),
  inSandbox("files: an upload can be for new files only", async ({ files }) => {
    await files.upload("a", "1", { ifNoneMatch: "*" });
    const again = () => files.upload("a", "2", { ifNoneMatch: "*" });
    const error = await assertRejects(again, SandboxError);
    assertEquals([error.code, error.httpStatus], ["PRECONDITION_FAILED", 412]);
    assertEquals(await files.read("a"), "1");
  }),
  inSandbox("files: mkdir, and missing parents only with recursive", async ({ files }) => {
    await assertRejects(() => files.write("x/y.txt", "1"), FileNotFoundError);
    await files.write("x/y.txt", "1", { recursive: true });
    await assertRejects(() => files.mkdir("x"), FileExistsError);
    await files.mkdir("x", { recursive: true });
    await files.mkdir("p/q/r", { recursive: true });
    assertEquals((await files.stat("p/q/r")).type, "directory");
  }),
  inSandbox("files: delete, with recursive and force", async ({ files }) => {
    await files.write("d/e.txt", "1", { recursive: true });
    const error = await assertRejects(() => files.delete("d"), FileSystemError);
    assertEquals(error.code, "IS_DIRECTORY");
    await files.delete("d", { recursive: true });
    assertEquals(await files.exists("d/e.txt"), false);
    await assertRejects(() => files.delete("d"), FileNotFoundError);
    await files.delete("d", { force: true });
  }),
  inSandbox("files: rename and move", async ({ files }) => {
    await files.write("one", "1");
    await files.rename("one", "two");
    await files.move("two", "three");
    assertEquals([await files.exists("one"), await files.exists("two")], [false, false]);
    assertEquals(await files.read("three"), "1");
  }),
  inSandbox("files: list and stat give FileInfo with dates", async ({ files }) => {
    await files.write("dir/b.txt", "22", { recursive: true });
    await files.write("dir/.hidden", "");
    await files.write("a.txt", "1");
    const paths = async (...args: Parameters<typeof files.list>) => {
      return (await files.list(...args)).map(({ absolutePath }) => absolutePath);
    };
    assertEquals(await paths(), ["/workspace/a.txt", "/workspace/dir"]);
    assertEquals(await paths("dir", { includeHidden: true }), [
      "/workspace/dir/.hidden",
      "/workspace/dir/b.txt",
    ]);
    assertEquals((await paths("/workspace", { recursive: true })).length, 3);
    const stat = await files.stat("dir/b.txt");
    assertEquals([stat.name, stat.type, stat.size, stat.mode], ["b.txt", "file", 2, "-rw-r--r--"]);
    assertInstanceOf(stat.modifiedAt, Date);
    assertEquals(stat.permissions.readable, true);
  }),
  inSandbox("files: errors have the path, the operation and the errno", async ({ files }) => {
    const error = await assertRejects(() => files.read("missing"), FileNotFoundError);
    assertInstanceOf(error, FileSystemError);
    assertEquals([error.code, error.httpStatus, error.operation], [
      "FILE_NOT_FOUND",
      404,
      "file.read",
    ]);
    assertEquals(error.context["errno"], "ENOENT");
    assert(!Number.isNaN(Date.parse(error.timestamp)));
    assertEquals(error.retryable, false);
  }),
  inSandbox("files: nothing outside /workspace, not even exists", async ({ files }) => {
    for (const path of ["/etc/passwd", "../x", "/workspace/../../x"]) {
      await assertRejects(() => files.exists(path), PermissionDeniedError);
    }
  }),
  inSandbox("files: a file over 4 MiB is a FileTooLargeError", async ({ files }) => {
    const error = await assertRejects(
      () => files.write("big", new Uint8Array(4 * 1024 * 1024 + 1)),
      FileTooLargeError,
    );
    assertEquals(error.httpStatus, 413);
  }),
  inSandbox("files: many calls at once, all with one signal", async ({ files }) => {
    const { signal } = new AbortController();
    const names = Array.from({ length: 20 }, (_, index) => `${10 + index}.txt`);
    await Promise.all(names.map((name) => files.write(name, name, { signal })));
    const texts = await Promise.all(names.map((name) => files.read(name, { signal })));
    assertEquals(texts, names);
  }),
  inSandbox("files: an empty path is refused", async ({ files }) => {
    assertEquals(
      (await assertRejects(() => files.read(""), ValidationFailedError)).message,
      "path must not be empty",
    );
  }),
  inSandbox("info: what the sandbox tells of itself", async (sandbox) => {
    await sandbox.files.write("a", "123");
    const info = await sandbox.info();
    assertEquals(info.id, sandbox.id);
    assertInstanceOf(info.createdAt, Date);
    assertEquals(info.workspace, { files: 1, bytes: 3 });
    assertEquals(info.contexts, []);
  }),
  inSandbox("destroy: all is gone, and the name can be used anew", async (sandbox) => {
    await sandbox.files.write("a", "123");
    await sandbox.interpreter.createCodeContext({ binding: "JAVASCRIPT" });
    assertEquals(await sandbox.destroy(), undefined);
    const info = await sandbox.info();
    assertEquals([info.createdAt, info.lastUsed, info.contexts.length], [null, null, 0]);
    assertEquals(await sandbox.files.exists("a"), false);
  }),
  inSandbox("dispose: an ephemeral sandbox is deleted, another is not", async (sandbox, env) => {
    await sandbox.files.write("kept", "1");
    const lasting = getSandbox(env.Sandbox, sandbox.id);
    assertEquals(await lasting.files.read("kept"), "1");
    await lasting[Symbol.asyncDispose]();
    assertEquals(await sandbox.files.exists("kept"), true);
    const passing = getSandbox(env.Sandbox, sandbox.id, { ephemeral: true });
    assertEquals(await passing.files.read("kept"), "1");
    await passing[Symbol.asyncDispose]();
    assertEquals(await sandbox.files.exists("kept"), false);
  }),
];
