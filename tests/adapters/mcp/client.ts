/**
 * The official client of MCP over HTTP, for tests.
 *
 * @module
 */
import {
  type CallToolResult,
  Client,
  type ElicitResult,
  type RequestOptions,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";

/** The newest revision, and the newest one with `initialize`. */
export const REVISIONS = ["2026-07-28", "2025-11-25"] as const;

/** How a client connects. */
export interface ClientOptions {
  /** The newest one when absent. */
  readonly revision?: (typeof REVISIONS)[number];
  readonly token?: string;
  readonly headers?: { readonly [name: string]: string };
  /** The user of the client, who gets the text of a question. The client cannot ask when absent. */
  readonly ask?: (message: string) => ElicitResult | Promise<ElicitResult>;
  /** Sends the requests. @default {fetch} */
  readonly send?: (target: string | URL, init?: RequestInit) => Promise<Response>;
}

/** A connected client. Disposing of it closes it. */
export interface McpClient extends AsyncDisposable {
  readonly client: Client;
  /** Calls a tool. */
  call(
    name: string,
    args: { readonly [name: string]: unknown },
    options?: RequestOptions,
  ): Promise<CallToolResult>;
}

/** Connects to the service at a URL. */
export async function connectTo(
  url: string,
  { revision = REVISIONS[0], token, headers = {}, ask, send = fetch }: ClientOptions = {},
): Promise<McpClient> {
  const client = new Client({ name: "tests", version: "1" }, {
    versionNegotiation: { mode: revision === REVISIONS[0] ? { pin: revision } : "legacy" },
    ...(ask === undefined ? {} : { capabilities: { elicitation: {} } }),
  });
  if (ask !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => ask(params.message));
  }
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  // Deno (2.9) loses the signal of a fetch when its Response is collected: closing would leave the
  // connection open
  const answers: Response[] = [];
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), {
    requestInit: { headers: { ...authorization, ...headers } },
    fetch: async (target, init) => {
      const answer = await send(target, init);
      answers.push(answer);
      return answer;
    },
  });
  await client.connect(transport);
  return {
    client,
    call: (name, args, options) => client.callTool({ name, arguments: { ...args } }, options),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      answers.length = 0;
    },
  };
}

/** The text that a model sees first. */
export function textOf({ content: [first] }: CallToolResult): string {
  if (first?.type !== "text") throw new Error("the first block is no text");
  return first.text;
}
