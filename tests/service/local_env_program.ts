/**
 * Opens and closes a local environment in a separate process, and prints the number of processes
 * while it was open, and afterwards.
 *
 * @module
 */
import { createLocalEnv } from "../../service/local_env.ts";
import { processTree } from "../support/process.ts";

const env = await createLocalEnv({ languages: ["javascript"] });
const during = await processTree(Deno.pid);
await Promise.all([env.close(), env.close()]);
await env[Symbol.asyncDispose]();
const after = await processTree(Deno.pid);
Deno.stdout.writeSync(
  new TextEncoder().encode(JSON.stringify([during.length, after.length])),
);
