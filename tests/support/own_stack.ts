/**
 * A program of its own whose stack is as large as that of a language's isolates, which the process that runs the
 * tests does not have.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import { stackNeed, withStack } from "../../runtimes/pool/native_stack.ts";

/** Runs a program; gives the JSON that it printed, or what it said on standard error. */
export async function runWithIsolateStack(
  program: URL,
  language: Language,
  v8Flags: readonly string[] = [],
): Promise<unknown> {
  const start = withStack(stackNeed(language), v8Flags, ["--quiet", "--allow-all", program.href]);
  const { stdout, stderr } = await new Deno.Command(start.program, {
    args: [...start.args],
    cwd: new URL("../../", import.meta.url),
  }).output();
  const said = new TextDecoder().decode(stdout);
  return said === "" ? new TextDecoder().decode(stderr) : JSON.parse(said);
}
