/**
 * Short tests that need the Perl engine, in one module graph, so that the engine is made once.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { NO_INPUTS } from "../../../../runtimes/builder/build_inputs.ts";
import { buildPerl } from "../../../../runtimes/languages/perl/build/builder.ts";
import { artifact } from "./perl.ts";
import "./values_cases.ts";
import "./displays_cases.ts";
import "./errors_cases.ts";
import "./context_errors_cases.ts";
import "./context_tests_cases.ts";
import "./surroundings_cases.ts";
import "./linux_cases.ts";
import "./signals_cases.ts";
import "./zones_cases.ts";
import "./names_cases.ts";
import "./host_functions_cases.ts";
import "./calls_cases.ts";

Deno.test("perl boot: two builds are the same, byte for byte", async () => {
  const [one, other] = [await artifact(), await buildPerl(NO_INPUTS)];
  assertEquals(one.build, other.build);
  assertEquals(one.image.length, other.image.length);
  assertEquals(one.image.every((byte, index) => byte === other.image[index]), true);
});
