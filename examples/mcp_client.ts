/**
 * The tools of `/mcp`, called by the official client of the Model Context Protocol.
 *
 *     BELLJAR_URL=http://127.0.0.1:8000 deno run --allow-net --allow-env mcp_client.ts
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const url = Deno.env.get("BELLJAR_URL") ?? "http://127.0.0.1:8000";
const token = Deno.env.get("BELLJAR_TOKEN");
const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };

const client = new Client({ name: "belljar-example", version: "1.0.0" });
await client.connect(
  new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
);

/** Calls a tool and returns the text of its result. */
async function call(name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  return content.flatMap((block) => block.type === "text" ? [block.text] : []).join("\n");
}

const { tools } = await client.listTools();
console.log(tools.map(({ name }) => name).join(", "));

// Without a sandbox, a run is stateless. With one, state and files stay until the sandbox is deleted.
const sandbox = `example-${crypto.randomUUID()}`;
await call("write_file", { sandbox, path: "names.txt", text: "Ada\nGrace\n" });
await call("run_code", {
  sandbox,
  language: "python",
  code: "names = open('names.txt').read().split()",
});
console.log(await call("run_code", { sandbox, language: "python", code: "print(*sorted(names))" }));
await call("delete_sandbox", { sandbox });
await client.close();
