/**
 * The service as `main.ts` starts it, with a clock that is ahead. The first argument says by how many
 * milliseconds.
 *
 * @module
 */
import {
  AVAILABLE_LANGUAGES,
  buildEngines,
  createRuntimes,
} from "../../runtimes/create_runtimes.ts";
import { runProgram } from "../../service/program.ts";

if (import.meta.main) {
  const [aheadMs, ...args] = Deno.args;
  const now = Date.now;
  Date.now = () => now() + Number(aheadMs);
  await runProgram({
    args,
    env: Deno.env.toObject(),
    available: AVAILABLE_LANGUAGES,
    createRuntimes,
    buildEngines,
  });
}
