/**
 * Records what real Node prints for each program of the corpus:
 * `deno run --allow-all tests/corpus/javascript/record.ts`.
 *
 * @module
 */
import { runInNode } from "./node_oracle.ts";
import { readPrograms, recordedNames, removeExpected, writeExpected } from "./programs.ts";

if (import.meta.main) {
  const programs = readPrograms();
  for (const program of programs) await writeExpected(program.name, await runInNode(program));
  const names = new Set(programs.map(({ name }) => name));
  for (const name of recordedNames()) if (!names.has(name)) await removeExpected(name);
}
