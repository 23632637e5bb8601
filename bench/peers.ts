/**
 * The trivial JavaScript program as a plain quickjs-emscripten call in this process: a new
 * context for each run, no isolation, no metering, no HTTP.
 *
 * @module
 */
import { getQuickJS } from "quickjs-emscripten";
import { times } from "./stats.ts";
import { TRIVIAL } from "./trivial_runs.ts";

/** Times of a fresh context, in milliseconds. */
export async function quickJsTimes(count: number): Promise<number[]> {
  const module = await getQuickJS();
  return await times(count, () => {
    const context = module.newContext();
    const log = context.newFunction("log", () => undefined);
    const console = context.newObject();
    context.setProp(console, "log", log);
    context.setProp(context.global, "console", console);
    context.unwrapResult(context.evalCode(TRIVIAL.javascript.code)).dispose();
    for (const handle of [log, console]) handle.dispose();
    context.dispose();
  });
}
