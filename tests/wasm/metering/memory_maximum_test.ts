import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeterError } from "../../../wasm/metering/meter_error.ts";
import { withMaximumPages } from "../../../wasm/metering/memory_maximum.ts";

/** `(module (memory <min> <max>) (export "m" (memory 0)))`. */
const DEFINED = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[5, 4, 1, 1, 2, 9],
  ...[7, 5, 1, 1, 0x6d, 2, 0],
);
/** `(module (import "e" "m" (memory 2)))`. */
const IMPORTED = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[2, 8, 1, 1, 0x65, 1, 0x6d, 2, 0, 2],
);
const WITHOUT = DEFINED.slice(0, 8);

Deno.test("withMaximumPages() changes how far a memory can grow, and nothing else", () => {
  for (const pages of [2, 10, 127, 128, 16_384, 32_768]) {
    const { exports } = new WebAssembly.Instance(
      new WebAssembly.Module(withMaximumPages(DEFINED, pages)),
    );
    const { m: memory } = exports;
    assert(memory instanceof WebAssembly.Memory);
    assertEquals(memory.grow(0), 2);
    assertThrows(() => memory.grow(pages - 1), RangeError);
  }
});

Deno.test("withMaximumPages() gives an imported memory a maximum", () => {
  const module = new WebAssembly.Module(withMaximumPages(IMPORTED, 300));
  const importing = (maximum: number) =>
    new WebAssembly.Instance(module, {
      e: { m: new WebAssembly.Memory({ initial: 2, maximum }) },
    });
  importing(300);
  assertThrows(() => importing(301), WebAssembly.LinkError);
});

Deno.test("withMaximumPages() returns a module that has this maximum already", () => {
  assertEquals(withMaximumPages(DEFINED, 9), DEFINED);
});

Deno.test("withMaximumPages() refuses too few pages, and a module without a memory", () => {
  assertThrows(() => withMaximumPages(DEFINED, 1), MeterError);
  assertThrows(() => withMaximumPages(WITHOUT, 1), MeterError);
});
