/**
 * Runs its argument twice on an engine with native wheels and prints fuel and values as JSON.
 *
 * @module
 */
import { runWithWheels } from "./native_wheels.ts";

if (import.meta.main) {
  const [code = ""] = Deno.args;
  const runs: (readonly [number, unknown])[] = [];
  for (let index = 0; index < 2; index++) {
    const { fuelConsumed, ending } = await runWithWheels(code);
    runs.push([fuelConsumed, ending.kind === "json" ? JSON.parse(ending.json) : ending]);
  }
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(runs)));
}
