/** The work of operations, for which guests pay. */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import type { GuestFileSystem } from "../../../runtimes/files/guest_file_system.ts";
import { PackedBytes } from "../../../runtimes/files/packed_bytes.ts";
import { errnoOf, put, testFiles, text } from "./support.ts";

const MIB = 1024 * 1024;

/** Files, and the work that an operation on them causes. */
function counted(): {
  readonly files: GuestFileSystem;
  readonly cost: (operation: () => unknown) => number;
} {
  const { files } = testFiles();
  const cost = (operation: () => unknown): number => {
    const before = files.work;
    operation();
    return files.work - before;
  };
  return { files, cost };
}

/** The work of reading a number of bytes of a file, from its position and from its start. */
function readCosts(path: string, bytes: number): readonly [number, number] {
  const { files, cost } = counted();
  const fd = files.open(path, { read: true });
  const into = new Uint8Array(bytes);
  return [
    cost(() => files.descriptors.read(fd, into)),
    cost(() => files.descriptors.readAt(fd, into, 0)),
  ];
}

Deno.test("work: grows with the bytes moved and the names visited, not with the size of files", () => {
  const { files, cost } = counted();
  put(files, "s", "");
  put(files, "f", new Uint8Array(1_000_000));
  assertLess(999_999, cost(() => text(files, "f")));
  assertEquals(cost(() => files.stat("f")), cost(() => files.stat("s")));
  const fd = files.open("f", { write: true, append: true });
  let appended = 0;
  for (let i = 0; i < 1000; i++) {
    appended += cost(() => files.descriptors.write(fd, Uint8Array.of(1)));
  }
  assertLess(appended, 5_000_000);
  assertLess(2_999_999, cost(() => files.truncate("f", 4_000_000)));
});

Deno.test("work: each byte that a device returns counts, a random one eight times", () => {
  assertEquals(readCosts("/dev/zero", MIB), [MIB, MIB]);
  assertEquals(readCosts("/dev/urandom", MIB), [8 * MIB, 8 * MIB]);
  assertEquals(readCosts("/dev/random", MIB), [8 * MIB, 8 * MIB]);
  assertEquals(readCosts("/dev/null", MIB), [0, 0]);
});

Deno.test("work: each byte that a device accepts counts", () => {
  for (const path of ["/dev/null", "/dev/zero", "/dev/urandom"]) {
    const { files, cost } = counted();
    const fd = files.open(path, { write: true });
    assertEquals(cost(() => files.descriptors.write(fd, new Uint8Array(MIB))), MIB, path);
    assertEquals(cost(() => files.descriptors.writeAt(fd, new Uint8Array(MIB), 5)), MIB, path);
  }
});

Deno.test("work: a write to a standard stream counts for more than its bytes", () => {
  const { files, cost } = counted();
  const empty = cost(() => files.descriptors.write(1, new Uint8Array()));
  assertGreater(empty, 1_000);
  assertEquals(cost(() => files.descriptors.write(2, new Uint8Array(100))), empty + 100);
});

Deno.test("work: an allocated buffer counts with all of its bytes", () => {
  const { files, cost } = counted();
  const fd = files.open("f", { write: true, create: true });
  const one = Uint8Array.of(1);
  assertLess(8 * MIB - 1, cost(() => files.descriptors.writeAt(fd, one, 4 * MIB - 1)));
  files.truncate("f", 0);
  assertLess(8 * MIB - 1, cost(() => files.descriptors.truncate(fd, 4 * MIB)));
});

Deno.test("work: renaming a directory counts its whole contents", () => {
  const { files, cost } = counted();
  files.makeDirectory("empty");
  files.makeDirectory("full");
  for (let i = 0; i < 1000; i++) files.makeDirectory(`full/${i}`);
  assertLess(
    cost(() => files.rename("empty", "longer_1")) + 999_999,
    cost(() => files.rename("full", "longer_2")),
  );
});

Deno.test("work: listing a directory counts its names, several times when they have to be sorted", () => {
  const { files, cost } = counted();
  files.makeDirectory("d");
  for (let i = 0; i < 1000; i++) files.makeDirectory(`d/${i}`);
  const first = cost(() => files.entries("d"));
  const again = cost(() => files.entries("d"));
  assertLess(again * 5, first);
  assertEquals(cost(() => files.entries("d")), again);
  files.rename("d/1", "d/x");
  assertEquals(cost(() => files.entries("d")), first);
});

Deno.test("work: is the same for the same operations", () => {
  const run = () => {
    const { files, cost } = counted();
    return cost(() => {
      for (let i = 0; i < 100; i++) put(files, `f${i}`, "x".repeat(i));
      for (let i = 0; i < 100; i += 2) files.removeFile(`f${i}`);
      files.makeDirectory("d");
      files.rename("f1", "d/f1");
      files.entries(".");
      errnoOf(() => files.stat("missing/x"));
      text(files, "d/f1");
    });
  };
  assertEquals(run(), run());
});

Deno.test("descriptors: closed numbers are reused, the lowest first", () => {
  const { files } = testFiles();
  const open = () => files.open("/dev/null", { read: true });
  assertEquals([open(), open(), open(), open()], [3, 4, 5, 6]);
  files.descriptors.close(5);
  files.descriptors.close(3);
  files.descriptors.duplicateTo(4, 8);
  assertEquals([open(), open(), open(), open()], [3, 5, 7, 9]);
  files.reset();
  assertEquals(open(), 3);
});

Deno.test("work: each character of a path counts, slashes too, whether or not the path exists", () => {
  const { files, cost } = counted();
  const root = cost(() => files.stat("/"));
  assertEquals(cost(() => files.stat("/".repeat(1000))) - root, 999 * 16);
  const missing = (length: number) => cost(() => errnoOf(() => files.stat("x".repeat(length))));
  assertEquals(missing(200) - missing(100), 100 * 16);
});

Deno.test("work: inflating a packed file counts once in each run", () => {
  const { files, cost } = counted();
  const packed = new PackedBytes(deflateRawSync(new Uint8Array(MIB)), MIB);
  files.addReadOnly([["/lib/large", packed]]);
  const one = (at: number) => {
    const fd = files.open("/lib/large", { read: true });
    const work = cost(() => files.descriptors.readAt(fd, new Uint8Array(1), at));
    files.descriptors.close(fd);
    return work;
  };
  for (let run = 0; run < 2; run++) {
    files.beginRun();
    assertEquals([one(MIB - 1), one(0), one(5)], [MIB + 1, 1, 1]);
  }
});
