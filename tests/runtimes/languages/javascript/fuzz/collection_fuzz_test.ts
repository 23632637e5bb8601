// test: long
/**
 * Random programs of closures, generators, async functions and `arguments`, with garbage collections
 * at random points: none crashes, and each gives what it gives in Node. `SEED` repeats the programs
 * of a run.
 */
import { assertEquals } from "@std/assert";
import { quickJsModule } from "../../../../../runtimes/languages/javascript/build/builder.ts";
import { builtIsolate } from "../../../../support/built.ts";
import { count } from "../../../../support/counts.ts";
import { printedSeed } from "../../../../support/random.ts";
import { BareEngine, thresholdOffset } from "./bare_engine.ts";
import { HAS_NODE, outputInNode, scriptOf } from "./in_node.ts";

const PROGRAMS = count(4_000, 100_000);
const BATCH = 1_000;
const FUNCTIONS = scriptOf("random.js", "collected_programs.js") +
  "globalThis.shown = shown; globalThis.collect = () => { collectSoon(); return {}; }; var out;\n";
const IN_NODE = "globalThis.collectSoon = () => {};\n";

/** A script that puts the JSON of a promised value into `out`, or an error. */
function told(promise: string): string {
  return `${promise}.then((v) => out = JSON.stringify(v), (e) => out = '"' + e + '"')`;
}

/** A promised value in the engine and in Node. */
async function both(engine: () => BareEngine, promise: string) {
  const inNode = outputInNode(
    `${IN_NODE}${FUNCTIONS}${told(promise)}.then(() => console.log(out));`,
  );
  const inEngine = engine().outputOf(`${FUNCTIONS}${told(promise)};`);
  const [guest, node]: unknown[] = [inEngine, await inNode].map((text) => JSON.parse(text));
  return { guest, node };
}

async function engines(): Promise<() => BareEngine> {
  const { artifact } = await builtIsolate("javascript");
  const module = new WebAssembly.Module(artifact.module);
  const threshold = thresholdOffset(await quickJsModule());
  return () => new BareEngine(module, threshold);
}

Deno.test("javascript: the next allocation after the call collects garbage with cycles", async () => {
  const engine = (await engines())();
  const output = engine.outputOf(`${FUNCTIONS}
    const make = () => { const a = {}; a.a = a; return new WeakRef(a); };
    const refs = [make(), make()];
    const before = refs.map((ref) => ref.deref() !== undefined);
    Promise.resolve().then(collect).then(() => {
      out = JSON.stringify([before, refs.map((ref) => ref.deref() !== undefined)]);
    });`);
  assertEquals(JSON.parse(output), [[true, true], [false, false]]);
});

Deno.test({
  name: `javascript: ${PROGRAMS} random programs with collections at random points do not crash`,
  ignore: !HAS_NODE,
  fn: async () => {
    const engine = await engines();
    const first = printedSeed("programs with collections");
    for (let done = 0; done < PROGRAMS; done += BATCH) {
      const seed = first + done;
      const { guest, node } = await both(engine, `collectedDigests(${seed}, ${BATCH})`);
      if (!Array.isArray(guest) || !Array.isArray(node)) throw new Error(`${guest}\n${node}`);
      const different = node.findIndex((digest, index) => digest !== guest[index]);
      if (different >= 0) {
        const trace = await both(engine, `collectedTrace(${seed + different})`);
        assertEquals(trace.guest, trace.node, `The program of seed ${seed + different} differs`);
      }
      assertEquals(guest, node);
    }
  },
});
