/**
 * A parent process for the test of orphans: starts an isolate that is busy for ever, prints
 * the isolate's process id, and waits to be killed.
 */
import { SHARED_LIMITS } from "../../../shared/limits.ts";
import { IsolateProcess } from "../../../runtimes/pool/isolate_process.ts";
import { engineBody, requestOf } from "./fake_isolate.ts";

const [program = ""] = Deno.args;
const isolate = await IsolateProcess.start({
  program,
  openEngine: () => Promise.resolve(engineBody("busy")),
  limits: { ...SHARED_LIMITS, memoryBytes: 1 << 26 },
  onFault: () => undefined,
});
isolate.run(requestOf("")).catch(() => undefined);
Deno.stdout.writeSync(new TextEncoder().encode(`${isolate.pid}\n`));
setInterval(() => undefined, 1_000);
