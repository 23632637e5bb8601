/** Calls that need an approval, asked of the user of an MCP client. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { ElicitResult } from "@modelcontextprotocol/client";
import type { OperatorCall, OperatorTools } from "../../../shared/operator_tools.ts";
import { RunCaller } from "../../runs/gateway_fixture.ts";
import { type ClientOptions, connectTo, REVISIONS, textOf } from "./client.ts";

/** `pay` needs an approval, `look` does not. */
class Bank implements OperatorTools {
  readonly paid: string[] = [];

  of() {
    return (["always", "never"] as const).map((approval) => ({
      name: approval === "always" ? "bank.pay" : "bank.look",
      inputSchema: { type: "object" },
      settings: { approval, idempotent: false, timeoutMs: 10_000, revision: "1" },
    }));
  }

  call({ name, arguments: text }: OperatorCall) {
    if (name === "bank.pay") this.paid.push(text);
    return Promise.resolve({ value: JSON.stringify(`${name} done`) });
  }
}

/** A gateway with the bank, and a client of it. */
async function open(ask: ClientOptions["ask"], options: ClientOptions = {}) {
  const bank = new Bank();
  const box = new RunCaller({}, { tools: bank, mcp: true });
  const send = (target: string | URL, init?: RequestInit) =>
    Promise.resolve(box.handler(new Request(target, init)));
  const client = await connectTo("http://127.0.0.1", {
    send,
    ...(ask === undefined ? {} : { ask }),
    ...options,
  });
  const run = async (lines: readonly string[], fields = {}) => {
    const code = lines.join("\n");
    return textOf(await client.call("run_code", { language: "python", code, ...fields }));
  };
  const end = async () => {
    await client[Symbol.asyncDispose]();
    for (const { id } of await waitingRuns(box)) await box.call(200, "DELETE", `/runs/${id}`);
  };
  return { bank, box, client, run, [Symbol.asyncDispose]: end };
}

async function waitingRuns(box: RunCaller) {
  const { runs } = await box.call(200, "GET", "/runs?state=waiting");
  assert(Array.isArray(runs));
  return runs;
}

async function lastJournal(box: RunCaller) {
  const { runs } = await box.call(200, "GET", "/runs");
  assert(Array.isArray(runs));
  const { calls } = await box.call(200, "GET", `/journal/${runs[0].id}`);
  assert(Array.isArray(calls));
  return calls;
}

function accept(content: NonNullable<ElicitResult["content"]>): ElicitResult {
  return { action: "accept", content };
}

Deno.test("mcp approvals: the user of the client approves and denies each call", async () => {
  const asked: string[] = [];
  const replies: readonly (readonly [reply: ElicitResult, line: string])[] = [
    [accept({ approve: true }), '"bank.pay done"'],
    [accept({ approve: false, reason: "too much" }), "denied too much"],
    [accept({ approve: false }), "denied The call was not approved"],
    [accept({ approve: "true" }), "denied The call was not approved"],
    [accept({}), "denied The call was not approved"],
    [{ action: "decline" }, "denied The call was not approved"],
  ];
  for (const [reply, line] of replies) {
    asked.length = 0;
    await using mcp = await open((message) => {
      asked.push(message);
      return reply;
    });
    const text = await mcp.run(['call bank.pay {"sum":5,"to":"a\\u202eb"}', "call bank.look {}"]);
    assertEquals(asked, [
      'The program calls bank.pay with these arguments:\n{\n  "sum": 5,\n  "to": "a\\u{202e}b"\n}',
    ]);
    assertStringIncludes(text, `1: ${line}\n2: "bank.look done"`);
    assertEquals(mcp.bank.paid.length, line.startsWith('"') ? 1 : 0);
    const [{ decision }] = await lastJournal(mcp.box);
    assertEquals([decision.by, decision.approve ?? false], ["mcp", line.startsWith('"')]);
  }
});

Deno.test("mcp approvals: calls that wait at one time are asked at one time, before the model goes on", async () => {
  let asked = 0;
  await using mcp = await open((message) => {
    asked++;
    return accept({ approve: !message.includes("5") });
  });
  const calls = [1, 5, 3].map((sum) => `start bank.pay {"sum":${sum}}`);
  const text = await mcp.run([...calls, "gather", 'call bank.pay {"sum":4}']);
  assertEquals([asked, mcp.bank.paid], [4, ['{"sum":1}', '{"sum":3}', '{"sum":4}']]);
  assertStringIncludes(text, "2: denied");
  // a call of the model's own tools is for the model, once the approvals are decided
  const tools = [{ name: "own" }];
  const mixed = await mcp.run(["start own {}", 'start bank.pay {"sum":6}', "gather"], { tools });
  assertEquals([asked, mcp.bank.paid.length], [5, 4]);
  assertStringIncludes(mixed, "call ");
  assertStringIncludes(mixed, " own {}");
});

Deno.test("mcp approvals: a dismissed one leaves the run to others, and is not asked again at once", async () => {
  let asked = 0;
  await using mcp = await open(() => {
    asked++;
    return { action: "cancel" };
  });
  const text = await mcp.run(['call bank.pay {"sum":5}']);
  assertEquals([asked, mcp.bank.paid.length], [1, 0]);
  const [, run = ""] = /waits in run (\S+) for somebody who approves/.exec(text) ?? [];
  for (const answer of [{ value: 1 }, { approve: true }]) {
    const answers = [{ key: `${run}/1`, ...answer }];
    assertEquals((await mcp.client.call("answer_run", { run, answers })).isError, true);
  }
  const end = await mcp.box.answer(run, [{ key: `${run}/1`, approve: true }]);
  assertEquals(end.logs.stdout, ['1: "bank.pay done"']);
});

Deno.test("mcp approvals: a decision that others have taken meanwhile stands", async () => {
  const opened: { readonly box: RunCaller }[] = [];
  await using mcp = await open(async () => {
    for (const { box } of opened) {
      const [{ id, waiting }] = await waitingRuns(box);
      await box.answer(id, [{ key: waiting.calls[0].key, deny: "by others" }]);
    }
    return accept({ approve: true });
  });
  opened.push(mcp);
  assertStringIncludes(await mcp.run(['call bank.pay {"sum":5}']), "1: denied by others");
  assertEquals(mcp.bank.paid, []);
});

Deno.test("mcp approvals: long arguments are cut in the middle, and the message says so", async () => {
  let asked = "";
  await using mcp = await open((message) => {
    asked = message;
    return { action: "decline" };
  });
  const long = JSON.stringify({ first: 1, text: "é".repeat(10_000), last: 2 });
  await mcp.run([`call bank.pay ${long}`]);
  assert(asked.length < 5_000);
  for (const part of ['"first": 1', "bytes are not shown", '"last": 2']) {
    assertStringIncludes(asked, part);
  }
});

Deno.test("mcp approvals: a client that cannot ask gets the run that waits", async () => {
  for (const revision of REVISIONS) {
    await using mcp = await open(undefined, { revision });
    const text = await mcp.run(['call bank.pay {"sum":5}']);
    assertStringIncludes(text, "for somebody who approves its calls");
    assertEquals(mcp.bank.paid, []);
  }
});
