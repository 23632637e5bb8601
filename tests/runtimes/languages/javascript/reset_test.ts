import { assert, assertEquals } from "@std/assert";
import { createJavaScriptEngine } from "../../../../runtimes/languages/javascript/create.ts";
import type { JavaScriptEngine } from "../../../../runtimes/languages/javascript/engine.ts";
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { builtIsolate, TEST_STACK_BYTES } from "../../../support/built.ts";

const CANARY = "canary-5f2e91";

/** Programs that leave traces in different places. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "a value": "6 * 7",
  "a secret": `globalThis.secret = ${JSON.stringify(CANARY)} + Date.now(); secret.length`,
  "many objects": "globalThis.kept = Array.from({length: 5000}, (_, i) => ({i, s: 'k' + i})); 1",
  "a few MiB": "globalThis.kept = new Uint8Array(3 << 20).fill(7); 1",
  "memory that grew": "globalThis.kept = new Uint8Array(20 << 20).fill(7); 1",
  "deep recursion": "function f(n) { return n ? f(n - 1) + 1 : 0 } f(500)",
  "recursion to the end": "function f() { f() } try { f() } catch {} 1",
  "deep parsing": "try { eval('['.repeat(5000)) } catch {} 1",
  "an exception": "throw new Error('x')",
  "a stopped loop": "for (;;);",
  "pending promises": "setTimeout(() => {}, 1); new Promise(() => {}).then(() => {}); 1",
  "poison": "Object.prototype.x = 1; Array.prototype.map = 2; delete globalThis.JSON; 1",
  "files": `require('fs').writeFileSync('a.txt', ${JSON.stringify(CANARY)}); 1`,
  "exit": "process.exit(3)",
  "TypeScript": `enum E { ${CANARY.replace("-", "_")} } const e: E = 0; e`,
};

const LIMITS = {
  fuel: 300_000_000,
  outputBytes: 10_000,
  outputLines: 100,
  resultBytes: 10_000,
  tracebackBytes: 10_000,
  displayBytes: 1 << 20,
  wallMs: 1_000,
};

async function newEngine(): Promise<JavaScriptEngine> {
  const { artifact } = await builtIsolate("javascript");
  return await createJavaScriptEngine({
    ...artifact,
    memoryBytes: MEMORY_BYTES.javascript,
    stackBytes: TEST_STACK_BYTES,
  });
}

/** The memory that a guest sees. What the instance has beyond it must be zero. */
function memoryOf(engine: JavaScriptEngine): Uint8Array {
  const memory = engine.state.memory();
  assert(new Uint8Array(memory.buffer, memory.length).every((byte) => byte === 0));
  return memory.slice();
}

/** The first address at which two memories differ; -1 when they are equal. */
function firstDifference(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return Math.min(a.length, b.length);
  return a.findIndex((byte, at) => byte !== b[at]);
}

Deno.test("javascript reset: memory is the baseline, byte for byte, after any program", async (t) => {
  const engine = await newEngine();
  engine.reset();
  const baseline = memoryOf(engine);
  for (const [name, code] of Object.entries(PROGRAMS)) {
    await t.step(name, () => {
      const request = { code, env: new Map([["SECRET", CANARY]]), typescript: false };
      engine.run({ ...request, limits: LIMITS }, () => true);
      engine.reset();
      assertEquals(firstDifference(memoryOf(engine), baseline), -1);
    });
  }
});

Deno.test("javascript reset: the next run does not see the files of a run", async () => {
  const engine = await newEngine();
  const run = (code: string) => {
    engine.reset();
    return engine.run({ code, env: new Map(), typescript: false, limits: LIMITS }, () => true)
      .ending;
  };
  const write =
    "const fs = require('fs'); fs.writeFileSync('a', '1'); fs.writeFileSync('/tmp/b', '2'); 1";
  assertEquals(run(write), { kind: "text", text: "1" });
  const look = "const fs = require('fs'); [fs.readdirSync('/workspace'), fs.readdirSync('/tmp')]";
  assertEquals(run(look), { kind: "json", json: "[[],[]]" });
});

Deno.test("javascript image: two engines start from the same bytes", async () => {
  const [first, second] = [await newEngine(), await newEngine()];
  first.reset();
  second.reset();
  assertEquals(firstDifference(memoryOf(first), memoryOf(second)), -1);
});
