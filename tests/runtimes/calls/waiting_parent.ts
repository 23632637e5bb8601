/**
 * A parent process for the test of orphans: its isolate's program waits for a caller that never answers.
 * Prints the isolate's process id once it waits.
 */
import { attempt, startIsolate } from "../../support/calling_isolate.ts";

const isolate = await startIsolate("javascript");
await attempt(isolate, {
  language: "javascript",
  code: "await tools.echo()",
  script: () => {
    Deno.stdout.writeSync(new TextEncoder().encode(`${isolate.pid}\n`));
    return new Promise(() => undefined);
  },
});
