/**
 * An MCP server of standard input and output, over Streamable HTTP with sessions: `node stdio_bridge.mjs
 * PORT PROGRAM [ARGUMENT...]`. Run in a folder with `@modelcontextprotocol/sdk`. Each session has a process
 * of its own. `DELETE /sessions` ends all sessions.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.cwd()}/`);
const sdk = async (name) =>
  await import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}.js`)));
const { Client } = await sdk("client/index");
const { StdioClientTransport } = await sdk("client/stdio");
const { Server } = await sdk("server/index");
const { StreamableHTTPServerTransport } = await sdk("server/streamableHttp");
const { CallToolRequestSchema, ListToolsRequestSchema } = await sdk("types");

const [port, ...args] = process.argv.slice(2);
const sessions = new Map();

async function open() {
  const client = new Client({ name: "bridge", version: "1" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  const server = new Server({ name: "bridge", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => client.listTools(params));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => client.callTool(params));
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, { transport, client }),
  });
  await server.connect(transport);
  return transport;
}

async function handle(request, response) {
  if (request.method === "DELETE" && request.url === "/sessions") {
    for (const { client } of sessions.values()) await client.close();
    sessions.clear();
    return response.end();
  }
  const id = request.headers["mcp-session-id"];
  if (id !== undefined && !sessions.has(id)) return response.writeHead(404).end();
  const transport = sessions.get(id)?.transport ?? await open();
  await transport.handleRequest(request, response);
}

const server = createServer((request, response) => {
  handle(request, response).catch((thrown) => {
    process.stderr.write(`${thrown}\n`);
    if (!response.headersSent) response.writeHead(500).end();
  });
});
server.listen(
  Number(port),
  "127.0.0.1",
  () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`),
);
