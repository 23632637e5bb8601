/**
 * A program of its own whose stack is as large as an isolate's, which the process that runs the
 * tests does not have.
 *
 * @module
 */

/** Runs a program; gives the JSON that it printed, or what it said on standard error. */
export async function runWithIsolateStack(program: URL): Promise<unknown> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", "--v8-flags=--stack-size=4000", program.href],
    cwd: new URL("../../", import.meta.url),
  }).output();
  const said = new TextDecoder().decode(stdout);
  return said === "" ? new TextDecoder().decode(stderr) : JSON.parse(said);
}
