/** Tools of MCP servers: of the official server in both eras, and of servers that fail. */
import { assert, assertEquals } from "@std/assert";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { ToolOutcome } from "../../shared/operator_tools.ts";
import { ToolSets } from "../../tools/tool_sets.ts";
import { wholeNames } from "../../tools/mcp_names.ts";
import { serveRaw } from "../support/raw_server.ts";
import { toolsFile } from "./fixture.ts";

/** undici has one timer for all its time-outs, which goes on for a second after the last of them. */
const CLOCK = { sanitizeOps: false, sanitizeResources: false } as const;
const SECRET = "s3cr3t-c4n4ry";

function serverOf(extra: readonly string[]): McpServer {
  const server = new McpServer({ name: "test", version: "1" });
  const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
  server.registerTool("get-issue", {
    description: `Gets an issue, with ${SECRET}`,
    inputSchema: z.object({ id: z.number() }),
    outputSchema: z.object({ id: z.number(), title: z.string() }),
  }, ({ id }) => ({ ...text("x"), structuredContent: { id, title: `No. ${id}` } }));
  server.registerTool("json", {}, () => text('{"a": [1, 2]}'));
  server.registerTool("text", {}, () => text(`plain ${SECRET}`));
  server.registerTool("number", {}, () => text("12"));
  server.registerTool("nothing", {}, () => ({ content: [] }));
  server.registerTool("blocks", {}, () => ({
    content: [{ type: "text", text: "one" }, {
      type: "image",
      data: "AAAA",
      mimeType: "image/png",
    }],
  }));
  server.registerTool("chart", { outputSchema: z.object({ points: z.number() }) }, () => ({
    structuredContent: { points: 3 },
    content: [{ type: "image", data: "BBBB", mimeType: "image/png" }, {
      type: "audio",
      data: "CCCC",
      mimeType: "audio/wav",
    }],
  }));
  server.registerTool("large", {}, () => ({
    structuredContent: {},
    content: ["x", "y"].map((letter) => {
      return { type: "image", data: letter.repeat(6_000), mimeType: "image/png" };
    }),
  }));
  server.registerTool("fails", {}, () => ({ ...text(`no ${SECRET}`), isError: true }));
  server.registerTool("2nd-tool", {}, () => text("second"));
  server.registerTool("hangs", {}, () => new Promise(() => undefined));
  for (const name of extra) server.registerTool(name, {}, () => text(name));
  return server;
}

/** A server of one era, whose requests are counted. */
function serveMcp(era: "modern" | "legacy") {
  const extra: string[] = [];
  const seen = { headers: new Headers(), isDown: false };
  const handler = createMcpHandler(() => serverOf(extra), { legacy: "stateless" });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      seen.headers = request.headers;
      if (seen.isDown) return new Response("down", { status: 500 });
      const isModern = request.headers.get("mcp-protocol-version")?.startsWith("2026") ?? false;
      if (era === "legacy" && isModern) return new Response("unknown version", { status: 400 });
      return await handler.fetch(request);
    },
  );
  return {
    seen,
    extra,
    address: `127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** The tools of one server. */
async function setOf(address: string, settings: Record<string, unknown> = {}) {
  const tools = new ToolSets({ log: () => undefined, clock: Date.now });
  tools.replace(toolsFile({
    servers: {
      hub: { url: `http://${address}/mcp`, headers: { "x-key": "${CRM_KEY}" }, ...settings },
    },
    tenants: { ann: ["hub.*"] },
    privateAddresses: [address],
  }));
  await tools.ready(30_000);
  const call = (name: string, values: unknown = {}, timeoutMs = 30_000): Promise<ToolOutcome> => {
    const tool = tools.of("ann").find((known) => known.name === name);
    assert(tool !== undefined, name);
    const { revision } = tool.settings;
    const terms = { tenant: "ann", name, revision, timeoutMs, maxBytes: 10_000 };
    const { signal } = new AbortController();
    return tools.call({ ...terms, arguments: JSON.stringify(values), signal });
  };
  return { tools, call, [Symbol.asyncDispose]: () => tools.close() };
}

for (const era of ["modern", "legacy"] as const) {
  Deno.test(`mcp server: tools of the ${era} era are listed and called`, CLOCK, async () => {
    await using server = serveMcp(era);
    await using set = await setOf(server.address, {
      tools: { "2nd-tool": { approval: "always" } },
    });
    const listed = set.tools.of("ann");
    const names = "get_issue json text number nothing blocks chart large fails _2nd_tool hangs"
      .split(" ");
    assertEquals(listed.map(({ name }) => name), names.map((name) => `hub.${name}`));
    const [issue] = listed;
    assertEquals(issue?.description, "Gets an issue, with [secret]");
    assertEquals(issue?.outputSchema?.["type"], "object");
    assertEquals(listed.find(({ name }) => name.endsWith("2nd_tool"))?.settings.approval, "always");
    assertEquals(server.seen.headers.get("x-key"), SECRET);
    const values: readonly (readonly [string, unknown])[] = [
      ["json", { a: [1, 2] }],
      ["text", "plain [secret]"],
      ["number", "12"],
      ["nothing", null],
      ["_2nd_tool", "second"],
    ];
    for (const [name, value] of values) {
      assertEquals(await set.call(`hub.${name}`), { value: JSON.stringify(value) }, name);
    }
    assertEquals(await set.call("hub.blocks"), {
      value: '["one",{"mimeType":"image/png","bytes":"AAAA"}]',
      images: [{ mimeType: "image/png", bytes: "AAAA" }],
    });
    assertEquals(await set.call("hub.chart"), {
      value: '{"points":3}',
      images: [{ mimeType: "image/png", bytes: "BBBB" }],
    });
    const large = await set.call("hub.large");
    assert("error" in large && large.error.message.includes("larger than 10000 bytes"));
    const found = await set.call("hub.get_issue", { id: 7 });
    assertEquals(found, { value: '{"id":7,"title":"No. 7"}' });
    const failed = await set.call("hub.fails");
    assertEquals(failed, { error: { kind: "tool", message: "no [secret]" } });
    const late = await set.call("hub.hangs", {}, 500);
    assert("error" in late);
    assertEquals(late.error.data, { unknown: true });
  });
}

Deno.test("mcp server: secrets in names, faults and types are replaced", CLOCK, async () => {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "test", version: "1" });
    server.registerTool(`of-${SECRET}`, {}, () => ({
      content: [{ type: "image", data: "AAAA", mimeType: `image/${SECRET}` }],
    }));
    // the server itself does not check this
    const outputSchema = z.looseObject({}).meta({ additionalProperties: { type: "number" } });
    server.registerTool("breaks", { outputSchema }, () => ({
      content: [],
      structuredContent: { [SECRET]: "x" },
    }));
    return server;
  }, { legacy: "stateless" });
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => undefined };
  await using server = Deno.serve(options, (request) => handler.fetch(request));
  await using set = await setOf(`127.0.0.1:${server.addr.port}`);
  assertEquals(set.tools.of("ann").map(({ name }) => name), ["hub.of__secret_", "hub.breaks"]);
  const image = { mimeType: "image/[secret]", bytes: "AAAA" };
  const shown = { value: JSON.stringify(image), images: [image] };
  assertEquals(await set.call("hub.of__secret_"), shown);
  const message = "The answer of hub.breaks breaks its outputSchema: /[secret] must be number";
  assertEquals(await set.call("hub.breaks"), { error: { kind: "tool", message } });
});

Deno.test(
  "mcp server: one that does not answer keeps the tools that are known last",
  CLOCK,
  async () => {
    await using server = serveMcp("modern");
    await using set = await setOf(server.address);
    const before = set.tools.of("ann").map(({ name }) => name);
    server.seen.isDown = true;
    await set.tools.ready(30_000);
    assertEquals(set.tools.of("ann").map(({ name }) => name), before);
    const outcome = await set.call("hub.json");
    assert("error" in outcome);
    server.seen.isDown = false;
    server.extra.push("get_issue", "another");
    await set.tools.ready(30_000);
    const names = set.tools.of("ann").map(({ name }) => name);
    assertEquals(names.slice(before.length), ["hub.get_issue_2", "hub.another"]);
    assertEquals(await set.call("hub.json"), { value: '{"a":[1,2]}' });
  },
);

Deno.test(
  "mcp server: one that is no MCP server has no tools, and others go on",
  CLOCK,
  async () => {
    for (
      const answer of [
        "",
        "nonsense",
        "HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n",
      ]
    ) {
      await using server = serveRaw(answer);
      await using set = await setOf(`127.0.0.1:${server.port}`);
      assertEquals(set.tools.of("ann"), []);
      assert(server.connections > 0);
    }
  },
);

Deno.test("mcp server: its address must be allowed", CLOCK, async () => {
  await using server = serveMcp("modern");
  const port = server.address.split(":")[1];
  const tools = new ToolSets({ log: () => undefined, clock: Date.now });
  tools.replace(toolsFile({
    servers: { hub: { url: `https://localhost:${port}/mcp` } },
    tenants: { ann: ["hub.*"] },
  }));
  await tools.ready(30_000);
  assertEquals([tools.of("ann"), server.seen.headers.get("host")], [[], null]);
  await tools.close();
});

Deno.test("wholeNames() makes names valid and unique, in the server's order", () => {
  const own = ["a-b", "a_b", "a.b", "1a", "", "é", "a-b", "😀", "class"];
  const names = ["a_b", "a_b_2", "a_b_3", "_1a", "_", "__2", undefined, "__3", "class"];
  const made = wholeNames("s", own);
  assertEquals(
    own.map((name, index) => index === 6 ? undefined : made.get(name)),
    names.map((name) => name && `s.${name}`),
  );
  const long = wholeNames("s".repeat(60), ["x".repeat(200), `${"x".repeat(199)}y`]);
  for (const name of long.values()) assert(name.length <= 128, String(name.length));
  assertEquals(new Set(long.values()).size, 2);
});
