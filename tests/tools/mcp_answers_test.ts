/** Calls of MCP servers that answer late, in part, wrongly or not at all, and listings in pages. */
import { assert, assertEquals } from "@std/assert";
import type { CallFailure } from "../../shared/run_calls.ts";
import { ToolSets } from "../../tools/tool_sets.ts";
import { pause } from "../support/wait.ts";
import { CLOCK } from "../outgoing/send.ts";
import { SECRET, serveTools, toolsFile } from "./fixture.ts";

/** A request of the client. */
interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly cursor?: string };
}

/** Makes the answer to a request. */
type Answer = (message: Message) => Response | Promise<Response>;

const TOOL = { name: "f", inputSchema: { type: "object" } };

function result(message: Message, result: unknown): Response {
  return Response.json({ jsonrpc: "2.0", id: message.id, result });
}

function text(message: Message, text: string): Response {
  return result(message, { content: [{ type: "text", text }] });
}

/** A stream of these texts, which then ends. */
function stream(...texts: readonly string[]): Response {
  const pieces = ReadableStream.from(texts).pipeThrough(new TextEncoderStream());
  return new Response(pieces, { headers: { "content-type": "text/event-stream" } });
}

/** The tools of a server of the revision of 2025 that answers calls, and perhaps listings, so. */
async function setOf(call: Answer, list: Answer = (one) => result(one, { tools: [TOOL] })) {
  const server = serveTools(({ method, body }) => {
    if (method !== "POST") return new Response(null, { status: 405 });
    const message: Message = JSON.parse(body);
    if (message.method === "initialize") {
      const serverInfo = { name: "x", version: "1" };
      const capabilities = { tools: {} };
      return result(message, { protocolVersion: "2025-06-18", capabilities, serverInfo });
    }
    if (message.method === "tools/list") return list(message);
    if (message.method === "tools/call") return call(message);
    if (message.id === undefined) return new Response(null, { status: 202 });
    const error = { code: -32601, message: "Method not found" };
    return Response.json({ jsonrpc: "2.0", id: message.id, error });
  });
  const tools = new ToolSets({ log: () => undefined, clock: Date.now });
  tools.replace(toolsFile({
    servers: { hub: { url: `${server.url}/mcp`, headers: { "x-key": "${CRM_KEY}" } } },
    tenants: { ann: ["hub.*"] },
    privateAddresses: [server.address],
  }));
  await tools.ready(30_000);
  return {
    tools,
    call: async (name = "hub.f", timeoutMs = 30_000) => {
      const tool = tools.of("ann").find((known) => known.name === name);
      return await tools.call({
        tenant: "ann",
        name,
        revision: tool?.settings.revision ?? "",
        timeoutMs,
        maxBytes: 8 * 1024 * 1024,
        arguments: "{}",
        signal: new AbortController().signal,
      });
    },
    [Symbol.asyncDispose]: async () => {
      await tools.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function failureOf(answer: Answer, timeoutMs?: number): Promise<CallFailure> {
  await using set = await setOf(answer);
  const outcome = await set.call("hub.f", timeoutMs);
  assert("error" in outcome, JSON.stringify(outcome));
  return outcome.error;
}

const UNKNOWN = { unknown: true };

Deno.test(
  "mcp answers: a call that was sent and has none in time has an unknown outcome",
  CLOCK,
  async () => {
    const { message, data } = await failureOf(async () => {
      await pause(500);
      return new Response();
    }, 200);
    assertEquals(message, "The outcome of hub.f is unknown: no answer came in time");
    assertEquals(data, UNKNOWN);
  },
);

Deno.test(
  "mcp answers: one that ends without a result has an unknown outcome, long before its time",
  CLOCK,
  async () => {
    const answers: readonly Answer[] = [
      () => stream(": wait\n\n"),
      ({ id }) => stream(`data: {"jsonrpc":"2.0","id":${id},"result":{}}`),
      () => new Response(null, { status: 202 }),
      () => new Response(null, { status: 204 }),
      () => new Response("<html>", { headers: { "content-type": "text/html" } }),
      () => new Response('{"jsonrpc":', { headers: { "content-type": "application/json" } }),
    ];
    for (const [index, answer] of answers.entries()) {
      const { message, data } = await failureOf(answer);
      const expected = "The outcome of hub.f is unknown: its answer is not whole";
      assertEquals([message, data], [expected, UNKNOWN], `${index}`);
    }
  },
);

Deno.test(
  "mcp answers: another status is an error with status and body, a redirect too",
  CLOCK,
  async () => {
    for (const status of [307, 400, 401, 403, 404, 429, 500, 503]) {
      const { message, data } = await failureOf(() => {
        const headers = { location: "/elsewhere" };
        return new Response(`no ${SECRET}`, { status, headers });
      });
      assertEquals(message, `hub.f was answered with status ${status}`);
      assertEquals(data, { status, body: status === 307 ? "" : "no [secret]" });
    }
  },
);

Deno.test(
  "mcp answers: one that is too large, or no result of a tool, is an error",
  CLOCK,
  async () => {
    const large = "x".repeat(8 * 1024 * 1024);
    for (const answer of [text, ({ id }: Message) => stream(`data: {"id":${id},"a":"`, large)]) {
      const { message, data } = await failureOf((one) => answer(one, large));
      assertEquals(message, "The answer of hub.f is larger than 8388608 bytes");
      assertEquals(data, undefined);
    }
    for (
      const wrong of [{ content: null }, { content: "x" }, { content: [], structuredContent: [1] }]
    ) {
      const { message, data } = await failureOf((one) => result(one, wrong));
      assertEquals(message, "The answer of hub.f is not a result of a tool", JSON.stringify(wrong));
      assertEquals(data, undefined);
    }
  },
);

Deno.test(
  "mcp answers: streams in any pieces, with comments, progress and requests of the server",
  CLOCK,
  async () => {
    const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } };
    const asks = { jsonrpc: "2.0", id: 500, method: "sampling/createMessage", params: {} };
    await using set = await setOf(({ id }) => {
      const answer = { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "grüße" }] } };
      const whole =
        `: c\r\n\r\nevent: message\r\nid: 1\r\ndata: ${JSON.stringify(progress)}\r\n\r\n` +
        `data: ${JSON.stringify(asks)}\r\n\r\ndata: ${
          JSON.stringify(answer).replace(",", "\r\ndata: ,")
        }\r\n\r\n`;
      return stream(...whole.match(/[^]{1,7}/g) ?? []);
    });
    assertEquals(await set.call(), { value: '"grüße"' });
  },
);

Deno.test("mcp answers: tools are listed in pages, up to a thousand", CLOCK, async () => {
  const list: Answer = (message) => {
    const page = Number(message.params?.cursor ?? 0);
    const tools = [0, 1, 2, 3].map((n) => ({ ...TOOL, name: `t${page}_${n}` }));
    return result(message, { tools, ...(page < 299 ? { nextCursor: `${page + 1}` } : {}) });
  };
  await using set = await setOf((message) => text(message, `${message.params?.name}`), list);
  const listed = set.tools.of("ann");
  assertEquals([listed.length, listed.at(-1)?.name], [1_000, "hub.t249_3"]);
  assertEquals(await set.call("hub.t249_3"), { value: '"t249_3"' });
});

Deno.test(
  "mcp answers: a tool of another form does not hide the others, and its schemas are left out",
  CLOCK,
  async () => {
    const input = { type: "object", properties: { q: { type: "string" } } };
    const tools: readonly unknown[] = [
      TOOL,
      { name: "none" },
      { name: "untyped", inputSchema: { properties: input.properties } },
      { name: "list", inputSchema: { type: "array" } },
      { name: "broken", inputSchema: { type: "object", properties: 5 } },
      { name: "output", inputSchema: input, outputSchema: 5 },
      { name: "text", inputSchema: input, description: 5, annotations: "x", icons: 1 },
      { inputSchema: {} },
      { name: 5 },
      null,
      "x",
      { name: "last", inputSchema: input, outputSchema: { type: "object" }, title: "Last" },
    ];
    const list: Answer = (message) => result(message, { tools });
    await using set = await setOf((message) => text(message, `${message.params?.name}`), list);
    const bare = { type: "object" };
    assertEquals(
      set.tools.of("ann").map(({ name, inputSchema }) => [name.slice(4), inputSchema]),
      [
        ["f", bare],
        ["none", bare],
        ["untyped", { ...bare, properties: input.properties }],
        ["list", bare],
        ["broken", bare],
        ["output", input],
        ["text", input],
        ["last", input],
      ],
    );
    assertEquals(set.tools.of("ann").map(({ outputSchema }) => outputSchema).at(-1), bare);
    assertEquals(await set.call("hub.list"), { value: '"list"' });
  },
);

Deno.test("mcp answers: a server without tools is not asked for them", CLOCK, async () => {
  await using server = serveTools(({ method, body }) => {
    if (method !== "POST") return new Response(null, { status: 405 });
    const message: Message = JSON.parse(body);
    assert(message.method !== "tools/list");
    if (message.id === undefined) return new Response(null, { status: 202 });
    if (message.method !== "initialize") {
      const error = { code: -32601, message: "Method not found" };
      return Response.json({ jsonrpc: "2.0", id: message.id, error });
    }
    const serverInfo = { name: "x", version: "1" };
    return result(message, { protocolVersion: "2025-06-18", capabilities: {}, serverInfo });
  });
  const tools = new ToolSets({ log: () => undefined, clock: Date.now });
  tools.replace(toolsFile({
    servers: { hub: { url: `${server.url}/mcp` } },
    tenants: { ann: ["hub.*"] },
    privateAddresses: [server.address],
  }));
  await tools.ready(30_000);
  assertEquals(tools.of("ann"), []);
  await tools.close();
});
