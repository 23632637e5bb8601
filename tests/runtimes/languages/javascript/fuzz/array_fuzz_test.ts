// test: long
/**
 * Random programs of array operations, in the engine and in Node: holes, deletions at the ends,
 * lengths, pushes, callbacks that change their array. `SEED` repeats the programs of a run.
 */
import { assertEquals } from "@std/assert";
import { count } from "../../../../support/counts.ts";
import { printedSeed } from "../../../../support/random.ts";
import { runGuest } from "../guest/support.ts";
import { HAS_NODE, outputInNode, scriptOf } from "./in_node.ts";

const PROGRAMS = count(20_000, 1_000_000);
const BATCH = 2_000;
/** More than a batch needs. */
const FUEL = 2 ** 50;
const FUNCTIONS = scriptOf("random.js", "array_programs.js");

async function outputInGuest(script: string): Promise<string> {
  const { ending, stdout } = await runGuest(script, { fuel: FUEL });
  assertEquals(ending, { kind: "none" });
  return stdout;
}

/** Both outputs of a script. */
async function outputs(script: string): Promise<readonly [guest: string, node: string]> {
  const inNode = outputInNode(FUNCTIONS + script);
  return [await outputInGuest(FUNCTIONS + script), await inNode];
}

/** Compares a program line by line, for the message. */
async function assertSameTrace(seed: number): Promise<void> {
  const both = await outputs(`console.log(JSON.stringify(arrayTrace(${seed})));`);
  const [guest, node]: readonly string[][] = both.map((text) => JSON.parse(text));
  assertEquals(guest, node, `The program of seed ${seed} differs`);
}

Deno.test({
  name: `javascript: ${PROGRAMS} random programs of array operations give what they give in Node`,
  ignore: !HAS_NODE,
  fn: async () => {
    const first = printedSeed("array programs");
    for (let done = 0; done < PROGRAMS; done += BATCH) {
      const seed = first + done;
      const script = `console.log(arrayDigests(${seed}, ${BATCH}).join(" "));`;
      const [guest, node] = (await outputs(script)).map((text) => text.trim().split(" "));
      const different = node?.findIndex((digest, index) => digest !== guest?.[index]) ?? -1;
      if (different >= 0) await assertSameTrace(seed + different);
      assertEquals(guest, node);
    }
  },
});
