/**
 * The build as a program of its own, so that the memory it takes is given back before the
 * service serves. Its one argument is a {@link BuildOrder} in JSON. Standard error gets a line
 * for each step; standard output gets a line only when an input of the operator is refused.
 *
 * @module
 */
import { type BuildOrder, RuntimesRefused } from "../../wire/binding.ts";
import { WheelError } from "../isolate/python/pack_library.ts";
import { readBuildInputs } from "./build_inputs.ts";
import { BuildCache } from "./cache.ts";

/** Builds what is missing in a cache directory. Throws a RuntimesRefused. */
async function buildInto(order: BuildOrder, print: (line: string) => void): Promise<void> {
  const cache = await BuildCache.open(order.cacheDir, await readBuildInputs(order.pythonWheels));
  try {
    await cache.build(order.languages, print);
  } catch (thrown) {
    if (!(thrown instanceof WheelError)) throw thrown;
    throw new RuntimesRefused(`PYTHON_WHEELS: ${thrown.message}`);
  }
}

function write(stream: typeof Deno.stdout, line: string): void {
  stream.writeSync(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) {
  const [order = ""] = Deno.args;
  try {
    await buildInto(JSON.parse(order), (line) => write(Deno.stderr, line));
  } catch (thrown) {
    if (!(thrown instanceof RuntimesRefused)) throw thrown;
    write(Deno.stdout, thrown.message);
    Deno.exit(1);
  }
}
