import { assertEquals } from "@std/assert";
import { E, Guest, ROOT } from "./guest.ts";

const CREATE = 1;
const DIRECTORY = 2;
const EXCLUSIVE = 4;
const TRUNCATE = 8;
const W = { oflags: CREATE, write: true };

Deno.test("wasi files: written bytes are read back, through several buffers", () => {
  const guest = new Guest();
  const fd = guest.opened("workspace/a.txt", W);
  assertEquals(guest.write(fd, "ab", "", "cde"), { errno: E.SUCCESS, value: 5 });
  assertEquals(guest.seek(fd, 1, 0), { errno: E.SUCCESS, value: 1 });
  assertEquals(guest.read(fd, 2, 1), { errno: E.SUCCESS, value: 3, text: "bcd" });
  assertEquals(guest.read(fd, 10).text, "e");
  assertEquals(guest.read(fd, 10), { errno: E.SUCCESS, value: 0, text: "" });
  assertEquals(guest.seek(fd, -2, 2).value, 3);
  assertEquals(guest.seek(fd, -1, 1).value, 2);
  assertEquals(guest.seek(fd, -9, 1).errno, E.INVAL);
  assertEquals(guest.seek(fd, 0, 7).errno, E.INVAL);
  assertEquals(guest.call("fd_tell", fd, 64), E.SUCCESS);
  assertEquals(guest.view.getBigUint64(64, true), 2n);
});

Deno.test("wasi files: a failed opening has the right error", () => {
  const guest = new Guest();
  guest.opened("workspace/file", W);
  const cases: [string, Parameters<Guest["open"]>[1], number][] = [
    ["workspace/none", {}, E.NOENT],
    ["workspace/none/x", W, E.NOENT],
    ["workspace/file/x", {}, E.NOTDIR],
    ["workspace/file", { oflags: DIRECTORY }, E.NOTDIR],
    ["workspace/file", { oflags: CREATE | EXCLUSIVE, write: true }, E.EXIST],
    ["workspace", { write: true }, E.ISDIR],
    ["etc", W, E.ROFS],
    ["workspace/" + "n".repeat(256), W, E.NAMETOOLONG],
    ["a/".repeat(600), {}, E.NAMETOOLONG],
    ["", {}, E.NOENT],
    ["workspace/a\0b", {}, E.INVAL],
  ];
  for (const [path, options, errno] of cases) {
    assertEquals([path.slice(0, 40), guest.open(path, options).errno], [path.slice(0, 40), errno]);
  }
  assertEquals(guest.open(new Uint8Array([0xff, 0xfe])).errno, E.ILSEQ);
  assertEquals(guest.open("x", {}, 77).errno, E.BADF);
  assertEquals(guest.open("x", {}, 0).errno, E.NOTDIR);
});

Deno.test("wasi files: rights restrict the operations of a descriptor", () => {
  const guest = new Guest();
  const writer = guest.opened("workspace/f", { ...W, read: false });
  assertEquals(guest.read(writer, 1).errno, E.BADF);
  assertEquals(guest.write(writer, "hello").errno, E.SUCCESS);
  const reader = guest.opened("workspace/f");
  assertEquals(guest.write(reader, "x").errno, E.BADF);
  assertEquals(guest.call("fd_filestat_set_size", reader, 1n), E.INVAL);
  assertEquals(guest.call("fd_filestat_set_size", writer, 2n), E.SUCCESS);
  assertEquals(guest.read(reader, 9).text, "he");
  guest.opened("workspace/f", { oflags: TRUNCATE, write: true });
  assertEquals(guest.stat("workspace/f").size, 0);
});

Deno.test("wasi files: append goes to the end, and can be set later", () => {
  const guest = new Guest();
  const fd = guest.opened("workspace/log", { ...W, fdflags: 1 });
  guest.write(fd, "one");
  guest.seek(fd, 0, 0);
  guest.write(fd, "two");
  assertEquals(guest.fdstat(fd).flags, 1);
  assertEquals(guest.call("fd_fdstat_set_flags", fd, 0), E.SUCCESS);
  guest.seek(fd, 0, 0);
  guest.write(fd, "ONE");
  guest.seek(fd, 0, 0);
  assertEquals(guest.read(fd, 9).text, "ONEtwo");
});

Deno.test("wasi files: positioned reads and writes leave the position", () => {
  const guest = new Guest();
  const fd = guest.opened("workspace/p", W);
  guest.write(fd, "abcdef");
  guest.view.setUint32(1_024, 16_384, true);
  guest.view.setUint32(1_028, 2, true);
  assertEquals(guest.call("fd_pread", fd, 1_024, 1, 3n, 64), E.SUCCESS);
  assertEquals(guest.text(16_384, 2), "de");
  guest.bytes.set(new TextEncoder().encode("XY"), 16_384);
  assertEquals(guest.call("fd_pwrite", fd, 1_024, 1, 0n, 64), E.SUCCESS);
  assertEquals(guest.seek(fd, 0, 1).value, 6);
  guest.seek(fd, 0, 0);
  assertEquals(guest.read(fd, 9).text, "XYcdef");
  assertEquals(guest.call("fd_pread", fd, 1_024, 1, -1n, 64), E.INVAL);
  assertEquals(guest.call("fd_pread", 1, 1_024, 1, 0n, 64), E.SPIPE);
});

Deno.test("wasi files: directories are listed whole through any buffer", () => {
  const guest = new Guest();
  assertEquals(guest.onPath("path_create_directory", "workspace/d"), E.SUCCESS);
  const names = Array.from({ length: 30 }, (_, i) => `entry-${String(i).padStart(2, "0")}`);
  for (const name of names) guest.opened(`workspace/d/${name}`, W);
  const fd = guest.opened("workspace/d", { oflags: DIRECTORY });
  for (const length of [40, 64, 200, 4_096]) {
    assertEquals(guest.list(fd, length).names, [".", "..", ...names]);
  }
  assertEquals(guest.list(0, 64).errno, E.NOTDIR);
  assertEquals(guest.list(99, 64).errno, E.BADF);
});

Deno.test("wasi files: making, removing and renaming refuse as Linux does", () => {
  const guest = new Guest();
  guest.opened("workspace/f", W);
  assertEquals(guest.onPath("path_create_directory", "workspace/d"), E.SUCCESS);
  assertEquals(guest.onPath("path_create_directory", "workspace/d"), E.EXIST);
  assertEquals(guest.onPath("path_create_directory", "workspace/no/d"), E.NOENT);
  assertEquals(guest.onPath("path_create_directory", "usr"), E.ROFS);
  assertEquals(guest.onPath("path_unlink_file", "workspace/d"), E.ISDIR);
  assertEquals(guest.onPath("path_unlink_file", "workspace/none"), E.NOENT);
  assertEquals(guest.onPath("path_remove_directory", "workspace/f"), E.NOTDIR);
  assertEquals(guest.rename("workspace/f", "workspace/d/g"), E.SUCCESS);
  assertEquals(guest.onPath("path_remove_directory", "workspace/d"), E.NOTEMPTY);
  assertEquals(guest.rename("workspace/d", "workspace/d/e"), E.INVAL);
  assertEquals(guest.rename("workspace/d/g", "tmp/g"), E.XDEV);
  assertEquals(guest.rename("workspace/d/g", "workspace/none/g"), E.NOENT);
  assertEquals(guest.onPath("path_unlink_file", "workspace/d/g"), E.SUCCESS);
  assertEquals(guest.onPath("path_remove_directory", "workspace/d"), E.SUCCESS);
  assertEquals(guest.stat("workspace/d").errno, E.NOENT);
});

Deno.test("wasi files: there are no links", () => {
  const guest = new Guest();
  guest.opened("workspace/f", W);
  const target = guest.path("workspace/f");
  const made = guest.path("workspace/l", 1);
  assertEquals(guest.call("path_link", ROOT, 0, ...target, ROOT, ...made), E.PERM);
  assertEquals(guest.call("path_symlink", ...target, ROOT, ...made), E.PERM);
  assertEquals(guest.call("path_readlink", ROOT, ...target, 64, 10, 80), E.INVAL);
  assertEquals(guest.call("path_readlink", ROOT, ...made, 64, 10, 80), E.NOENT);
});

Deno.test("wasi files: times are real and can be set", () => {
  const guest = new Guest();
  guest.host.startRun(() => true, 10_000);
  guest.time.ms = 1_500;
  const fd = guest.opened("workspace/t", W);
  assertEquals(guest.stat("workspace/t").mtimeNs, 1_700_000_001_500_000_000n);
  assertEquals(guest.call("fd_filestat_set_times", fd, 0n, 5_000_000_000n, 4), E.SUCCESS);
  assertEquals(guest.stat("workspace/t").mtimeNs, 5_000_000_000n);
  const path = guest.path("workspace/t");
  assertEquals(guest.call("path_filestat_set_times", ROOT, 0, ...path, 0n, 0n, 8), E.SUCCESS);
  assertEquals(guest.stat("workspace/t").mtimeNs, 1_700_000_001_500_000_000n);
  assertEquals(guest.call("path_filestat_set_times", ROOT, 0, ...path, 0n, 0n, 0), E.SUCCESS);
});

Deno.test("wasi files: limits apply at the write that would exceed them", () => {
  const guest = new Guest({ fileLimits: { fileBytes: 8, workspaceBytes: 12, entries: 3 } });
  const a = guest.opened("workspace/a", W);
  const b = guest.opened("workspace/b", W);
  assertEquals(guest.write(a, "123456789").errno, E.FBIG);
  assertEquals(guest.write(a, "12345678").errno, E.SUCCESS);
  assertEquals(guest.write(b, "12345").errno, E.NOSPC);
  assertEquals(guest.write(b, "1234").errno, E.SUCCESS);
  guest.opened("workspace/c", W);
  assertEquals(guest.open("workspace/d", W).errno, E.NOSPC);
  assertEquals(guest.stat("workspace/a").size, 8);
});

Deno.test("wasi files: a stat reports the kind of an entry", () => {
  const guest = new Guest();
  guest.opened("workspace/f", W);
  assertEquals(guest.stat("workspace/f").type, 4);
  assertEquals(guest.stat("workspace").type, 3);
  assertEquals(guest.stat("dev/null").type, 2);
  assertEquals(guest.stat("workspace/../workspace/./f").errno, E.SUCCESS);
  assertEquals(guest.stat("../../etc/passwd").errno, E.NOENT);
  assertEquals(guest.stat("/workspace/f").errno, E.SUCCESS);
});

Deno.test("wasi files: a fresh /workspace and /tmp are as old as the run, not as the reset before", () => {
  for (const betweenMs of [0, 777]) {
    const now = { ms: 1_700_000_000_000 };
    const guest = new Guest({ time: { now: () => now.ms, monotonic: () => now.ms } });
    guest.host.startRun(() => true, 10_000);
    guest.host.clock.sleep(123);
    guest.call("path_create_directory", 3, ...guest.path("workspace/d"));
    now.ms += betweenMs;
    guest.host.reset();
    now.ms = 1_700_000_050_000;
    guest.host.startRun(() => true, 10_000);
    for (const path of ["workspace", "tmp"]) {
      assertEquals(guest.stat(path).mtimeNs, 1_700_000_050_000n * 1_000_000n, path);
    }
  }
});
