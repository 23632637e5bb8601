/** Runs in a sandbox (docs/contract.md#client-runcode). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { SandboxError, ValidationFailedError } from "../../../client/mod.ts";
import { type ConformanceCase, inSandbox } from "./case.ts";

/** Cases about runs in a sandbox. */
export const RUN_CASES: readonly ConformanceCase[] = [
  inSandbox("runCode rule 1: with a context, the code runs in it", async ({ interpreter }) => {
    const context = await interpreter.createCodeContext({ binding: "JAVASCRIPT" });
    const other = await interpreter.createCodeContext({ binding: "JAVASCRIPT" });
    await interpreter.runCode("const x = 41;", { context });
    const result = await interpreter.runCode("x + 1", { context });
    assertEquals(result.results[0]?.text, "42");
    assertEquals(result.executionCount, 2);
    assertEquals([result.context?.id, result.context?.executions], [context.id, 2]);
    const elsewhere = await interpreter.runCode("typeof x", { context: other });
    assertEquals(elsewhere.results[0]?.text, "'undefined'");
  }),
  inSandbox("runCode rule 1: a context counts, a binding beside it does not", async (sandbox) => {
    const context = await sandbox.interpreter.createCodeContext({ binding: "PYTHON" });
    const options = { context, binding: "JAVASCRIPT" } as const;
    const result = await sandbox.interpreter.runCode("6 * 7", options);
    assertEquals([result.language, result.context?.id], ["python", context.id]);
  }),
  inSandbox("runCode rule 2: the default context is made when there is none", async (sandbox) => {
    const { interpreter } = sandbox;
    await interpreter.runCode("x = 41", { binding: "PYTHON" });
    const result = await interpreter.runCode("x + 1", { binding: "PYTHON" });
    assertEquals(result.results[0]?.text, "42");
    const contexts = await interpreter.listCodeContexts();
    assertEquals(contexts.map(({ id, cwd }) => [id, cwd]), [[result.context?.id, "/workspace"]]);
  }),
  inSandbox("runCode rule 2: the default context is the oldest of the binding", async (sandbox) => {
    const { interpreter } = sandbox;
    await interpreter.createCodeContext({ binding: "PYTHON" });
    const oldest = await interpreter.createCodeContext({ binding: "JAVASCRIPT" });
    await interpreter.createCodeContext({ binding: "JAVASCRIPT" });
    const { context } = await interpreter.runCode("1", { binding: "JAVASCRIPT" });
    assertEquals(context?.id, oldest.id);
  }),
  inSandbox("runCode rule 3: without contexts it runs statelessly", async ({ interpreter }) => {
    const result = await interpreter.runCode("6 * 7", { binding: "RUBY" });
    assertEquals([result.language, result.results[0]?.text], ["ruby", "42"]);
    assertEquals([result.context, result.executionCount], [undefined, undefined]);
    assertEquals(await interpreter.listCodeContexts(), []);
  }),
  inSandbox("runCode rule 4: Pass a context or a binding", async ({ interpreter }) => {
    const calls = [
      () => interpreter.runCode("1"),
      () => interpreter.runCode("1", {}),
      () => interpreter.runCode("1", { context: undefined, binding: undefined }),
    ];
    for (const call of calls) {
      const error = await assertRejects(call, ValidationFailedError);
      // names that exist may follow
      assertEquals(error.message.split(":")[0], "Pass a context or a binding");
      assertEquals([error.code, error.httpStatus], ["VALIDATION_FAILED", 400]);
    }
  }),
  inSandbox("runCode rule 5: resolves when the guest fails; state is kept", async (sandbox) => {
    const { interpreter } = sandbox;
    const options = { binding: "JAVASCRIPT" } as const;
    const { error, results } = await interpreter.runCode(
      "var y = 1; throw new Error('no')",
      options,
    );
    assertEquals([error?.name, error?.message, results.length], ["Error", "no", 0]);
    assertEquals((await interpreter.runCode("y", options)).results[0]?.text, "1");
  }),
  inSandbox("runCode rule 6: callbacks in order of arising", async ({ interpreter }) => {
    const order: string[] = [];
    const code = "console.error('e'); console.log('o'); undefined_name";
    await interpreter.runCode(code, {
      binding: "JAVASCRIPT",
      onStdout: ({ text }) => void order.push(text),
      onStderr: ({ text }) => void order.push(text),
      onResult: () => void order.push("result"),
      onError: ({ name }) => void order.push(name),
    });
    assertEquals(order, ["e", "o", "ReferenceError"]);
  }),
  inSandbox("runCode rule 7: fuel bounds the guest, not the timeout", async ({ interpreter }) => {
    const options = { binding: "JAVASCRIPT", timeout: 60_000 } as const;
    const { error } = await interpreter.runCode("while (true) {}", options);
    assertEquals(error?.name, "ExecutionLimitError");
  }),
  inSandbox("runCode: limits hold for the run, not for the next one", async ({ interpreter }) => {
    const run = async (limits?: { fuel?: number; wallMs?: number }) => {
      const { usage } = await interpreter.runCode("1", { binding: "JAVASCRIPT", limits });
      return usage?.fuelLimit ?? 0;
    };
    assertEquals(await run({ fuel: 40_000_000, wallMs: 5_000 }), 40_000_000);
    assert(await run() > 40_000_000);
    const tooMuch = () => run({ fuel: Number.MAX_SAFE_INTEGER });
    const { message } = await assertRejects(tooMuch, ValidationFailedError);
    assert(/^limits\.fuel must be at most \d+$/.test(message), message);
  }),
  inSandbox("runCode: stdin is what the program reads, once", async ({ interpreter }) => {
    const code = "require('fs').readFileSync(0, 'utf8')";
    const run = async (stdin?: string) => {
      return (await interpreter.runCode(code, { binding: "JAVASCRIPT", stdin })).results[0]?.text;
    };
    assertEquals(await run("grüße 🌍"), "'grüße 🌍'");
    assertEquals([await run(), await run("")], ["''", "''"]);
  }),
  inSandbox("runCode: one idempotencyKey is one run", async ({ interpreter }) => {
    const options = { binding: "JAVASCRIPT", idempotencyKey: crypto.randomUUID() } as const;
    const code = "globalThis.n = (globalThis.n ?? 0) + 1; console.log('run', n); n";
    const told: string[] = [];
    const first = await interpreter.runCode(code, options);
    const again = await interpreter.runCode(code, {
      ...options,
      onStdout: ({ text }) => void told.push(text),
    });
    assertEquals(again, first);
    assertEquals([told, first.executionCount], [["run 1"], 1]);
    const other = () => interpreter.runCode("n", options);
    assertEquals((await assertRejects(other, SandboxError)).code, "CONFLICT");
    const { results } = await interpreter.runCode("n", { binding: "JAVASCRIPT" });
    assertEquals(results[0]?.text, "1");
  }),
  inSandbox("runCode: ifExecutions is the number of runs before", async ({ interpreter }) => {
    const run = (ifExecutions: number) =>
      interpreter.runCode("1", { binding: "JAVASCRIPT", ifExecutions });
    assertEquals((await run(0)).executionCount, 1);
    for (const wrong of [0, 2]) {
      const error = await assertRejects(() => run(wrong), SandboxError);
      assertEquals([error.code, error.httpStatus], ["PRECONDITION_FAILED", 412]);
    }
    assertEquals((await run(1)).executionCount, 2);
  }),
  inSandbox("runCode: per-call variables win, undefined unsets for the call", async (sandbox) => {
    const { interpreter } = sandbox;
    await sandbox.setEnvVars({ A: "sandbox", B: "sandbox" });
    const context = await interpreter.createCodeContext({
      binding: "JAVASCRIPT",
      envVars: { A: "context" },
    });
    const run = async (envVars?: Record<string, string | undefined>) => {
      const code = "[process.env.A ?? null, process.env.B ?? null]";
      return (await interpreter.runCode(code, { context, envVars })).results[0]?.json;
    };
    assertEquals(await run(), ["context", "sandbox"]);
    assertEquals(await run({ A: "call", B: undefined }), ["call", null]);
    assertEquals(await run({ A: undefined }), [null, "sandbox"]);
    assertEquals(await run(), ["context", "sandbox"]);
  }),
  inSandbox("setEnvVars: reaches every context; undefined unsets", async (sandbox) => {
    const { interpreter } = sandbox;
    assertEquals(await sandbox.setEnvVars({ KEY: "v", OTHER: "w" }), undefined);
    const read = async () => {
      const code = "process.env.KEY ?? null";
      return (await interpreter.runCode(`[${code}]`, { binding: "JAVASCRIPT" })).results[0]?.json;
    };
    assertEquals(await read(), ["v"]);
    assertEquals([...(await sandbox.info()).envVars].sort(), ["KEY", "OTHER"]);
    await sandbox.setEnvVars({ KEY: undefined });
    assertEquals(await read(), [null]);
    assertEquals((await sandbox.info()).envVars, ["OTHER"]);
  }),
  inSandbox("setEnvVars: __proto__ is a name like any other", async (sandbox) => {
    await sandbox.setEnvVars(JSON.parse('{"__proto__": "x", "constructor": "y"}'));
    assertEquals([...(await sandbox.info()).envVars].sort(), ["__proto__", "constructor"]);
  }),
  inSandbox("setEnvVars: a bad name is refused, and named", async (sandbox) => {
    const set = () => sandbox.setEnvVars({ "not-a-name": "x" });
    const { message } = await assertRejects(set, ValidationFailedError);
    assertEquals(message, "Invalid environment variable name 'not-a-name'");
  }),
  inSandbox("the same sandbox id is the same sandbox", async (sandbox, env) => {
    await sandbox.interpreter.runCode("x = 1", { binding: "JAVASCRIPT" });
    await sandbox.interpreter.runCode("x = 1", { binding: "PYTHON" });
    const contexts = (await sandbox.info()).contexts;
    assertEquals(contexts.map(({ binding }) => binding).sort(), ["JAVASCRIPT", "PYTHON"]);
    assert(contexts.every(({ executions }) => executions === 1));
    assert(env.Sandbox.get(env.Sandbox.idFromName(sandbox.id)) !== undefined);
  }),
];
