import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  ForbiddenImportError,
  ProcessExit,
  RunStopped,
} from "../../../../runtimes/files/wasi/errors.ts";
import { E, Guest } from "./guest.ts";

const SUBSCRIPTION = 2_048;
const EVENTS = 4_096;

interface Wait {
  readonly clock?: number;
  readonly ms?: number;
  readonly absolute?: boolean;
  readonly fd?: number;
}

function poll(guest: Guest, waits: readonly Wait[]) {
  const { view } = guest;
  guest.bytes.fill(0, SUBSCRIPTION, SUBSCRIPTION + 1_024);
  waits.forEach((wait, index) => {
    const at = SUBSCRIPTION + index * 48;
    view.setBigUint64(at, BigInt(index + 100), true);
    if (wait.fd !== undefined) {
      view.setUint8(at + 8, 1);
      view.setUint32(at + 16, wait.fd, true);
      return;
    }
    view.setUint32(at + 16, wait.clock ?? 0, true);
    view.setBigUint64(at + 24, BigInt((wait.ms ?? 0) * 1e6), true);
    view.setUint16(at + 40, wait.absolute ? 1 : 0, true);
  });
  const errno = guest.call("poll_oneoff", SUBSCRIPTION, EVENTS, waits.length, 64);
  if (errno !== 0) return { errno, events: [] };
  const events = Array.from({ length: view.getUint32(64, true) }, (_, index) => {
    const at = EVENTS + index * 32;
    return {
      userdata: Number(view.getBigUint64(at, true)),
      error: view.getUint16(at + 8, true),
      type: view.getUint8(at + 10),
    };
  });
  return { errno, events };
}

function running(): Guest {
  const guest = new Guest();
  guest.host.startRun(() => true, 10_000);
  return guest;
}

function clockMs(guest: Guest, id: number): number {
  assertEquals(guest.call("clock_time_get", id, 0n, 64), E.SUCCESS);
  return Number(guest.view.getBigUint64(64, true)) / 1e6;
}

Deno.test("wasi system: sleeping advances the clocks, except the processor clock", () => {
  const guest = running();
  const before = [0, 1, 2].map((id) => clockMs(guest, id));
  assertEquals(poll(guest, [{ clock: 1, ms: 2_500 }]).events, [
    { userdata: 100, error: 0, type: 0 },
  ]);
  const after = [0, 1, 2].map((id) => clockMs(guest, id));
  assertEquals(after.map((ms, index) => ms - (before[index] ?? 0)), [2_500, 2_500, 0]);
});

Deno.test("wasi system: the earliest of several clocks fires, and absolute times are points in time", () => {
  const guest = running();
  const now = clockMs(guest, 0);
  const { events } = poll(guest, [
    { clock: 1, ms: 900 },
    { clock: 0, ms: now + 300, absolute: true },
    { clock: 1, ms: 300 },
  ]);
  assertEquals(events.map(({ userdata }) => userdata), [101, 102]);
  assertEquals(clockMs(guest, 0) - now, 300);
  assertEquals(poll(guest, [{ clock: 0, ms: 5, absolute: true }]).events.length, 1);
  assertEquals(clockMs(guest, 0) - now, 300);
});

Deno.test("wasi system: on a clock that stands, a wait of no length takes a microsecond", () => {
  const guest = new Guest();
  const now = 1_600_000_000_000;
  guest.host.startRun(() => true, 1_000, { clock: now });
  assertEquals(poll(guest, [{ clock: 0, ms: now - 5, absolute: true }]).events.length, 1);
  assertEquals(poll(guest, [{ clock: 1, ms: 0 }, { clock: 0, ms: 0 }]).events.length, 2);
  assertEquals(guest.host.clock.slept, 0.002);
  assertEquals(poll(guest, [{ clock: 1, ms: 0 }, { fd: 1 }]).events.length, 2);
  assertEquals(guest.host.clock.slept, 0.002);
});

Deno.test("wasi system: a descriptor is ready immediately, with any clocks", () => {
  const guest = running();
  const { events } = poll(guest, [{ clock: 1, ms: 5_000 }, { fd: 0 }, { fd: 42 }]);
  assertEquals(events, [
    { userdata: 101, error: 0, type: 1 },
    { userdata: 102, error: E.BADF, type: 1 },
  ]);
  assertEquals(guest.host.clock.slept, 0);
});

Deno.test("wasi system: polling nothing, or an invalid clock, fails", () => {
  const guest = running();
  assertEquals(poll(guest, []).errno, E.INVAL);
  assertEquals(poll(guest, [{ clock: 9, ms: 1, absolute: true }]).events[0]?.error, E.INVAL);
});

Deno.test("wasi system: sleeps that pass the wall clock end the run", () => {
  const guest = running();
  poll(guest, [{ clock: 1, ms: 9_999 }]);
  const error = assertThrows(() => poll(guest, [{ clock: 1, ms: 2 }]), RunStopped);
  assertEquals(error.limit, "wall clock");
  assertEquals(guest.host.stopped, "wall clock");
});

Deno.test("wasi system: the supported clocks exist", () => {
  const guest = running();
  for (const id of [0, 1, 2, 3]) assertEquals(guest.call("clock_res_get", id, 64), E.SUCCESS);
  assertEquals(guest.call("clock_res_get", 4, 64), E.INVAL);
  assertEquals(guest.call("clock_time_get", 4, 0n, 64), E.INVAL);
});

Deno.test("wasi system: randomness comes from the given function, in portions", () => {
  const portions: number[] = [];
  const guest = new Guest({
    random: (into) => {
      portions.push(into.length);
      into.fill(portions.length);
    },
  });
  assertEquals(guest.call("random_get", 1_000, 70_000), E.SUCCESS);
  assertEquals(portions, [65_536, 4_464]);
  assertEquals([guest.bytes[1_000], guest.bytes[70_999], guest.bytes[71_000]], [1, 2, 0]);
});

Deno.test("wasi system: the environment is a block of strings", () => {
  const guest = new Guest({ env: new Map([["PATH", "/bin"], ["É", "x=y"]]) });
  assertEquals(guest.call("environ_sizes_get", 64, 68), E.SUCCESS);
  assertEquals([guest.view.getUint32(64, true), guest.view.getUint32(68, true)], [2, 17]);
  assertEquals(guest.call("environ_get", 128, 256), E.SUCCESS);
  assertEquals(guest.text(256, 17), "PATH=/bin\0É=x=y\0");
  assertEquals(guest.view.getUint32(132, true), 266);
});

Deno.test("wasi system: exit is an exception with the status", () => {
  const error = assertThrows(() => new Guest().call("proc_exit", 3), ProcessExit);
  assertEquals(error.status, 3);
});

Deno.test("wasi system: pointers out of memory are faults, for every kind of access", () => {
  const guest = running();
  const end = guest.bytes.length;
  guest.opened("workspace/f", { oflags: 1, write: true });
  assertEquals(guest.call("random_get", end - 1, 2), E.FAULT);
  assertEquals(guest.call("random_get", -1, 2), E.FAULT);
  assertEquals(guest.call("clock_time_get", 0, 0n, end - 7), E.FAULT);
  assertEquals(guest.call("fd_write", 4, end - 4, 1, 64), E.FAULT);
  assertEquals(guest.call("fd_write", 4, 0, -1, 64), E.FAULT);
  assertEquals(guest.call("fd_read", 4, 64, 0x20000000, 64), E.FAULT);
  assertEquals(guest.call("path_unlink_file", 3, end, 1), E.FAULT);
  assertEquals(guest.call("fd_filestat_get", 4, end - 60), E.FAULT);
  assertEquals(guest.call("poll_oneoff", end - 8, 64, 1, 64), E.FAULT);
  const before = guest.host.files.descriptors.numbers();
  const path = guest.path("workspace/f");
  assertEquals(guest.call("path_open", 3, 0, ...path, 0, 2n, 0n, 0, end), E.FAULT);
  assertEquals(guest.host.files.descriptors.numbers(), before);
});

Deno.test("wasi system: memory that grew is seen", () => {
  const guest = running();
  guest.call("clock_time_get", 0, 0n, 64);
  guest.memory.grow(1);
  assertEquals(guest.call("random_get", guest.bytes.length - 2, 2), E.SUCCESS);
  assertEquals(guest.bytes.at(-1), 7);
});

Deno.test("wasi system: every call is paid for, and so is the work that it causes", () => {
  const guest = running();
  guest.call("fd_sync", 1);
  const call = guest.charged;
  assert(call > 0);
  const fd = guest.opened("workspace/f", { oflags: 1, write: true });
  guest.charged = 0;
  guest.write(fd, "x".repeat(10_000));
  assert(guest.charged >= call + 10_000);
});

Deno.test("wasi system: imports that are not the host's end the run", () => {
  // (module (import "env" "f" (func)) (import "wasi_snapshot_preview1" "sock_send" (func))
  //   (export "a" (func 0)) (export "b" (func 1)))
  const wasi = [...new TextEncoder().encode("wasi_snapshot_preview1")];
  const send = [...new TextEncoder().encode("sock_send")];
  const imports = [
    2,
    3,
    101,
    110,
    118,
    1,
    102,
    0,
    0,
    wasi.length,
    ...wasi,
    send.length,
    ...send,
    0,
    0,
  ];
  const bytes = new Uint8Array([
    ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0],
    ...[2, imports.length, ...imports],
    ...[7, 9, 2, 1, 97, 0, 0, 1, 98, 0, 1],
  ]);
  const module = new WebAssembly.Module(bytes);
  const host = new Guest().host;
  const { exports } = new WebAssembly.Instance(module, host.imports(module));
  for (const name of ["a", "b"]) {
    const called = exports[name];
    if (typeof called !== "function") throw new TypeError("no export");
    assertThrows(() => called(), ForbiddenImportError);
  }
  let calls = 0;
  const more = host.imports(module, { env: { f: () => void calls++ } });
  const { exports: other } = new WebAssembly.Instance(module, more);
  const called = other["a"];
  if (typeof called === "function") called();
  assertEquals(calls, 1);
});
