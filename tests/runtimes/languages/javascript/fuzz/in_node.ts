/**
 * Runs a script in Node, the oracle of random programs.
 *
 * @module
 */

/** Whether Node, which other engines are compared with, is there. */
export const HAS_NODE: boolean = hasNode();

function hasNode(): boolean {
  try {
    return new Deno.Command("node", { args: ["--version"] }).outputSync().success;
  } catch {
    return false;
  }
}

/** Modules of this folder as one script, in which their functions have their names. */
export function scriptOf(...modules: readonly string[]): string {
  const texts = modules.map((name) => Deno.readTextFileSync(new URL(name, import.meta.url)));
  return texts.join("").replaceAll(/^import .*$/gm, "").replaceAll(/^export /gm, "");
}

/** Standard output of a script. Rejects when it fails. */
export async function outputInNode(script: string): Promise<string> {
  const child = new Deno.Command("node", {
    args: ["-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(script));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
