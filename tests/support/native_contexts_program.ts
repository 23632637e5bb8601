/**
 * Restores a snapshot from a file into an engine with native wheels, runs a program, and prints its
 * value as JSON. Arguments: the file, the program.
 *
 * @module
 */
import { Snapshotter } from "../../runtimes/engine/snapshot/snapshotter.ts";
import type { GlobalValues } from "../../runtimes/engine/snapshot/engine_state.ts";
import { MEMORY_BYTES } from "../../shared/limits.ts";
import { decodeMessage } from "../../shared/message.ts";
import { runOn, WIDE_LIMITS } from "./engine_runs.ts";
import { newEngineWithWheels } from "./native_wheels.ts";

interface Order {
  readonly memoryBytes: number;
  readonly globals: GlobalValues;
}

if (import.meta.main) {
  const [file = "", code = ""] = Deno.args;
  const { head, parts } = decodeMessage(await Deno.readFile(file));
  const { memoryBytes, globals } = head as Order;
  const engine = await newEngineWithWheels();
  engine.reset();
  const snapshotter = new Snapshotter(engine.state, {
    memoryBytes: MEMORY_BYTES.python,
    random: (target) => void crypto.getRandomValues(target),
  });
  snapshotter.restore({ memoryBytes, globals, segments: parts.map((part) => part.slice()) });
  const { ending } = runOn(engine, { code, inContext: true, limits: WIDE_LIMITS });
  const shown = ending.kind === "json" ? ending.json : JSON.stringify(ending);
  Deno.stdout.writeSync(new TextEncoder().encode(shown));
}
