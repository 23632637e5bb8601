/**
 * Records what real Node prints for each program of the corpus:
 * `deno run --allow-all tests/corpus/javascript/record.ts`.
 *
 * @module
 */
import { runInNode } from "./node_oracle.ts";
import type { Outcome } from "./outcome.ts";
import { readPrograms, writeExpected } from "./programs.ts";

if (import.meta.main) {
  const outcomes = new Map<string, Outcome>();
  for (const program of readPrograms()) outcomes.set(program.name, await runInNode(program));
  writeExpected(outcomes);
}
