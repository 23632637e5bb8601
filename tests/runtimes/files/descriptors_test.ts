import { assertEquals, assertStrictEquals } from "@std/assert";
import { createGuestFileSystem } from "../../../runtimes/files/memory_file_system.ts";
import { bytesOf, errnoOf, names, put, testFiles, text } from "./support.ts";

const READ_WRITE = { read: true, write: true };

function read(files: ReturnType<typeof testFiles>["files"], fd: number, length = 100): string {
  const into = new Uint8Array(length);
  return new TextDecoder().decode(into.subarray(0, files.descriptors.read(fd, into)));
}

Deno.test("descriptors: the lowest free number is assigned", () => {
  const { files } = testFiles();
  put(files, "f", "");
  const open = () => files.open("f", { read: true });
  assertEquals([open(), open(), open()], [3, 4, 5]);
  files.descriptors.close(4);
  files.descriptors.close(0);
  assertEquals([open(), open(), open()], [0, 4, 6]);
  assertEquals(files.descriptors.numbers(), [0, 1, 2, 3, 4, 5, 6]);
});

Deno.test("descriptors: a number that is not open is EBADF", () => {
  const { files } = testFiles();
  const { descriptors } = files;
  const one = new Uint8Array(1);
  for (const fd of [3, -1, 1.5, NaN, 1e9]) {
    const operations = [
      () => descriptors.close(fd),
      () => descriptors.read(fd, one),
      () => descriptors.readAt(fd, one, 0),
      () => descriptors.write(fd, one),
      () => descriptors.writeAt(fd, one, 0),
      () => descriptors.seek(fd, 0, "start"),
      () => descriptors.stat(fd),
      () => descriptors.truncate(fd, 0),
      () => descriptors.duplicate(fd),
      () => descriptors.duplicateTo(fd, 1),
      () => descriptors.directory(fd),
      () => descriptors.entries(fd),
    ];
    for (const operation of operations) assertEquals(errnoOf(operation), "EBADF", `${operation}`);
  }
  assertEquals(errnoOf(() => descriptors.duplicateTo(1, -1)), "EBADF");
  assertEquals(errnoOf(() => descriptors.duplicate(1, -1)), "EINVAL");
});

Deno.test("descriptors: reading and writing need the right", () => {
  const { files } = testFiles();
  put(files, "f", "x");
  const reader = files.open("f", { read: true });
  const writer = files.open("f", { write: true });
  const { descriptors } = files;
  assertEquals(errnoOf(() => descriptors.write(reader, bytesOf("y"))), "EBADF");
  assertEquals(errnoOf(() => descriptors.read(writer, new Uint8Array(1))), "EBADF");
  assertEquals(errnoOf(() => descriptors.truncate(reader, 0)), "EINVAL");
});

Deno.test("descriptors: each has a position, duplicates share one", () => {
  const { files } = testFiles();
  const { descriptors } = files;
  put(files, "f", "0123456789");
  const a = files.open("f", READ_WRITE);
  const b = files.open("f", READ_WRITE);
  const c = descriptors.duplicate(a);
  assertEquals([read(files, a, 3), read(files, b, 2), read(files, c, 2)], ["012", "01", "34"]);
  descriptors.close(a);
  assertEquals(read(files, c, 1), "5");
  descriptors.write(c, bytesOf("X"));
  assertEquals(text(files, "f"), "012345X789");
  assertEquals(descriptors.duplicate(c, 20), 20);
});

Deno.test("descriptors: duplicateTo closes the target, and does nothing onto itself", () => {
  const { files } = testFiles();
  const { descriptors } = files;
  put(files, "f", "abc");
  const a = files.open("f", { read: true });
  const b = files.open("f", { read: true });
  files.removeFile("f");
  descriptors.duplicateTo(a, a);
  descriptors.duplicateTo(a, b);
  descriptors.close(a);
  assertEquals(read(files, b), "abc");
  descriptors.close(b);
  assertEquals(files.usage.workspace.bytes, 0);
});

Deno.test("descriptors: seek moves from start, position and end, past the end too", () => {
  const { files } = testFiles();
  const { descriptors } = files;
  put(files, "f", "0123456789");
  const fd = files.open("f", READ_WRITE);
  assertEquals(descriptors.seek(fd, 4, "start"), 4);
  assertEquals(descriptors.seek(fd, -1, "current"), 3);
  assertEquals(descriptors.seek(fd, -2, "end"), 8);
  assertEquals(errnoOf(() => descriptors.seek(fd, -11, "end")), "EINVAL");
  assertEquals(errnoOf(() => descriptors.seek(fd, NaN, "start")), "EINVAL");
  assertEquals(errnoOf(() => descriptors.seek(fd, Number.MAX_SAFE_INTEGER, "end")), "EINVAL");
  assertEquals(descriptors.seek(fd, 0, "current"), 8);
  assertEquals(descriptors.seek(fd, 3, "end"), 13);
  assertEquals(read(files, fd), "");
  descriptors.write(fd, bytesOf("!"));
  assertEquals(text(files, "f"), "0123456789\0\0\0!");
});

Deno.test("descriptors: append writes at the current end, and moves the position there", () => {
  const { files } = testFiles();
  const { descriptors } = files;
  put(files, "f", "ab");
  const a = files.open("f", { ...READ_WRITE, append: true });
  const b = files.open("f", { write: true, append: true });
  descriptors.write(b, bytesOf("cd"));
  assertEquals(read(files, a, 1), "a");
  descriptors.write(a, bytesOf("ef"));
  assertEquals(descriptors.seek(a, 0, "current"), 6);
  descriptors.writeAt(a, bytesOf("gh"), 0);
  assertEquals(text(files, "f"), "abcdefgh");
  assertEquals(descriptors.seek(a, 0, "current"), 6);
});

Deno.test("descriptors: an unlinked or replaced file stays available through open descriptors", () => {
  const { files } = testFiles();
  const { descriptors } = files;
  put(files, "f", "old");
  put(files, "g", "new");
  const fd = files.open("f", READ_WRITE);
  files.rename("g", "f");
  assertEquals(read(files, fd), "old");
  descriptors.write(fd, bytesOf("er"));
  assertEquals(descriptors.stat(fd).links, 0);
  assertEquals([text(files, "f"), descriptors.stat(fd).size], ["new", 5]);
  descriptors.close(fd);
  assertEquals(files.usage.workspace.bytes, 3);
});

Deno.test("descriptors: a removed directory is empty and accepts no new entries", () => {
  const { files } = testFiles();
  files.makeDirectory("d");
  const base = files.descriptors.directory(files.open("d", { read: true, directory: true }));
  files.removeDirectory("d");
  assertEquals(errnoOf(() => files.makeDirectory("x", 0o755, base)), "ENOENT");
  assertEquals(errnoOf(() => files.stat("x", base)), "ENOENT");
  assertEquals(files.resolve("..", base), files.workspace);
  assertEquals(names(files, "."), []);
});

Deno.test("descriptors: the listing of an open directory stays the same until it is rewound", () => {
  const { files } = testFiles();
  const { descriptors } = files;
  for (const name of ["c", "a", "b"]) put(files, name, "");
  const fd = files.open(".", { read: true });
  const list = () => descriptors.entries(fd).map((inode) => inode.entryName);
  assertEquals(list(), ["a", "b", "c"]);
  files.removeFile("a");
  put(files, "d", "");
  assertEquals(list(), ["a", "b", "c"]);
  assertEquals(descriptors.entries(fd, true).map((inode) => inode.entryName), ["b", "c", "d"]);
  assertEquals(errnoOf(() => descriptors.read(fd, new Uint8Array(1))), "EISDIR");
  assertEquals(errnoOf(() => descriptors.entries(1)), "ENOTDIR");
});

Deno.test("streams: output goes to the sink, input is at its end, no stream is a terminal or seekable", () => {
  const { files, output } = testFiles();
  const { descriptors } = files;
  descriptors.write(1, bytesOf("out"));
  descriptors.write(2, bytesOf("err"));
  descriptors.write(descriptors.duplicate(1), bytesOf("!"));
  put(files, "/dev/stderr", "?");
  assertEquals(output, { 1: "out!", 2: "err?", 5: "" });
  assertEquals(read(files, 0), "");
  for (const fd of [0, 1, 2]) {
    assertEquals(descriptors.stat(fd).kind, "pipe");
    assertEquals(errnoOf(() => descriptors.seek(fd, 0, "current")), "ESPIPE");
    assertEquals(errnoOf(() => descriptors.readAt(fd, new Uint8Array(1), 0)), "ESPIPE");
    assertEquals(errnoOf(() => descriptors.writeAt(fd, new Uint8Array(1), 0)), "ESPIPE");
    assertEquals(errnoOf(() => descriptors.truncate(fd, 0)), "EINVAL");
  }
  assertEquals(errnoOf(() => descriptors.write(0, bytesOf("x"))), "EBADF");
  assertEquals(errnoOf(() => descriptors.read(1, new Uint8Array(1))), "EBADF");
});

Deno.test("streams: an exception from the sink passes through unchanged", () => {
  const full = new RangeError("the sink is full");
  const files = createGuestFileSystem({
    now: () => 0,
    streams: {
      output: () => {
        throw full;
      },
    },
  });
  let thrown: unknown;
  try {
    files.descriptors.write(1, bytesOf("x"));
  } catch (cause) {
    thrown = cause;
  }
  assertStrictEquals(thrown, full);
});

Deno.test("streams: input is the run's standard input, read once, through any descriptor", () => {
  const { files } = testFiles();
  assertEquals(read(files, 0), "");
  files.beginRun(bytesOf("typed in"));
  const fd = files.open("/dev/stdin", { read: true });
  assertEquals([read(files, 0, 3), read(files, fd, 2), read(files, 0)], ["typ", "ed", " in"]);
  assertEquals([read(files, 0), read(files, fd)], ["", ""]);
});

Deno.test("streams: a read of input costs the bytes it moves, and nothing at the end", () => {
  const { files } = testFiles();
  const workOf = (size: number) => {
    const before = files.work;
    read(files, 0, size);
    return files.work - before;
  };
  files.beginRun(new Uint8Array(1_000));
  assertEquals([workOf(10), workOf(990), workOf(10), workOf(0)], [10, 990, 0, 0]);
});

Deno.test("streams: unread input is discarded after the run", () => {
  for (const end of ["endRun", "reset", "beginRun"] as const) {
    const { files } = testFiles();
    files.beginRun(bytesOf("left"));
    read(files, 0, 1);
    files[end]();
    assertEquals(read(files, 0), "", end);
  }
});

Deno.test("streams: closed streams are open again after the run", () => {
  const { files, output } = testFiles();
  files.descriptors.close(1);
  files.descriptors.close(2);
  put(files, "f", "x");
  assertEquals(files.open("f", { write: true }), 1);
  files.endRun();
  files.descriptors.write(1, bytesOf("again"));
  assertEquals([output[1], text(files, "f")], ["again", "x"]);
  assertEquals(files.descriptors.numbers(), [0, 1, 2]);
});

Deno.test("devices: null, zero and random", () => {
  const { files } = testFiles();
  const into = new Uint8Array(3).fill(9);
  const fd = files.open("/dev/null", READ_WRITE);
  files.descriptors.write(fd, new Uint8Array(1_000_000));
  assertEquals(files.descriptors.read(fd, into), 0);
  assertEquals(files.descriptors.seek(fd, 5, "start"), 0);
  assertEquals(files.descriptors.stat(fd).kind, "character");
  files.descriptors.read(files.open("/dev/zero", { read: true }), into);
  assertEquals([...into], [0, 0, 0]);
  files.descriptors.read(files.open("/dev/urandom", { read: true }), into);
  assertEquals([...into], [7, 7, 7]);
  assertEquals(errnoOf(() => files.removeFile("/dev/null")), "EROFS");
});
