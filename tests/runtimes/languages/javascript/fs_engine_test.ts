/**
 * `fs` inside the engine: the cases give the same results there as outside, where `fs_test.ts`
 * compares them with Node.
 */
import { assertEquals, assertLess } from "@std/assert";
import type { RunOutcome, RunRequest } from "../../../../runtimes/engine/engine.ts";
import { createJavaScriptEngine } from "../../../../runtimes/languages/javascript/create.ts";
import { bundle } from "../../../../runtimes/builder/bundle.ts";
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { builtIsolate, TEST_STACK_BYTES } from "../../../support/built.ts";
import { outcomes } from "./fs_outcomes.mjs";
import { fsUnderTest } from "./fs_support.ts";

const LIMITS = {
  fuel: Number.MAX_SAFE_INTEGER,
  outputBytes: 1_000_000,
  outputLines: 10_000,
  resultBytes: 1_000_000,
  tracebackBytes: 10_000,
  displayBytes: 1 << 20,
  wallMs: 60_000,
};

const { artifact } = await builtIsolate("javascript");
const engine = await createJavaScriptEngine({
  ...artifact,
  memoryBytes: MEMORY_BYTES.javascript,
  stackBytes: TEST_STACK_BYTES,
});

function run(code: string): RunOutcome & { readonly output: string } {
  const decoder = new TextDecoder();
  let output = "";
  const request: RunRequest = { code, env: new Map(), typescript: false, limits: LIMITS };
  const outcome = engine.run(request, (_stream, bytes) => {
    output += decoder.decode(bytes, { stream: true });
    return true;
  });
  engine.reset();
  return { ...outcome, output };
}

Deno.test("fs in the engine: every case ends as outside the engine", async () => {
  const code = await bundle(new URL("./fs_outcomes_guest.mjs", import.meta.url), "browser");
  const { output, ending } = run(code);
  assertEquals(ending, { kind: "text", text: "true" });
  assertEquals(JSON.parse(output), await outcomes(fsUnderTest().fs, "/workspace"));
});

Deno.test("fs in the engine: the standard streams are descriptors 1 and 2", () => {
  const { output } = run(
    "require('fs').writeSync(1, 'one\\n'); require('fs').appendFileSync(2, 'two')",
  );
  assertEquals(output, "one\ntwo");
});

Deno.test("fs in the engine: files do not outlive the run", () => {
  run("require('fs').writeFileSync('kept', 'x')");
  assertEquals(run("require('fs').existsSync('kept')").ending, { kind: "text", text: "false" });
});

Deno.test("fs in the engine: the same calls cost the same fuel, more bytes cost more", () => {
  const fuel = (bytes: number) =>
    run(`require('fs').writeFileSync('f', new Uint8Array(${bytes}))`).fuelConsumed;
  fuel(10);
  assertEquals(fuel(10), fuel(10));
  assertEquals(fuel(4_000_000) > fuel(10) + 1_000_000, true);
});

Deno.test("fs in the engine: transferred bytes leave no memory behind", () => {
  const { memoryBytes, ending } = run(`
    const fs = require('fs'), bytes = new Uint8Array(1 << 20);
    for (let i = 0; i < 50; i++) {
      fs.writeFileSync('f', bytes);
      fs.readFileSync('f');
      fs.readFileSync('f', 'latin1');
    }
    0`);
  assertEquals(ending, { kind: "text", text: "0" });
  assertLess(memoryBytes, 32 * 1024 * 1024);
});

Deno.test("fs in the engine: poisoned prototypes lead to no host function", () => {
  const poison = `
    const fs = require('fs'), caught = [], push = [].push, apply = Reflect.apply;
    const { getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
    for (const holder of [Array.prototype, String.prototype, Object, JSON, Map.prototype]) {
      for (const name of getOwnPropertyNames(holder)) {
        const method = getOwnPropertyDescriptor(holder, name).value;
        if (typeof method !== 'function' || name === 'constructor') continue;
        holder[name] = function (...args) {
          apply(push, caught, [this, ...args]);
          return apply(method, this, args);
        };
      }
    }
    fs.mkdirSync('a/b', { recursive: true });
    fs.writeFileSync('a/f', 'text');
    fs.readdirSync('.', { recursive: true });
    fs.rmSync('a', { recursive: true });
    for (const value of caught) {
      if (typeof value === 'function') { try { value('err', 'LEAK') } catch { continue } }
    }`;
  const { output, ending } = run(poison);
  assertEquals([output, ending], ["", { kind: "none" }]);
});
