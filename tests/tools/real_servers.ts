/**
 * MCP servers of others, and an HTTP service that is described by OpenAPI.
 *
 * @module
 */
import { NODE_PACKAGES } from "../support/test_clients.ts";

const MODULES = `${NODE_PACKAGES}/node_modules/@modelcontextprotocol`;
const BRIDGE = new URL("stdio_bridge.mjs", import.meta.url).pathname;
const STARTED = /(?:listening on port |127\.0\.0\.1:)(\d+)/;

/** A server in a process of its own. */
export interface McpProcess extends AsyncDisposable {
  /** Of its MCP route. */
  readonly url: string;
  /** Ends all its sessions, if it is one of standard input and output. */
  endSessions(): Promise<void>;
}

async function start(args: readonly string[], env: Record<string, string>): Promise<McpProcess> {
  const child = new Deno.Command("node", {
    args: [...args],
    cwd: NODE_PACKAGES,
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const port = Promise.withResolvers<string>();
  let written = "";
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      written += text;
      const [, found] = STARTED.exec(written) ?? [];
      if (found !== undefined) port.resolve(found);
    }
  };
  const ended = Promise.all([child.status, collect(child.stdout), collect(child.stderr)]);
  ended.then(() => port.reject(new Error(`The server ended:\n${written}`)));
  const base = `http://127.0.0.1:${await port.promise}`;
  return {
    url: `${base}/mcp`,
    endSessions: async () => {
      await (await fetch(`${base}/sessions`, { method: "DELETE" })).body?.cancel();
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** `@modelcontextprotocol/server-everything`. */
export function startEverything(port: number): Promise<McpProcess> {
  return start([`${MODULES}/server-everything/dist/index.js`, "streamableHttp"], {
    PORT: `${port}`,
  });
}

/** `@modelcontextprotocol/server-memory`, whose graph is in this file. */
export function startMemory(path: string): Promise<McpProcess> {
  return start([BRIDGE, "0", `${MODULES}/server-memory/dist/index.js`], { MEMORY_FILE_PATH: path });
}

/** `@modelcontextprotocol/server-filesystem` over a folder. */
export function startFiles(folder: string): Promise<McpProcess> {
  return start([BRIDGE, "0", `${MODULES}/server-filesystem/dist/index.js`, folder], {});
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly schema: object;
}

interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly "application/json": { schema: BodySchema } };
  };
}

interface BodySchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

/** The part of an OpenAPI document that operations are made of. */
export interface ApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
}

const ITEM: Parameter = { name: "id", in: "path", required: true, schema: { type: "integer" } };

const SHOP: ApiDocument = {
  openapi: "3.1.0",
  paths: {
    "/items/{id}": {
      get: { operationId: "items.get", summary: "An item.", parameters: [ITEM] },
      delete: { operationId: "items.delete", summary: "Deletes an item.", parameters: [ITEM] },
    },
    "/items": {
      get: {
        operationId: "items.list",
        summary: "All items.",
        parameters: [{ name: "most", in: "query", schema: { type: "integer" } }],
      },
    },
    "/orders": {
      post: {
        operationId: "orders.create",
        summary: "Orders an item.",
        requestBody: {
          content: {
            "application/json": {
              schema: {
                properties: { id: { type: "integer" }, count: { type: "integer" } },
                required: ["id", "count"],
              },
            },
          },
        },
      },
    },
  },
};

const PRICES = new Map([[1, 250], [2, 1_000], [3, 75]]);

function shop(request: Request, body: { readonly id: number; readonly count: number }): Response {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/openapi.json") return Response.json(SHOP);
  const [, kind, id] = pathname.split("/");
  if (kind === "orders") {
    return Response.json({ total: (PRICES.get(body.id) ?? 0) * body.count }, { status: 201 });
  }
  if (id === undefined) {
    const most = Number(searchParams.get("most") ?? PRICES.size);
    return Response.json([...PRICES].slice(0, most).map(([id, price]) => ({ id, price })));
  }
  const price = PRICES.get(Number(id));
  if (price === undefined) return Response.json({ detail: "no such item" }, { status: 404 });
  return request.method === "DELETE"
    ? new Response(null, { status: 204 })
    : Response.json({ id: Number(id), price });
}

/** A shop over HTTP. */
export function startShop() {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => undefined };
  const server = Deno.serve(options, async (request) => {
    const text = await request.text();
    return shop(request, text === "" ? {} : JSON.parse(text));
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** The operations of a tools file for a service with an OpenAPI document. */
export function operationsOf(name: string, base: string, { paths }: ApiDocument) {
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, summary, ...operation }]) => {
        const { parameters = [], requestBody } = operation;
        const body = requestBody?.content["application/json"].schema;
        const query = parameters.filter((one) => one.in === "query")
          .map((one) => `${one.name}={${one.name}}`);
        return [`${name}.${operationId}`, {
          description: summary,
          method: method.toUpperCase(),
          url: `${base}${path}${query.length === 0 ? "" : `?${query.join("&")}`}`,
          inputSchema: {
            type: "object",
            properties: {
              ...body?.properties,
              ...Object.fromEntries(parameters.map((one) => [one.name, one.schema])),
            },
            required: [
              ...body?.required ?? [],
              ...parameters.filter(({ required }) => required).map((one) => one.name),
            ],
          },
        }];
      })
    ),
  );
}
