/** Prints the fuel that the programs given as arguments use, on a separate engine. */
import { run } from "./ruby.ts";

if (import.meta.main) {
  const costs: number[] = [];
  for (const code of Deno.args) costs.push((await run(code)).fuelConsumed);
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(costs)));
}
