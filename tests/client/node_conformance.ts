/** The conformance suite under Node, against a service at a URL. */
import { deno, type Ended, run, temporaryFolder } from "./deno_command.ts";

/** The output of the suite's program. */
export interface NodeRun {
  readonly ran: number;
  readonly failed: readonly string[];
}

/** Bundles a module into one JavaScript file; throws when that fails. */
export async function bundle(source: URL, output: string, ...options: string[]): Promise<void> {
  const made = await deno("bundle", "--quiet", ...options, "--output", output, source.pathname);
  if (made.code !== 0) throw new Error(made.output);
}

/** Runs the suite in Node. */
export async function nodeConformance(
  url: string,
  token: string,
  which: "all" | "engines" | "both",
): Promise<NodeRun> {
  await using folder = await temporaryFolder();
  const path = `${folder.path}/program.mjs`;
  await bundle(new URL("node_program.ts", import.meta.url), path);
  const ended: Ended = await run("node", path, url, token, which);
  try {
    return JSON.parse(ended.output);
  } catch (cause) {
    throw new Error(`The program for Node failed: ${ended.output}`, { cause });
  }
}
