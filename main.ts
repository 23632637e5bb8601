/**
 * Entry point of the service: the only reader of the environment.
 *
 * @module
 */
import { runProgram } from "./program.ts";
import { AVAILABLE_LANGUAGES, createRuntimes } from "./runtimes/create_runtimes.ts";

if (import.meta.main) {
  await runProgram({
    env: Deno.env.toObject(),
    available: AVAILABLE_LANGUAGES,
    createRuntimes,
  });
}
