/**
 * The same trivial program in other ways: a `node -e` process, and a new context in a plain
 * quickjs-emscripten in this process (no isolation, no metering, no HTTP).
 *
 * @module
 */
import { getQuickJS } from "quickjs-emscripten";
import { times } from "./stats.ts";

/** What every contender runs. */
export const TRIVIAL = "console.log('hello'); 6 * 7";

/** Times of spawning Node for the program, in milliseconds; empty where there is no Node. */
export async function nodeTimes(count: number): Promise<number[]> {
  try {
    return await times(count, () => new Deno.Command("node", { args: ["-e", TRIVIAL] }).output());
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Times of a fresh context in quickjs-emscripten, in milliseconds. */
export async function quickJsTimes(count: number): Promise<number[]> {
  const module = await getQuickJS();
  return await times(count, () => {
    const context = module.newContext();
    const log = context.newFunction("log", () => undefined);
    const console = context.newObject();
    context.setProp(console, "log", log);
    context.setProp(context.global, "console", console);
    context.unwrapResult(context.evalCode(TRIVIAL)).dispose();
    for (const handle of [log, console]) handle.dispose();
    context.dispose();
  });
}
