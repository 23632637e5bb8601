/**
 * The build as a separate program, so that its memory is released before the service serves. Its
 * single argument is a {@link BuildOrder} in JSON. It writes a line to standard error for each
 * step, and to standard output only when it refuses an operator's input.
 *
 * @module
 */
import { type BuildOrder, RuntimesRefused } from "../../shared/binding.ts";
import { PackageError } from "../languages/javascript/build/preload.ts";
import { PreloadError } from "../languages/python/build/natives.ts";
import { WheelError } from "../languages/python/build/pack_library.ts";
import { ShellModuleError } from "../languages/shell/build/module_file.ts";
import { readBuildInputs } from "./build_inputs.ts";
import { BuildCache } from "./cache.ts";

/** Builds what is missing in a cache directory. Throws a RuntimesRefused. */
async function buildInto(order: BuildOrder, print: (line: string) => void): Promise<void> {
  const { cacheDir, packages, contextLanguages } = order;
  const inputs = await readBuildInputs({ ...packages, contextLanguages });
  const cache = await BuildCache.open(cacheDir, inputs);
  try {
    await cache.build(order.languages, print, order.page);
  } catch (thrown) {
    if (thrown instanceof WheelError) throw new RuntimesRefused(`PYTHON_WHEELS: ${thrown.message}`);
    if (thrown instanceof PreloadError) {
      throw new RuntimesRefused(`PYTHON_PRELOAD: ${thrown.message}`);
    }
    if (thrown instanceof PackageError) {
      throw new RuntimesRefused(`JAVASCRIPT_PRELOAD: ${thrown.message}`);
    }
    if (thrown instanceof ShellModuleError) throw new RuntimesRefused(`shell: ${thrown.message}`);
    throw thrown;
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
