// test: long
import { assertEquals } from "@std/assert";
import { NO_INPUTS } from "../../../../runtimes/builder/build_inputs.ts";
import { buildPerl } from "../../../../runtimes/languages/perl/build/builder.ts";
import { artifact } from "./perl.ts";

Deno.test("perl boot: two builds are the same, byte for byte", async () => {
  const [one, other] = [await artifact(), await buildPerl(NO_INPUTS)];
  assertEquals(one.build, other.build);
  assertEquals(one.image.length, other.image.length);
  assertEquals(one.image.every((byte, index) => byte === other.image[index]), true);
});
