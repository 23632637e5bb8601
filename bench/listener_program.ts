/**
 * The service as `main.ts` starts it, with the server that the first argument names: `node` or
 * `deno`.
 *
 * @module
 */
import { serveDeno } from "../gateway/http_server.ts";
import { serveNode } from "../gateway/node_server.ts";
import { AVAILABLE_LANGUAGES, buildEngines, createRuntimes } from "../runtimes/create_runtimes.ts";
import { runProgram } from "../service/program.ts";

if (import.meta.main) {
  const [server, ...args] = Deno.args;
  await runProgram({
    args,
    env: Deno.env.toObject(),
    available: AVAILABLE_LANGUAGES,
    createRuntimes,
    buildEngines,
    hooks: { serve: server === "node" ? serveNode : serveDeno },
  });
}
