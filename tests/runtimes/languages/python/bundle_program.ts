/**
 * Uses the engine as an isolate does: reads the built bytes from standard input, runs a program,
 * prints how it ended. Bundled and run without any permission.
 */
import { createPythonEngine } from "../../../../runtimes/languages/python/create.ts";
import { decodeMessage } from "../../../../shared/message.ts";
import { sealGlobals } from "../../../../runtimes/isolate/seal.ts";

const input = new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer());
const { parts: [module, image] } = decodeMessage(input);
const { stdout } = Deno;
sealGlobals();
if (module !== undefined && image !== undefined) {
  const engine = await createPythonEngine({ module, image, memoryBytes: 256 * 1024 * 1024 });
  const { ending } = engine.run({
    code: "import json, zoneinfo, unittest\nsum(range(10))",
    env: new Map(),
    typescript: false,
    limits: {
      fuel: 20_000_000_000,
      outputBytes: 1000,
      outputLines: 10,
      resultBytes: 1000,
      tracebackBytes: 1000,
      displayBytes: 1 << 20,
      wallMs: 10_000,
    },
  }, () => true);
  await stdout.write(new TextEncoder().encode(JSON.stringify(ending)));
}
