/** MCP servers whose tools change, whose sessions end, and calls beside others that fail. */
import { assert, assertEquals } from "@std/assert";
import {
  createMcpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { ToolOutcome } from "../../shared/operator_tools.ts";
import { systemTimers, type Timers } from "../../shared/timers.ts";
import { ToolSets } from "../../tools/tool_sets.ts";
import { until } from "../support/wait.ts";
import { toolsFile } from "./fixture.ts";

/** undici has one timer for all its time-outs, which goes on for a second after the last of them. */
const CLOCK = { sanitizeOps: false, sanitizeResources: false } as const;
const ERAS = ["modern", "legacy"] as const;

/** A server whose tools change. */
class ChangingServer implements AsyncDisposable {
  readonly tools = new Set<string>(["first"]);
  /** Calls of the tool `slow` that are in flight. */
  slow: ((text: string) => void)[] = [];
  /** Called when the tools are listed, before the answer. */
  onListing: () => Promise<void> = () => Promise.resolve();
  calls = 0;
  readonly address: string;
  readonly #server: Deno.HttpServer;
  readonly #modern = createMcpHandler(() => this.#mcp(), { legacy: "stateless" });
  readonly #sessions = new Map<string, Session>();

  constructor(era: (typeof ERAS)[number]) {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => undefined };
    const server = Deno.serve(options, async (request) => {
      const body = await request.clone().text();
      if (body.includes('"tools/call"')) this.calls++;
      const isModern = request.headers.get("mcp-protocol-version")?.startsWith("2026") ?? false;
      if (era === "modern") return await this.#modern.fetch(request);
      if (isModern) return new Response("unknown version", { status: 400 });
      const answer = await this.#ofSession(request);
      if (body.includes('"tools/list"')) await this.onListing();
      return answer;
    });
    this.#server = server;
    this.address = `127.0.0.1:${server.addr.port}`;
  }

  #mcp(): McpServer {
    const server = new McpServer({ name: "test", version: "1" }, {
      capabilities: { tools: { listChanged: true } },
    });
    const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
    for (const name of this.tools) server.registerTool(name, {}, () => text(name));
    server.registerTool("slow", {}, async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      this.slow.push(resolve);
      return text(await promise);
    });
    return server;
  }

  async #ofSession(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    const known = this.#sessions.get(id ?? "");
    if (known !== undefined) return await known.transport.handleRequest(request);
    if (id !== null) return new Response("no such session", { status: 404 });
    const server = this.#mcp();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void this.#sessions.set(id, { server, transport }),
    });
    await server.connect(transport);
    return await transport.handleRequest(request);
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  /** Its tools are others, and it tells so. */
  change(name: string, isThere: boolean): void {
    this.tools[isThere ? "add" : "delete"](name);
    this.#modern.notify.toolsChanged();
    for (const { server } of this.#sessions.values()) {
      if (isThere) server.registerTool(name, {}, () => ({ content: [] })); // which tells so
      else server.sendToolListChanged();
    }
  }

  /** Ends all sessions, like a server that starts again. */
  async endSessions(): Promise<void> {
    for (const { server } of this.#sessions.values()) await server.close();
    this.#sessions.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endSessions();
    await this.#modern.close();
    for (const end of this.slow) end("");
    await this.#server.shutdown();
  }
}

interface Session {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/** No listing comes by time. */
const NEVER: Timers = { after: () => () => undefined };

async function setOf(address: string, timers = NEVER) {
  const log: string[] = [];
  const tools = new ToolSets({
    log: (_level, event, fields) => log.push(`${event} ${JSON.stringify(fields)}`),
    clock: Date.now,
    timers,
  });
  tools.replace(toolsFile({
    servers: { hub: { url: `http://${address}/mcp` } },
    tenants: { ann: ["hub.*"] },
    privateAddresses: [address],
  }));
  await tools.ready(30_000);
  const names = () => tools.of("ann").map(({ name }) => name);
  const call = (name: string, timeoutMs = 30_000): Promise<ToolOutcome> => {
    const tool = tools.of("ann").find((known) => known.name === name);
    assert(tool !== undefined, name);
    const { revision } = tool.settings;
    const terms = { tenant: "ann", name, revision, timeoutMs, maxBytes: 10_000 };
    const { signal } = new AbortController();
    return tools.call({ ...terms, arguments: "{}", signal });
  };
  return { tools, names, call, log, [Symbol.asyncDispose]: () => tools.close() };
}

for (const era of ERAS) {
  Deno.test(
    `mcp changes: tools of the ${era} era that appear and go are told by the server`,
    CLOCK,
    async () => {
      await using server = new ChangingServer(era);
      await using set = await setOf(server.address);
      assertEquals(set.names(), ["hub.first", "hub.slow"]);
      server.change("second", true);
      await until(() => set.names().includes("hub.second"));
      assertEquals("error" in await set.call("hub.second"), false);
      const { revision } = set.tools.of("ann")[0]?.settings ?? { revision: "" };
      if (era === "legacy") await server.endSessions(); // its session has the tool for good
      server.change("first", false);
      if (era === "legacy") await set.tools.ready(30_000);
      await until(() => !set.names().includes("hub.first"));
      const { signal } = new AbortController();
      const terms = { tenant: "ann", name: "hub.first", revision, timeoutMs: 1_000 };
      const gone = await set.tools.call({ ...terms, maxBytes: 1_000, arguments: "{}", signal });
      assert("error" in gone && gone.error.kind === "denied");
      server.change("first", true);
      await until(() => set.names().includes("hub.first"));
      assertEquals(await set.call("hub.first"), { value: era === "modern" ? '"first"' : "null" });
      assertEquals(set.log, []);
    },
  );

  Deno.test(
    `mcp changes: a call of the ${era} era that takes too long ends no other one`,
    CLOCK,
    async () => {
      await using server = new ChangingServer(era);
      await using set = await setOf(server.address, systemTimers);
      const long = set.call("hub.slow");
      await until(() => server.slow.length === 1);
      const late = await set.call("hub.slow", 100);
      assert("error" in late);
      assertEquals(late.error.data, { unknown: true });
      server.slow[0]?.("done");
      assertEquals(await long, { value: '"done"' });
      assertEquals(await set.call("hub.first"), { value: '"first"' });
    },
  );
}

Deno.test(
  "mcp changes: a session that is over is opened again, once for all calls, and for a listing",
  CLOCK,
  async () => {
    await using server = new ChangingServer("legacy");
    await using set = await setOf(server.address);
    await server.endSessions();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => set.call("hub.first")));
    assertEquals(outcomes, Array(8).fill({ value: '"first"' }));
    assertEquals([server.sessions, server.calls], [1, 16]);
    await server.endSessions();
    await set.tools.ready(30_000);
    assertEquals([server.sessions, set.names(), set.log], [1, ["hub.first", "hub.slow"], []]);
    // it tells of changes in the new session, too
    server.change("second", true);
    await until(() => set.names().includes("hub.second"));
  },
);

Deno.test("mcp changes: a change that comes during a listing is listed, too", CLOCK, async () => {
  await using server = new ChangingServer("legacy");
  await using set = await setOf(server.address);
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  server.onListing = () => {
    asked.resolve();
    return released.promise;
  };
  const listing = set.tools.ready(30_000);
  await asked.promise; // its answer is written
  server.change("second", true);
  setTimeout(() => released.resolve(), 1_000); // longer than changes are gathered
  await listing;
  await until(() => set.names().includes("hub.second"));
});
