// test: long
import { assertEquals } from "@std/assert";
import { runWithIsolateStack } from "../../../support/own_stack.ts";

/** V8's frames are smallest in the one compiler, and largest in the other. */
const COMPILERS: Readonly<Record<string, readonly string[]>> = {
  "baseline code only": ["--liftoff-only"],
  "optimized code only": ["--no-liftoff", "--wasm-lazy-compilation"],
};

for (const [compiler, flags] of Object.entries(COMPILERS)) {
  Deno.test(`recursion: Python raises before V8's stack ends, ${compiler}`, async () => {
    const program = new URL("recursion_program.ts", import.meta.url);
    assertEquals(await runWithIsolateStack(program, "python", flags), []);
  });
}
