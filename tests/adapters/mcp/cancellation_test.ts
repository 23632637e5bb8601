// test: long
/** A client that cancels a call ends its run, in every revision and with the clients of others. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { connectTo, type McpClient, REVISIONS, textOf } from "./client.ts";
import { type Service, startService } from "../../support/service.ts";
import { clientTest, NODE_PACKAGES } from "../../support/test_clients.ts";

/** Only a cancellation ends a run early, so that a test whose run goes on does not end. */
const ENV = { LANGUAGES: "javascript", FUEL_JAVASCRIPT: "9000000000000000", WALL_MS: "300000" };
const ENDLESS = "var kept = 2; console.log('on'); for (;;);";
const NODE_PROGRAM = new URL("./node_client.mjs", import.meta.url).pathname;

const program = (sandbox: string, code: string) => ({ language: "javascript", sandbox, code });

async function keptIn(client: McpClient, sandbox: string): Promise<string> {
  return textOf(await client.call("run_code", program(sandbox, "kept")));
}

async function aborted(service: Service): Promise<void> {
  for (const revision of REVISIONS) {
    await using client = await connectTo(service.url, { revision });
    const sandbox = `aborted-${revision}`;
    await client.call("run_code", program(sandbox, "var kept = 1"));
    const stop = new AbortController();
    // one runs, the other waits for its turn
    const calls = [0, 1].map(() =>
      assertRejects(() =>
        client.call("run_code", program(sandbox, ENDLESS), {
          onprogress: () => stop.abort(),
          signal: stop.signal,
        })
      )
    );
    await Promise.all(calls);
    assertEquals(await keptIn(client, sandbox), "[result]\n1", revision);
  }
}

async function timedOut(service: Service): Promise<void> {
  for (const revision of REVISIONS) {
    await using client = await connectTo(service.url, { revision });
    const sandbox = `late-${revision}`;
    await client.call("run_code", program(sandbox, "var kept = 1"));
    const options = { timeout: 1_000 };
    await assertRejects(() => client.call("run_code", program(sandbox, ENDLESS), options));
    assertEquals(await keptIn(client, sandbox), "[result]\n1", revision);
  }
}

/** A message as any program may send it. */
async function post(
  { url }: Service,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify(message),
  });
}

async function sessionOf(service: Service): Promise<string> {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  };
  const answer = await post(service, { jsonrpc: "2.0", id: 0, method: "initialize", params });
  await answer.body?.cancel();
  const session = answer.headers.get("mcp-session-id");
  assert(session !== null && /^[\x21-\x7e]{20,}$/.test(session), `${session}`);
  return session;
}

const call = (id: string | number, sandbox: string, code: string) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "run_code", arguments: program(sandbox, code), _meta: { progressToken: id } },
});
const cancelled = (requestId: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId, reason: "the user pressed Stop" },
});

/** Reads an answer until a text has come, and gives the rest as one text when it ends. */
async function until(answer: Response, text: string): Promise<() => Promise<string>> {
  assert(answer.body !== null);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const rest = async (isEnd: (all: string) => boolean) => {
    for (let all = "";;) {
      const { done, value } = await reader.read();
      if (done) return all;
      all += value;
      if (isEnd(all)) return all;
    }
  };
  await rest((all) => all.includes(text));
  return () => rest(() => false);
}

async function rawMessages(service: Service): Promise<void> {
  const header = async () => ({ "mcp-session-id": await sessionOf(service) });
  const [mine, other] = [await header(), await header()];
  for (const id of [7, "7", "ä ☃"]) {
    const begun = await post(service, call(id, "raw", ENDLESS), mine);
    const rest = await until(begun, '"on"');
    const foreign = [
      post(service, cancelled(id), other),
      post(service, cancelled(id)),
      post(service, cancelled(typeof id === "number" ? String(id) : 7), mine),
      post(service, cancelled({ id }), mine),
      post(service, { jsonrpc: "2.0", method: "notifications/cancelled" }, mine),
    ];
    for (const answer of await Promise.all(foreign)) await answer.body?.cancel();
    const stopped = await post(service, cancelled(id), mine);
    assertEquals([stopped.status, await stopped.text()], [202, ""]);
    // a request that was cancelled gets no response
    assertEquals((await rest()).includes('"result"'), false);
  }
}

async function overtaken(service: Service): Promise<void> {
  const mine = { "mcp-session-id": await sessionOf(service) };
  await (await post(service, cancelled(1), mine)).body?.cancel();
  assertEquals(await (await post(service, call(1, "early", ENDLESS), mine)).text(), "");
  const next = await (await post(service, call(2, "early", "6 * 7"), mine)).text();
  // the first call did not run
  assert(next.includes('"text":"[result]\\n42"') && next.includes('"executionCount":1'), next);
}

const HOLDS: Readonly<Record<string, (service: Service) => Promise<void>>> = {
  "an aborted call ends its run, going or waiting": aborted,
  "a call that times out at its client ends its run": timedOut,
  "the message names one call of one session": rawMessages,
  "a cancellation that overtakes its call holds": overtaken,
};

Deno.test("mcp cancellations: against one service", async (test) => {
  await using service = await startService(ENV);
  for (const [what, holds] of Object.entries(HOLDS)) {
    await test.step(what, () => holds(service));
  }
});

clientTest("mcp cancellations: the npm SDK of earlier revisions", "npm packages", async () => {
  await using service = await startService(ENV);
  const { code, stderr } = await new Deno.Command("node", {
    args: [NODE_PROGRAM, NODE_PACKAGES, `${service.url}/mcp`],
    stdin: "null",
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
});
