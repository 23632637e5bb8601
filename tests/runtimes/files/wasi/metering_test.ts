/** The cost of WASI calls: fuel follows the work, and every call's work is bounded. */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { E, Guest } from "./guest.ts";

const IOVECS = 2_048;
const DATA = 16_384;
const RESULT = 64;

function running(): Guest {
  const guest = new Guest();
  guest.host.startRun(() => true, 10_000);
  return guest;
}

/** Fuel that a call uses; the call must succeed. */
function fuelOf(guest: Guest, call: () => number): number {
  const before = guest.charged;
  assertEquals(call(), E.SUCCESS);
  return guest.charged - before;
}

/** Buffers of `length` bytes each, all at the same address. */
function buffers(guest: Guest, count: number, length: number): readonly [number, number] {
  for (let index = 0; index < count; index++) {
    guest.view.setUint32(IOVECS + index * 8, DATA, true);
    guest.view.setUint32(IOVECS + index * 8 + 4, length, true);
  }
  return [IOVECS, count];
}

type Transfer = "fd_read" | "fd_pread" | "fd_write" | "fd_pwrite";

/** Fuel of moving a number of bytes between a file and one buffer. */
function transferFuel(call: Transfer, path: string, length: number): number {
  const guest = running();
  const fd = guest.opened(path, { write: true });
  const position = call.startsWith("fd_p") ? [0n] : [];
  const iovecs = buffers(guest, 1, length);
  return fuelOf(guest, () => guest.call(call, fd, ...iovecs, ...position, RESULT));
}

Deno.test("wasi fuel: grows with the bytes read from a device, more with random ones", () => {
  for (const call of ["fd_read", "fd_pread"] as const) {
    for (const [path, unitsPerByte] of [["zero", 0.5], ["random", 4], ["urandom", 4]] as const) {
      const small = transferFuel(call, `dev/${path}`, 1_000);
      const large = transferFuel(call, `dev/${path}`, 101_000);
      assertEquals(large - small, 100_000 * unitsPerByte, `${call} ${path}`);
    }
    assertEquals(
      transferFuel(call, "dev/null", 1_000),
      transferFuel(call, "dev/null", 100_000),
      "the end costs nothing",
    );
  }
});

Deno.test("wasi fuel: grows with the bytes written to a device", () => {
  for (const call of ["fd_write", "fd_pwrite"] as const) {
    for (const path of ["dev/null", "dev/zero", "dev/urandom"]) {
      const small = transferFuel(call, path, 1_000);
      assertEquals(transferFuel(call, path, 101_000) - small, 50_000, `${call} ${path}`);
    }
  }
});

Deno.test("wasi fuel: a write to a standard stream costs more than one to /dev/null", () => {
  const guest = running();
  const iovecs = buffers(guest, 1, 10);
  const output = fuelOf(guest, () => guest.call("fd_write", 1, ...iovecs, RESULT));
  assertLess(transferFuel("fd_write", "dev/null", 10) + 1_000, output);
});

Deno.test("wasi fuel: random_get costs the same as a read of /dev/urandom of that length", () => {
  const guest = running();
  const small = fuelOf(guest, () => guest.call("random_get", DATA, 1_000));
  assertEquals(fuelOf(guest, () => guest.call("random_get", DATA, 101_000)) - small, 400_000);
});

Deno.test("wasi fuel: each of several buffers is paid for, and the copy that joins them", () => {
  const guest = running();
  const fd = guest.opened("dev/null", { write: true });
  const one = fuelOf(guest, () => guest.call("fd_write", fd, ...buffers(guest, 1, 100), RESULT));
  const many = fuelOf(guest, () => guest.call("fd_write", fd, ...buffers(guest, 500, 100), RESULT));
  assertGreater(many - one, 500 * 100 + 499 * 100);
});

Deno.test("wasi fuel: a write that is refused has paid for the copy that joined its buffers", () => {
  const guest = new Guest({ fileLimits: { fileBytes: 100_000, workspaceBytes: 1_000 } });
  const fd = guest.opened("workspace/f", { oflags: 1, write: true });
  const before = guest.charged;
  assertEquals(guest.call("fd_write", fd, ...buffers(guest, 2, 50_000), RESULT), E.NOSPC);
  assertGreater(guest.charged - before, 100_000);
});

Deno.test("wasi: buffers with more than a file can have are written one at a time", () => {
  const guest = new Guest({ fileLimits: { fileBytes: 1_000 } });
  const fd = guest.opened("workspace/f", { oflags: 1, write: true });
  assertEquals(guest.call("fd_write", fd, ...buffers(guest, 2, 600), RESULT), E.SUCCESS);
  assertEquals(guest.view.getUint32(RESULT, true), 600);
  assertEquals(guest.call("fd_write", fd, ...buffers(guest, 1, 600), RESULT), E.FBIG);
  assertEquals(guest.stat("workspace/f").size, 600);
});

Deno.test("wasi: buffers that overlap so that a call would move more than memory are refused", () => {
  const guest = running();
  const zero = guest.opened("dev/zero");
  const null_ = guest.opened("dev/null", { write: true });
  assertEquals(guest.call("fd_read", zero, ...buffers(guest, 100, 50_000), RESULT), E.INVAL);
  assertEquals(guest.call("fd_write", null_, ...buffers(guest, 100, 50_000), RESULT), E.INVAL);
  assertEquals(guest.call("fd_read", zero, ...buffers(guest, 1_024, 1), RESULT), E.SUCCESS);
  assertEquals(guest.call("fd_read", zero, ...buffers(guest, 1_025, 1), RESULT), E.INVAL);
});

Deno.test("wasi fuel: listing a directory is paid for, wherever it starts", () => {
  const guest = running();
  for (let i = 0; i < 100; i++) guest.onPath("path_create_directory", `workspace/${i}`);
  const fd = guest.opened("workspace");
  const read = (length: number, cookie: bigint) =>
    fuelOf(guest, () => guest.call("fd_readdir", fd, DATA, length, cookie, RESULT));
  read(4_096, 0n);
  const few = read(26, 5n);
  assertLess(few + 50_000, read(4_096, 5n));
  assertEquals(read(26, 5n), few);
});

Deno.test("wasi fuel: a longer path costs more, and a path that is too long is not read", () => {
  const guest = running();
  const stat = (path: string) => fuelOf(guest, () => guest.stat(path).errno);
  assertLess(stat("workspace") + 1_000, stat(`${"/".repeat(900)}workspace`));
  const before = guest.charged;
  assertEquals(guest.call("path_unlink_file", 3, 0, 200_000), E.NAMETOOLONG);
  assertLess(guest.charged - before, 12_000);
});

Deno.test("wasi fuel: the same calls take the same fuel in every run", () => {
  const run = (guest: Guest): number => {
    guest.host.startRun(() => true, 10_000);
    guest.charged = 0;
    guest.onPath("path_create_directory", "workspace/d");
    guest.write(guest.opened("workspace/d/f", { oflags: 1, write: true }), "a", "b");
    guest.read(guest.opened("dev/urandom"), 5_000);
    guest.rename("workspace/d", "workspace/longer");
    guest.list(guest.opened("workspace"), 100);
    guest.stat("workspace/missing");
    return guest.charged;
  };
  const guest = running();
  const first = run(guest);
  guest.host.reset();
  assertEquals(run(guest), first);
  assertEquals(run(running()), first);
});

Deno.test("wasi: random bytes of a device pass through one buffer, for any length", () => {
  let filled = 0;
  const guest = new Guest({ random: (into) => void into.fill(++filled) });
  const fd = guest.opened("dev/urandom");
  guest.read(fd, 70_000);
  const at = (offset: number) => guest.bytes[DATA + offset];
  assertEquals([at(0), at(65_535), at(65_536), at(69_999), at(70_000)], [1, 1, 2, 2, 0]);
});
