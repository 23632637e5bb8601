/**
 * Tests of the store, of sandboxes and of runs that wait, run on a PostgreSQL by `KV_TEST_URL`.
 *
 * @module
 */
import { PostgresServer } from "./postgres.ts";

const ROOT = new URL("../../", import.meta.url);
const FOLDERS = ["tests/store", "tests/sandbox", "tests/runs"] as const;
/** Uses of a store that `KV_TEST_URL` chooses. */
const USES_STORE =
  /\b(?:(?:withTestStore|withSharedStore|withStore|withTime|storeTest|withProcesses)\b|together\()/;

/** Files that the suite runs on PostgreSQL, too; all others are of the long run. */
export const IN_SUITE: readonly string[] = [
  "tests/store/lease_test.ts",
  "tests/store/processes_test.ts",
  "tests/sandbox/concurrency_test.ts",
  "tests/sandbox/execute_test.ts",
  "tests/sandbox/first_run_test.ts",
];

/** All files whose tests use a store that can be chosen. */
export function storeTestFiles(): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    [...Deno.readDirSync(new URL(folder, ROOT))]
      .filter(({ name }) => name.endsWith("_test.ts"))
      .map(({ name }) => `${folder}/${name}`)
      .filter((path) => {
        const text = Deno.readTextFileSync(new URL(path, ROOT));
        return USES_STORE.test(text) && !text.includes("postgres_suite.ts"); // those run this list
      })
  ).sort();
}

/** Runs the tests of some files on a server of their own. Throws with their output if one fails. */
export async function runOnPostgres(files: readonly string[]): Promise<void> {
  await using server = await PostgresServer.start({ fsync: "off" });
  await runOnStore(server.url(), files);
}

/** Runs the tests of some files on a store. Throws with their output if one fails. */
export async function runOnStore(url: string, files: readonly string[]): Promise<void> {
  const flags = ["--allow-all", "--parallel", "--no-check"];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", ...flags, "--sanitize-ops", "--sanitize-resources", ...files],
    cwd: ROOT,
    env: { KV_TEST_URL: url, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  if (success) return;
  const text = new TextDecoder();
  throw new Error(`The tests failed on the store:\n${text.decode(stdout)}${text.decode(stderr)}`);
}
