/**
 * Stateless runs through a sandbox: what the caller may send, and what reaches the runtime with
 * the sandbox's variables added.
 */
import { assertEquals } from "@std/assert";
import { contextsNotSupported, createRuntimeApp } from "../../runtimes/app.ts";
import { statelessRuns } from "../../runtimes/stateless_runs.ts";
import type { RunRequest } from "../../runtimes/engine/engine.ts";
import type { KvStore } from "../../store/kv.ts";
import type { RuntimeBinding } from "../../shared/binding.ts";
import { limitsByLanguage, SANDBOX_LIMITS, SHARED_LIMITS } from "../../shared/limits.ts";
import { plainAnswer } from "../runtimes/pool/fake_isolate.ts";
import { assertFailure, Caller, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { jsonPost } from "../support/json_post.ts";

const { codeBytes, requestBytes } = SHARED_LIMITS;
const { envLayerBytes } = SANDBOX_LIMITS;
const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"];

/** A Python runtime without contexts, and the runs that it was asked for. */
function statelessRuntime() {
  const runs: RunRequest[] = [];
  const output = { stdout: new Uint8Array(), stderr: new Uint8Array(), displays: [] };
  const shared = {
    language: "python",
    engine: "Test 1.0",
    limits: limitsByLanguage().python,
  } as const;
  const execute = statelessRuns({
    ...shared,
    run: (request) => {
      runs.push(request);
      const run = { answer: plainAnswer(1), unreadable: false, output };
      return Promise.resolve({ queueMs: 0, runMs: 0, killed: false, end: "answered", run });
    },
    onKill: () => undefined,
  });
  const app = createRuntimeApp({
    ...shared,
    hasContexts: true,
    clock: Date.now,
    execute,
    onUnexpected: (thrown) => {
      throw thrown;
    },
  });
  const binding: RuntimeBinding = {
    language: "python",
    engine: "fake",
    fetch: async (request) => await app.fetch(request),
    execute,
    executeInContext: () => Promise.reject(contextsNotSupported()),
  };
  return { binding, runs };
}

/** As many variables with the shortest names as a layer, and its request, can have. */
function manyVariables(): Record<string, string> {
  const two = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const three = two.flatMap((start) => LETTERS.map((last) => start + last));
  return Object.fromEntries([...LETTERS, ...two, ...three].slice(0, 10_000).map((n) => [n, ""]));
}

const layers: Readonly<Record<string, Record<string, string>>> = {
  "one long value": { BIG: "x".repeat(envLayerBytes - 3) },
  "a value that is six times as long in JSON": { BIG: "\x01".repeat(15_000) },
  "ten thousand names without values": manyVariables(),
};

async function runsWithLayer(store: KvStore, binding: RuntimeBinding, name: string) {
  const box = new Caller(sandboxProcess(store, { bindings: new Map([["PYTHON", binding]]) }), name);
  const code = "\n".repeat(codeBytes / 4) + "x".repeat(codeBytes * 3 / 4);
  await box.ok("POST", "/env", { envVars: layers[name.replaceAll("-", " ")] });
  const result = await box.ok("POST", "/execute", { code, binding: "PYTHON" });
  assertEquals([result["code"] === code, "context" in result], [true, false]);
}

for (const [name, layer] of Object.entries(layers)) {
  Deno.test(`layered request: the longest code runs statelessly in a sandbox with ${name}`, () =>
    withStore(async (store) => {
      const { binding, runs } = statelessRuntime();
      await runsWithLayer(store, binding, name.replaceAll(" ", "-"));
      assertEquals([...(runs[0]?.env ?? [])], Object.entries(layer));
    }));
}

Deno.test("layered request: the contract's limit applies to the caller's own part", () =>
  withStore(async (store) => {
    const { binding, runs } = statelessRuntime();
    const box = new Caller(sandboxProcess(store, { bindings: new Map([["PYTHON", binding]]) }));
    const body = { code: "1", binding: "PYTHON", other: "x".repeat(requestBytes) };
    await box.fails(413, "VALIDATION_FAILED", "POST", "/execute", body);
    const request = new Request(
      "http://runtime.internal/execute",
      jsonPost({ code: "1", envVars: { A: "x".repeat(requestBytes) } }),
    );
    await assertFailure(await binding.fetch(request), 413, "VALIDATION_FAILED");
    assertEquals(runs, []);
  }));
