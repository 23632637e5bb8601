/**
 * Prints the fuel that the program given as an argument uses, on an engine in this process: `deno
 * run --allow-all fuel_in_process.ts 'print 1'`.
 */
import { newEngine, runOn } from "./perl.ts";

if (import.meta.main) {
  const engine = await newEngine();
  const { fuelConsumed } = runOn(engine, Deno.args[0] ?? "");
  await Deno.stdout.write(new TextEncoder().encode(String(fuelConsumed)));
}
