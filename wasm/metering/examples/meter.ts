/**
 * Meters a module, and runs one of its exports without arguments on so much fuel:
 * `deno run --allow-read --allow-write examples/meter.ts in.wasm out.wasm [export] [fuel]`.
 * Imports of the module are not provided. Exit code 1: the fuel is used up.
 *
 * @module
 */
import { FUEL_EXPORT, meterModule } from "../mod.ts";

const [source, target, name, fuel = "1000000"] = Deno.args;
if (source === undefined || target === undefined) {
  throw new Error("Usage: meter.ts in.wasm out.wasm [export] [fuel]");
}
const { bytes, stats } = meterModule(Deno.readFileSync(source), {});
Deno.writeFileSync(target, bytes);
const lines = [`${stats.sourceBytes} bytes, metered ${stats.bytes} bytes`];
if (name !== undefined) lines.push(run(bytes, name, BigInt(fuel)));
Deno.stdout.writeSync(new TextEncoder().encode(`${lines.join("\n")}\n`));

/** Runs an export, and describes its end. */
function run(module: Uint8Array<ArrayBuffer>, name: string, fuel: bigint): string {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module));
  const counter = exports[FUEL_EXPORT];
  const callee = exports[name];
  if (!(counter instanceof WebAssembly.Global) || typeof callee !== "function") {
    throw new Error(`The module exports no function ${name}`);
  }
  counter.value = fuel;
  try {
    const value: unknown = callee();
    return `${name}() = ${String(value)} for ${fuel - counter.value} units`;
  } catch (error) {
    if (counter.value >= 0n) throw error;
    Deno.exitCode = 1;
    return `${name}() used up ${fuel} units`;
  }
}
