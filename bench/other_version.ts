/**
 * The service of a checkout, which may be another version's, started in that version's own way.
 *
 * @module
 */
import { type Program, startProgram } from "../tests/support/program.ts";

/** The checkout that this bench is in. */
export const THIS_VERSION = new URL("../", import.meta.url).pathname;

/** Starts the built service of a checkout with languages, and with its data in a folder. */
export async function startVersion(
  project: string,
  languages: readonly string[],
  folder: string,
): Promise<Program> {
  return await startProgram({
    project,
    flags: await flagsOf(project),
    env: {
      LANGUAGES: languages.join(),
      ISOLATES: "2",
      KV_PATH: `${folder}/data.sqlite3`,
      CACHE_DIR: `${project}/.belljar/cache`,
    },
  });
}

/** Flags of Deno in a checkout's own way to start. */
async function flagsOf(project: string): Promise<readonly string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${project}/deno.json`));
  const command: string = tasks.start.command ?? tasks.start;
  return command.split(" ").filter((word) => word.startsWith("--"));
}
