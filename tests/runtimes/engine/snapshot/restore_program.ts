/**
 * Run by the tests as a separate process: restores a snapshot from a file into an engine, runs the
 * programs that follow it in the file, and prints their outcomes as JSON. Arguments: the language,
 * the file.
 */
import { decodeMessage } from "../../../../shared/message.ts";
import { type ContextLanguage, type ContextState, EngineBench, stateOf } from "./engine_bench.ts";

interface Order {
  readonly snapshots: readonly (Omit<ContextState["snapshot"], "segments"> & {
    readonly segments: number;
    readonly cwd: string;
    readonly probe: string;
    readonly stdin?: string;
  })[];
}

const [language, path = ""] = Deno.args;
const { head, parts } = decodeMessage(await Deno.readFile(path));
const { snapshots } = head as Order;
const bench = await EngineBench.create(language as ContextLanguage);
const values: string[] = [];
let at = 0;
for (const { memoryBytes, globals, segments, cwd, probe, stdin } of snapshots) {
  const own = parts.slice(at, at += segments).map((part) => part.slice());
  const from: ContextState = { snapshot: { memoryBytes, globals, segments: own }, cwd };
  const ran = bench.run(probe, stdin === undefined ? { from } : { from, stdin });
  values.push(ran.shown);
  stateOf(ran);
}
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(values)));
