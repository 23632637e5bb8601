/**
 * Differences between the recordings of Node and the outcomes here: Node has V8's error messages,
 * this engine its own. `wording.json` holds them for each program, as pairs of lines of a recording.
 * `deno run --allow-all tests/corpus/javascript/wording.ts` writes it; each pair is reviewed.
 *
 * @module
 */
import { createJavaScriptEngine } from "../../../runtimes/languages/javascript/create.ts";
import { MEMORY_BYTES } from "../../../shared/limits.ts";
import { builtIsolate, TEST_STACK_BYTES } from "../../support/built.ts";
import { runInEngine } from "./engine_outcome.ts";
import { decodeOutcome, encodeOutcome, type Outcome } from "./outcome.ts";
import { readExpected, readPrograms } from "./programs.ts";

/** Lines of a recording of Node, and the lines in their place. */
type Difference = readonly [node: readonly string[], here: readonly string[]];

const FILE = new URL("./wording.json", import.meta.url);
/** A common line ends a difference. */
const LOOKAHEAD = 40;

function readDifferences(): Readonly<Record<string, readonly Difference[]>> {
  return JSON.parse(Deno.readTextFileSync(FILE));
}

const DIFFERENCES = readDifferences();

function startOf(lines: readonly string[], run: readonly string[], from: number): number {
  for (let at = from; at + run.length <= lines.length; at++) {
    if (run.every((line, i) => lines[at + i] === line)) return at;
  }
  throw new RangeError(`Not in the recording: ${run.join("\n")}`);
}

/** The outcome that a program has here, from that in Node. */
export function wordedHere(name: string, node: Outcome): Outcome {
  const lines = encodeOutcome(node).split("\n");
  let from = 0;
  for (const [theirs, ours] of DIFFERENCES[name] ?? []) {
    const at = startOf(lines, theirs, from);
    lines.splice(at, theirs.length, ...ours);
    from = at + ours.length;
  }
  return decodeOutcome(lines.join("\n"));
}

/** The nearest pair of equal lines at or after two positions. */
function meeting(a: readonly string[], b: readonly string[], i: number, j: number) {
  for (let sum = 0; sum < 2 * LOOKAHEAD; sum++) {
    for (let skip = 0; skip <= sum; skip++) {
      const [x, y] = [i + skip, j + sum - skip];
      if (x < a.length && y < b.length && a[x] === b[y]) return [x, y] as const;
    }
  }
  return [a.length, b.length] as const;
}

function differences(node: readonly string[], here: readonly string[]): readonly Difference[] {
  const found: Difference[] = [];
  let [i, j] = [0, 0];
  while (i < node.length || j < here.length) {
    const [x, y] = meeting(node, here, i, j);
    if (x > i || y > j) found.push([node.slice(i, x), here.slice(j, y)]);
    [i, j] = [x + 1, y + 1];
  }
  return found;
}

if (import.meta.main) {
  const { artifact } = await builtIsolate("javascript");
  const memoryBytes = MEMORY_BYTES.javascript;
  const engine = await createJavaScriptEngine({
    ...artifact,
    memoryBytes,
    stackBytes: TEST_STACK_BYTES,
  });
  const all: Record<string, readonly Difference[]> = {};
  for (const program of readPrograms()) {
    const node = encodeOutcome(readExpected(program.name)).split("\n");
    const found = differences(node, encodeOutcome(runInEngine(engine, program)).split("\n"));
    if (found.length > 0) all[program.name] = found;
  }
  await Deno.writeTextFile(FILE, `${JSON.stringify(all, undefined, 2)}\n`);
}
