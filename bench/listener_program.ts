/**
 * The service as `main.ts` starts it, with the server that the first argument names: `node`,
 * `deno` or `watched`.
 *
 * @module
 */
import { type Serve, serveDeno } from "../gateway/http_server.ts";
import { serveNode } from "../gateway/node_server.ts";
import { serveWatched } from "../gateway/watched_server.ts";
import { AVAILABLE_LANGUAGES, buildEngines, createRuntimes } from "../runtimes/create_runtimes.ts";
import { runProgram } from "../service/program.ts";

const SERVERS: Readonly<Record<string, Serve>> = { deno: serveDeno, node: serveNode };

if (import.meta.main) {
  const [server, ...args] = Deno.args;
  await runProgram({
    args,
    env: Deno.env.toObject(),
    available: AVAILABLE_LANGUAGES,
    createRuntimes,
    buildEngines,
    hooks: { serve: SERVERS[server ?? ""] ?? serveWatched },
  });
}
