// test: long
import { assertEquals, assertNotEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { NO_INPUTS } from "../../../../runtimes/builder/build_inputs.ts";
import { buildRuby } from "../../../../runtimes/languages/ruby/build/builder.ts";
import { ALL_CONTEXTS, builtIsolate } from "../../../support/built.ts";

Deno.test("ruby boot: two builds are the same, byte for byte", async () => {
  const { artifact } = await builtIsolate("ruby");
  assertEquals((await buildRuby(NO_INPUTS)).build, artifact.build);
});

Deno.test("ruby boot: an engine with contexts has the same module and another baseline", async () => {
  const { artifact } = await builtIsolate("ruby");
  const { artifact: having } = await builtIsolate("ruby", ALL_CONTEXTS);
  assertEquals(Buffer.compare(having.module, artifact.module), 0);
  assertNotEquals(Buffer.compare(having.image, artifact.image), 0);
  assertEquals((await buildRuby(ALL_CONTEXTS)).build, having.build);
});
