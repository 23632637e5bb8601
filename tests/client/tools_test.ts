// test: slow
/** Programs call functions of the client's caller and ask it, against the real service. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { z } from "zod";
import {
  connect,
  getSandbox,
  runCode,
  SandboxError,
  ToolDenied,
  type Tools,
} from "../../client/mod.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/wait.ts";

const PEOPLE: Tools = {
  "crm.find": {
    description: "Finds a person",
    inputSchema: z.object({ q: z.string(), limit: z.number().default(3) }),
    execute: ({ q, limit }) => ({ name: String(q), limit: limit ?? null }),
  },
  later: async ({ ms, value }) => {
    await new Promise((resolve) => setTimeout(resolve, Number(ms)));
    return value;
  },
  fails: () => {
    throw Object.assign(new Error("no luck"), { data: { code: 7 } });
  },
  pay: () => {
    throw new ToolDenied("ask the boss");
  },
  nothing: () => undefined,
  strange: () => 10n,
};

const PROGRAMS = {
  javascript: `
    const found = await tools.crm.find({ q: "Ada" });
    const both = await Promise.all([
      tools.later({ ms: 60, value: "slow" }),
      tools.later({ ms: 1, value: "fast" }),
    ]);
    const errors = [];
    for (const name of ["fails", "pay", "strange"]) {
      try { await tools[name]({}); } catch (error) { errors.push([error.name, error.message]); }
    }
    console.log("done");
    [found, both, await tools.nothing(), errors]`,
  python: `
import asyncio
found = tools.crm.find(q="Ada")
async def both():
    return await asyncio.gather(tools.later.start(ms=60, value="slow"), tools.later.start(ms=1, value="fast"))
two = await both()
errors = []
for tool in (tools.fails, tools.pay, tools.strange):
    try: tool()
    except ToolError as error: errors.append([type(error).__name__, str(error)])
print("done")
[found, two, tools.nothing(), errors]`,
} as const;

Deno.test("client tools, real service", async (test) => {
  await using service = await startService({ LANGUAGES: "javascript,python" });
  const env = connect(service.url);
  const bindings = { javascript: env.JAVASCRIPT, python: env.PYTHON };

  for (const [language, code] of Object.entries(PROGRAMS)) {
    await test.step(`${language} calls tools, which answer, fail and deny`, async () => {
      const lines: string[] = [];
      const binding = bindings[language as keyof typeof bindings];
      for (const onStdout of [undefined, ({ text }: { text: string }) => void lines.push(text)]) {
        const { results, error, waiting } = await runCode(binding, code, {
          tools: PEOPLE,
          onStdout,
        });
        assertEquals([error, waiting], [undefined, undefined]);
        const [found, both, nothing, errors] = results[0]?.json as unknown[];
        assertEquals([found, both, nothing], [
          { name: "Ada", limit: 3 },
          ["slow", "fast"],
          null,
        ]);
        assertEquals((errors as unknown[]).slice(0, 2), [
          ["ToolError", "no luck"],
          ["ToolDenied", "ask the boss"],
        ]);
        assertStringIncludes(JSON.stringify(errors), "BigInt");
      }
      assertEquals(lines, ["done"]);
    });
  }

  await test.step("onInput answers questions, and null ends the input", async () => {
    const prompts: string[] = [];
    const code =
      "name = input('Name? ')\nage = input('Age? ')\nimport sys\n[name, age, sys.stdin.read()]";
    const { results, error } = await runCode(env.PYTHON, code, {
      onInput: (prompt) => {
        prompts.push(prompt);
        return ["Ada", "36"][prompts.length - 1] ?? null;
      },
    });
    assertEquals(error, undefined);
    assertEquals(results[0]?.json, ["Ada", "36", ""]);
    assertEquals(prompts.slice(0, 2), ["Name? ", "Age? "]);
  });

  await test.step("in a context, which remembers what tools gave", async () => {
    await using sandbox = getSandbox(env.Sandbox, "tools", { ephemeral: true });
    const context = await sandbox.interpreter.createCodeContext({ binding: "PYTHON" });
    await sandbox.interpreter.runCode("x = tools.crm.find(q='Ada')", { context, tools: PEOPLE });
    const { results } = await sandbox.interpreter.runCode("x", { context });
    assertEquals(results[0]?.json, { name: "Ada", limit: 3 });
  });

  await test.step("a run waits, is found, answered by somebody else, and ends", async () => {
    await using sandbox = getSandbox(env.Sandbox, "runs", { ephemeral: true });
    const context = await sandbox.interpreter.createCodeContext({ binding: "JAVASCRIPT" });
    let release: (value: string) => void = () => undefined;
    const asked = Promise.withResolvers<void>();
    const held = new Promise<string>((resolve) => release = resolve);
    const whole = sandbox.interpreter.runCode("const a = await tools.ask({}); a", {
      context,
      tools: { ask: () => (asked.resolve(), held) },
    });
    whole.catch(() => undefined); // a failed check below disposes of the sandbox first
    await asked.promise;
    const [summary] = await sandbox.runs.list();
    assertEquals(summary?.contextId, context.id);
    const run = summary?.id ?? "";
    const { waiting } = await sandbox.runs.get(run);
    const [call] = waiting?.calls ?? [];
    assertEquals(call?.name, "ask");
    const answers = [{ key: call?.key ?? "", value: "from elsewhere" }];
    const ended = await sandbox.runs.answer(run, answers);
    assertEquals(ended.results[0]?.text, "'from elsewhere'");
    assertEquals((await whole).results[0]?.text, "'from elsewhere'");
    release("too late");
    assertEquals((await sandbox.runs.get(run)).state, "ended");
    for (const id of ["none", "..", ""]) {
      const error = await assertRejects(() => sandbox.runs.get(id), SandboxError);
      assertEquals(error.code, "RUN_NOT_FOUND");
    }
  });

  await test.step("an abort, and a callback that throws, cancel the run", async () => {
    await using sandbox = getSandbox(env.Sandbox, "ends", { ephemeral: true });
    const isOver = async () =>
      (await sandbox.runs.list()).every(({ state }) => state === "cancelled");
    const run = (options: object) =>
      sandbox.interpreter.runCode("await tools.ask({})", { binding: "JAVASCRIPT", ...options });
    const abort = new AbortController();
    const ask = () => {
      abort.abort(new Error("enough"));
      return new Promise(() => undefined);
    };
    await assertRejects(() => run({ tools: { ask }, signal: abort.signal }), Error, "enough");
    await until(isOver);
    const failing = sandbox.interpreter.runCode(
      "require('readline').createInterface({ input: process.stdin }).on('line', () => 0)",
      {
        binding: "JAVASCRIPT",
        onInput: () => Promise.reject(new Error("nobody is here")),
      },
    );
    await assertRejects(() => failing, Error, "nobody is here");
    await until(isOver);
  });

  await test.step("malformed tools are refused before anything is sent", async () => {
    for (const tools of [null, 1, { a: 1 }, { a: {} }, { a: { execute: 1 } }]) {
      await assertRejects(
        () => Reflect.apply(runCode, undefined, [env.PYTHON, "1", { tools }]),
        SandboxError,
        "tools",
      );
    }
    const error = await assertRejects(
      () => runCode(env.PYTHON, "1", { tools: { "a b": () => 1 } }),
      SandboxError,
    );
    assert(error.code === "VALIDATION_FAILED");
  });
});
