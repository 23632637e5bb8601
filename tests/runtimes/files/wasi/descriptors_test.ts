import { assertEquals, assertThrows } from "@std/assert";
import { RIGHTS } from "../../../../runtimes/files/wasi/abi.ts";
import { RunStopped } from "../../../../runtimes/files/wasi/errors.ts";
import { E, Guest, ROOT } from "./guest.ts";

const W = { oflags: 1, write: true };

Deno.test("wasi descriptors: standard input is at its end and not a terminal", () => {
  const guest = new Guest();
  assertEquals(guest.read(0, 10), { errno: E.SUCCESS, value: 0, text: "" });
  assertEquals(guest.write(0, "x").errno, E.BADF);
  for (const fd of [0, 1, 2]) {
    const { type, rights } = guest.fdstat(fd);
    assertEquals(type, 0);
    assertEquals(rights & (RIGHTS.seek | RIGHTS.tell), 0n);
    assertEquals(guest.seek(fd, 0, 1).errno, E.SPIPE);
  }
});

Deno.test("wasi descriptors: a character device is not a terminal either", () => {
  const guest = new Guest();
  const { type, rights } = guest.fdstat(guest.opened("dev/null"));
  assertEquals(type, 2);
  assertEquals(rights & RIGHTS.seek, RIGHTS.seek);
});

Deno.test("wasi descriptors: the sink gets a copy of the raw bytes during the call", () => {
  const guest = new Guest();
  const seen: [number, Uint8Array][] = [];
  guest.host.startRun((stream, bytes) => {
    seen.push([stream, bytes]);
    return true;
  }, 1_000);
  guest.write(1, "a", "b\n");
  assertEquals(seen.length, 1);
  guest.write(2, "é");
  guest.bytes.fill(0);
  assertEquals(seen.map(([stream, bytes]) => [stream, ...bytes]), [
    [1, 97, 98, 10],
    [2, 0xc3, 0xa9],
  ]);
});

Deno.test("wasi descriptors: a full sink ends the run during the write", () => {
  const guest = new Guest();
  guest.host.startRun(() => false, 1_000);
  const error = assertThrows(() => guest.write(1, "x"), RunStopped);
  assertEquals(error.limit, "output");
  assertEquals(guest.host.stopped, "output");
  guest.host.startRun(() => true, 1_000);
  assertEquals(guest.host.stopped, undefined);
});

Deno.test("wasi descriptors: the lowest free number is given, and streams can be replaced", () => {
  const guest = new Guest();
  const seen: string[] = [];
  guest.host.startRun((stream, bytes) => {
    seen.push(`${stream}:${new TextDecoder().decode(bytes)}`);
    return true;
  }, 1_000);
  assertEquals(guest.call("fd_close", 1), E.SUCCESS);
  assertEquals(guest.call("fd_close", 1), E.BADF);
  assertEquals(guest.write(1, "x").errno, E.BADF);
  assertEquals(guest.opened("workspace/out", W), 1);
  guest.write(1, "to the file");
  assertEquals(guest.stat("workspace/out").size, 11);
  assertEquals(guest.call("fd_renumber", 2, 1), E.SUCCESS);
  guest.write(1, "err");
  assertEquals(guest.write(2, "x").errno, E.BADF);
  assertEquals(seen, ["2:err"]);
});

Deno.test("wasi descriptors: the root is the host's and stays open", () => {
  const guest = new Guest();
  const fd = guest.opened("workspace/f", W);
  assertEquals(guest.call("fd_close", ROOT), E.BADF);
  assertEquals(guest.call("fd_renumber", fd, ROOT), E.BADF);
  assertEquals(guest.call("fd_renumber", ROOT, fd), E.BADF);
  assertEquals(guest.call("fd_prestat_get", ROOT, 64), E.SUCCESS);
  assertEquals([guest.view.getUint32(64, true), guest.view.getUint32(68, true)], [0, 1]);
  assertEquals(guest.call("fd_prestat_dir_name", ROOT, 64, 1), E.SUCCESS);
  assertEquals(guest.text(64, 1), "/");
  assertEquals(guest.call("fd_prestat_dir_name", ROOT, 64, 0), E.NAMETOOLONG);
  assertEquals(guest.call("fd_prestat_get", 4, 64), E.BADF);
});

Deno.test("wasi descriptors: opening /dev/fd/N duplicates", () => {
  const guest = new Guest();
  const fd = guest.opened("workspace/f", W);
  guest.write(fd, "abc");
  const copy = guest.opened("dev/fd/4", { oflags: 8 });
  assertEquals(copy, 5);
  assertEquals(guest.call("fd_close", fd), E.SUCCESS);
  guest.write(copy, "d");
  assertEquals(guest.stat("workspace/f").size, 4);
  assertEquals(guest.open("dev/fd/99").errno, E.BADF);
  assertEquals(guest.open("dev/fd/3").errno, E.BADF);
});

Deno.test("wasi descriptors: numbers can be reserved", () => {
  const guest = new Guest({ firstDescriptor: 10 });
  assertEquals(guest.opened("workspace/f", W), 10);
  assertEquals(guest.call("fd_close", 9), E.BADF);
  assertEquals(guest.call("fd_renumber", 10, 5), E.BADF);
  assertEquals(guest.call("fd_prestat_get", 4, 64), E.BADF);
  guest.call("fd_close", 0);
  assertEquals(guest.opened("workspace/f"), 0);
  guest.host.endRun();
  assertEquals(guest.opened("workspace/f"), 10);
});

Deno.test("wasi descriptors: their number is limited, and all are released at the end of a run", () => {
  const guest = new Guest({ fileLimits: { descriptors: 6 } });
  guest.opened("workspace/a", W);
  guest.opened("workspace/b", W);
  assertEquals(guest.open("workspace/c", W).errno, E.MFILE);
  guest.host.endRun();
  assertEquals(guest.opened("workspace/a"), 4);
  guest.host.reset();
  assertEquals(guest.open("workspace/a").errno, E.NOENT);
  assertEquals(guest.opened("workspace/a", W), 4);
});

Deno.test("wasi descriptors: calls on closed descriptors fail", () => {
  const guest = new Guest();
  const calls: [string, ...(number | bigint)[]][] = [
    ["fd_fdstat_get", 9, 64],
    ["fd_fdstat_set_flags", 9, 0],
    ["fd_filestat_get", 9, 64],
    ["fd_filestat_set_size", 9, 1n],
    ["fd_filestat_set_times", 9, 0n, 0n, 5],
    ["fd_sync", 9],
    ["fd_datasync", 9],
    ["fd_advise", 9, 0n, 0n, 0],
    ["fd_tell", 9, 64],
    ["fd_read", 9, 64, 0, 128],
    ["fd_write", 9, 64, 0, 128],
    ["fd_renumber", 9, 1],
    ["fd_close", -1],
  ];
  for (const [name, ...args] of calls) {
    assertEquals([name, guest.call(name, ...args)], [name, E.BADF]);
  }
});
