// test: slow
import { assertEquals } from "@std/assert";
import { runWithIsolateStack } from "../../../support/own_stack.ts";

Deno.test("recursion: Python raises before V8's stack ends", async () => {
  const program = new URL("recursion_program.ts", import.meta.url);
  assertEquals(await runWithIsolateStack(program, "python"), []);
});
