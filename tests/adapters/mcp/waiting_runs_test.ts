/** Runs that wait, by the tools of MCP: questions to users, calls for models, progress, cancellation. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { CallToolResult, ElicitResult, Progress } from "@modelcontextprotocol/client";
import { z } from "zod";
import { runSchema } from "../../../adapters/mcp/run_schemas.ts";
import { sharedService } from "../../support/shared_service.ts";
import { connectTo, type McpClient, REVISIONS, textOf } from "./client.ts";

const service = sharedService({ LANGUAGES: "javascript,python" });

const PYTHON = { language: "python", interactive: true };

/** The waiting state of a result. */
function waitingOf({ structuredContent, content }: CallToolResult) {
  const { waiting } = runSchema.parse(structuredContent);
  assert(waiting !== undefined, JSON.stringify(content));
  return waiting;
}

function line(text: string): ElicitResult {
  return { action: "accept", content: { line: text } };
}

/** Answers the only question of a run. */
async function answerLine(
  client: McpClient,
  told: CallToolResult,
  value: string | null,
): Promise<CallToolResult> {
  const { run, input } = waitingOf(told);
  return await client.call("answer_run", { run, answers: [{ key: input?.key, value }] });
}

Deno.test("mcp runs: a question reaches the user of the client, with the output before it", async () => {
  const asked: string[] = [];
  await using client = await connectTo(service().url, {
    ask: (message) => {
      asked.push(message);
      return line(asked.length === 1 ? "Ada" : "");
    },
  });
  for (const place of [{}, { sandbox: "asked" }]) {
    asked.length = 0;
    const code = `print('Hello')
name = input('Name? ')
print('Hi', name)
print(repr(input()))`;
    const told = await client.call("run_code", { ...PYTHON, ...place, code });
    assertEquals(asked, ["Hello\nName?", "Hi Ada"], JSON.stringify(told));
    assertEquals(textOf(told), "Hello\nName? Hi Ada\n''");
    assertEquals(told.isError ?? false, false);
  }
});

Deno.test("mcp runs: a declined question is the end of input", async () => {
  await using client = await connectTo(service().url, { ask: () => ({ action: "decline" }) });
  const told = await client.call("run_code", { ...PYTHON, code: "input('More? ')" });
  assertStringIncludes(textOf(told), "EOFError");
  assertEquals(told.isError, true);
});

Deno.test("mcp runs: a dismissed question goes to the model, and the run waits", async () => {
  let asked = 0;
  await using client = await connectTo(service().url, {
    ask: () => {
      asked++;
      return { action: "cancel" };
    },
  });
  const told = await client.call("run_code", { ...PYTHON, code: "input('Name? ') + '!'" });
  assertEquals(asked, 1);
  assertEquals(waitingOf(told).input?.prompt, "Name? ");
  assertStringIncludes(textOf(await answerLine(client, told, "Ada")), "Ada!");
});

Deno.test("mcp runs: after eight questions the model goes on, and no round is lost", async () => {
  let asked = 0;
  await using client = await connectTo(service().url, { ask: () => line(String(asked++)) });
  const code = "sum(int(input()) for _ in range(20))";
  let told = await client.call("run_code", { ...PYTHON, code });
  const rounds = [asked];
  while (runSchema.parse(told.structuredContent).waiting !== undefined) {
    told = await client.call("answer_run", { run: waitingOf(told).run });
    rounds.push(asked);
  }
  assertEquals(rounds, [8, 16, 20]);
  assertStringIncludes(textOf(told), "[result]\n190");
});

Deno.test("mcp runs: a client that cannot ask gets the run, its question and its key", async () => {
  for (const revision of REVISIONS) {
    await using client = await connectTo(service().url, { revision });
    const told = await client.call("run_code", {
      ...PYTHON,
      code: "print(1)\ninput('Name? ') * 2",
    });
    assertEquals(told.isError ?? false, false);
    const { run, input } = waitingOf(told);
    const text = textOf(told);
    for (
      const part of ["1\nName? \n[waiting]", run, `input ${input?.key} "Name? "`, "answer_run"]
    ) {
      assertStringIncludes(text, part);
    }
    assertStringIncludes(textOf(await answerLine(client, told, "ab")), "abab");
    // the same answer again shows the result
    assertStringIncludes(textOf(await answerLine(client, told, "ab")), "abab");
    const other = await answerLine(client, told, "x");
    assertEquals(other.isError, true);
    assertStringIncludes(textOf(other), "CALL_ANSWERED");
  }
});

const TOOLS = [{ name: "crm.find", inputSchema: { type: "object", required: ["q"] } }];

Deno.test("mcp runs: a model answers the calls of its program, fails and denies them", async () => {
  await using client = await connectTo(service().url);
  const code = `
const one = async (q) => {
  try { return (await tools.crm.find({ q })).id } catch (e) { return e.constructor.name + ': ' + e.message }
};
await Promise.all([one('Ada'), one('Bob'), one('Cy')])`;
  const told = await client.call("run_code", { language: "js", code, tools: TOOLS });
  const { run, calls } = waitingOf(told);
  const [ada, bob, cy] = calls;
  assertEquals(calls.map((call) => [call.name, call.arguments]), [
    ["crm.find", { q: "Ada" }],
    ["crm.find", { q: "Bob" }],
    ["crm.find", { q: "Cy" }],
  ]);
  assertStringIncludes(textOf(told), `call ${ada?.key} crm.find {"q":"Ada"}`);
  const part = await client.call("answer_run", {
    run,
    answers: [{ key: bob?.key, error: { message: "no such person" } }],
  });
  assertEquals(waitingOf(part).calls.map(({ key }) => key), [ada?.key, cy?.key]);
  const end = await client.call("answer_run", {
    run,
    answers: [{ key: ada?.key, value: { id: 7 } }, { key: cy?.key, deny: "not today" }],
  });
  assertEquals(runSchema.parse(end.structuredContent).results[0]?.json, [
    7,
    "ToolError: no such person",
    "ToolDenied: not today",
  ]);
});

Deno.test("mcp runs: a question beside calls is one for the model", async () => {
  let asked = 0;
  await using client = await connectTo(service().url, { ask: () => line(String(asked++)) });
  const code = "call = tools.crm.find.start(q='Ada')\nname = input('Name? ')\nawait call";
  const told = await client.call("run_code", { ...PYTHON, code, tools: TOOLS });
  const { run, calls: [call], input } = waitingOf(told);
  assertEquals([asked, call?.name, input?.prompt], [0, "crm.find", "Name? "]);
  const answers = [{ key: input?.key, value: "x" }, { key: call?.key, value: "found" }];
  assertStringIncludes(textOf(await client.call("answer_run", { run, answers })), "found");
});

Deno.test("mcp runs: a context whose run waits refuses others, until the run is cancelled", async () => {
  await using client = await connectTo(service().url);
  const place = { language: "python", sandbox: "waits" };
  await client.call("run_code", { ...place, code: "kept = 1" });
  const told = await client.call("run_code", {
    ...place,
    interactive: true,
    code: "kept = input()",
  });
  const { run } = waitingOf(told);
  const refused = await client.call("run_code", { ...place, code: "kept" });
  assertEquals(refused.isError, true);
  for (const part of ["RUN_WAITING", run, "cancel_run"]) {
    assertStringIncludes(textOf(refused), part);
  }
  assertEquals((await client.call("cancel_run", { run })).structuredContent, {
    run,
    cancelled: true,
  });
  assertStringIncludes(textOf(await client.call("run_code", { ...place, code: "kept" })), "1");
  for (const tool of ["answer_run", "cancel_run"]) {
    const gone = await client.call(tool, { run: `${run}x` });
    assertEquals(gone.isError, true);
    assertStringIncludes(textOf(gone), "RUN_NOT_FOUND");
  }
});

Deno.test("mcp runs: refused answers name what is wrong, and change nothing", async () => {
  await using client = await connectTo(service().url);
  const told = await client.call("run_code", { ...PYTHON, code: "input() + '!'" });
  const { run, input } = waitingOf(told);
  const key = input?.key;
  const wrong: readonly [unknown, string][] = [
    [[{ key, value: 1 }], "answers[0]"],
    [[{ key }], "each of answers must have"],
    [[{ key, value: "a", deny: "b" }], "each of answers must have"],
    [[{ key, value: "a" }, { key, value: "a" }], "twice"],
    [[{ key: "none", value: "a" }], "CALL_NOT_FOUND"],
    [[{ key, valeu: "a" }], "valeu"],
    ["x", "answers"],
  ];
  for (const [answers, text] of wrong) {
    const refused = await client.call("answer_run", { run, answers });
    assertEquals(refused.isError, true, JSON.stringify(answers));
    assertStringIncludes(textOf(refused), text, JSON.stringify(answers));
  }
  assertStringIncludes(textOf(await answerLine(client, told, "still here")), "still here!");
});

Deno.test("mcp runs: the lines of each part are reported as progress", async () => {
  await using client = await connectTo(service().url);
  const messages: string[] = [];
  const onprogress = ({ message = "" }: Progress) => messages.push(message);
  const code = "print('one')\nname = input('> ')\nprint('two', name)";
  const told = await client.call("run_code", { ...PYTHON, code }, { onprogress });
  assertEquals(messages, ["one"]);
  messages.length = 0;
  const { run, input } = waitingOf(told);
  const answers = [{ key: input?.key, value: "Ada" }];
  await client.call("answer_run", { run, answers }, { onprogress });
  assertEquals(messages, ["> two Ada"]);
});

Deno.test("mcp runs: calls with long arguments fit into a message, the first ones first", async () => {
  await using client = await connectTo(service().url);
  const code = `Promise.all(Array.from({ length: 40 }, (_, n) =>
    tools.crm.find({ q: n + '\\u0001'.repeat(9_000) }))).then((all) => all.length)`;
  let told = await client.call("run_code", { language: "js", code, tools: TOOLS });
  let answered = 0;
  while (runSchema.parse(told.structuredContent).waiting !== undefined) {
    assert(JSON.stringify(told).length < 1024 * 1024);
    assert(textOf(told).length < 17 * 1024);
    const { run, calls, moreCalls = 0 } = waitingOf(told);
    assertEquals(answered + calls.length + moreCalls, 40);
    assertStringIncludes(textOf(told), `call ${calls[0]?.key}`);
    answered += calls.length;
    const answers = calls.map(({ key }) => ({ key, value: 1 }));
    told = await client.call("answer_run", { run, answers });
  }
  assertStringIncludes(textOf(told), "[result]\n40");
});

Deno.test("mcp runs: a state that no question made is refused, and one of another tenant finds nothing", async () => {
  const call = async (requestState: unknown) => {
    const name = "run_code";
    const meta = "io.modelcontextprotocol";
    const answer = await fetch(new URL("/mcp", service().url), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": REVISIONS[0],
        "mcp-method": "tools/call",
        "mcp-name": name,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name,
          arguments: { language: "js", code: "1" },
          inputResponses: {},
          requestState,
          _meta: {
            [`${meta}/protocolVersion`]: REVISIONS[0],
            [`${meta}/clientInfo`]: { name: "tests", version: "1" },
            [`${meta}/clientCapabilities`]: { elicitation: {} },
          },
        },
      }),
    });
    return await answer.text();
  };
  for (const state of ["", "{}", "[", "null", "x".repeat(5_000), '{"run":1}']) {
    const text = await call(state);
    assertEquals(z.string().parse(/"code":(-?\d+)/.exec(text)?.[1]), "-32602", text);
  }
  const unknown = JSON.stringify({ run: "r0/../x", key: "k", round: 1, shown: 0 });
  assertStringIncludes(await call(unknown), "RUN_NOT_FOUND");
});
