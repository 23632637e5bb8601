// test: slow
import { assertEquals, assertThrows } from "@std/assert";
import { FileError } from "../../../../runtimes/files/file_error.ts";
import { MemorySize } from "../../../../runtimes/engine/memory_size.ts";
import { GuestMemory } from "../../../../runtimes/languages/python/host/guest_memory.ts";
import {
  addTrampoline,
  trampolineBytes,
} from "../../../../runtimes/languages/python/host/trampoline.ts";

function memoryOfOnePage(): GuestMemory {
  const memory = new GuestMemory();
  const wasm = new WebAssembly.Memory({ initial: 1, maximum: 4 });
  memory.attach(wasm, new MemorySize(wasm, {}));
  return memory;
}

Deno.test("guest memory: pointers outside of memory are refused, with any sign", () => {
  const memory = memoryOfOnePage();
  for (const [at, length] of [[-1, 1], [65_536, 1], [0, 65_537], [65_535, 2], [8, -1]] as const) {
    assertThrows(() => memory.span(at, length), RangeError);
  }
  assertThrows(() => memory.u32(65_533), RangeError);
  assertEquals(memory.span(65_536, 0).length, 0);
});

Deno.test("guest memory: paths end at their NUL, and must be text", () => {
  const memory = memoryOfOnePage();
  memory.setText(100, "/workspace/é");
  assertEquals(memory.path(100), "/workspace/é");
  memory.bytes.set([0xff, 0xfe, 0], 200);
  assertThrows(() => memory.path(200), FileError);
  memory.bytes.fill(65);
  assertThrows(() => memory.path(0), FileError);
  assertThrows(() => memory.vectors(0, 1_000_000), FileError);
  assertThrows(() => memory.vectors(0, -1), FileError);
});

Deno.test("guest memory: views stay valid when memory grows", () => {
  const memory = memoryOfOnePage();
  memory.setU32(16, 7);
  memory.memory.grow(1);
  assertEquals([memory.u32(16), memory.bytes.length], [7, 131_072]);
  memory.setU32(131_000, 9);
  assertEquals(memory.u32(131_000), 9);
});

/**
 * A module that exports functions of zero to four parameters; each returns its number of parameters.
 */
const CALLEES = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 31, 5],
  ...[0x60, 0, 1, 0x7f, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 2, 0x7f, 0x7f, 1, 0x7f],
  ...[0x60, 3, 0x7f, 0x7f, 0x7f, 1, 0x7f, 0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 1, 0x7f],
  ...[3, 6, 5, 0, 1, 2, 3, 4],
  ...[7, 21, 5, 1, 0x61, 0, 0, 1, 0x62, 0, 1, 1, 0x63, 0, 2, 1, 0x64, 0, 3, 1, 0x65, 0, 4],
  ...[10, 26, 5],
  ...[0, 1, 2, 3, 4].flatMap((count) => [4, 0, 0x41, count, 0x0b]),
]);

Deno.test("trampoline: calls with as many arguments as a function takes, and reports when it cannot", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const table = new WebAssembly.Table({ element: "anyfunc", initial: 5 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(CALLEES));
  ["a", "b", "c", "d", "e"].forEach((name, index) => {
    const callee = exports[name];
    if (typeof callee === "function") table.set(index, callee);
  });
  const helper: unknown = table.get(
    addTrampoline(new WebAssembly.Module(trampolineBytes()), memory, table),
  );
  if (typeof helper !== "function") throw new TypeError("There is no helper");
  const success = () => new DataView(memory.buffer).getInt32(8, true);
  for (const count of [0, 1, 2, 3]) {
    assertEquals([helper(8, count, 1, 2, 3), success()], [count, 1]);
  }
  assertEquals([helper(8, 4, 1, 2, 3), success()], [0, 0]);
});
