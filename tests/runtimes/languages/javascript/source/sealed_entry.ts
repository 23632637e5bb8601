/**
 * Runs in a child process without permissions: prepares the programs of a JSON list with the module from
 * its input.
 */
import { createPreparer } from "../../../../../runtimes/languages/javascript/host/source/prepare.ts";

const bytes = new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer());
const preparer = createPreparer({ stripper: () => new WebAssembly.Module(bytes) });
const programs: unknown = JSON.parse(Deno.args[0] ?? "[]");
const answers = Array.isArray(programs)
  ? programs.map((code) => preparer.prepare(String(code), { typescript: false }))
  : [];
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(answers)));
