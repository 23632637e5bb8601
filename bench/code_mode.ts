/**
 * An agent over an MCP server of 100 tools: the same task with one call a turn, and as a program that
 * `run_code` runs. The model is a script, so that both do the same. A turn sends the definitions of all
 * tools and the conversation so far; a token is four bytes of it. `deno run --allow-all bench/code_mode.ts`
 *
 * @module
 */
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { connectTo, type McpClient } from "../tests/adapters/mcp/client.ts";
import { startService } from "../tests/support/service.ts";
import { table } from "./stats.ts";

const AREAS = ["crm", "billing", "mail", "tickets", "stock", "hr", "files", "search", "wiki", "ci"];
const VERBS = [
  "find",
  "list",
  "get",
  "create",
  "update",
  "delete",
  "archive",
  "export",
  "tag",
  "share",
];
const CUSTOMERS = ["Ada", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana"];
const BYTES_PER_TOKEN = 4;

/** Invoices of a customer: the task adds those that are open. */
function invoicesOf(name: string) {
  return Array.from({ length: 20 }, (_, n) => ({
    number: `${name}-${n}`,
    state: n % 3 === 0 ? "open" : "paid",
    sum: name.length * 10 + n,
    text: "Delivery and installation as agreed, net 30 days.",
  }));
}

function serverOf(): McpServer {
  const server = new McpServer({ name: "office", version: "1" });
  for (const area of AREAS) {
    for (const verb of VERBS) {
      server.registerTool(`${area}_${verb}`, {
        description:
          `${verb} in ${area}: takes a name and a text with options, and returns entries ` +
          "of this kind that the caller may see, the newest first.",
        inputSchema: z.object({
          name: z.string().describe("The name, number or path of the entry."),
          text: z.string().optional().describe("The content, or options of the call."),
          most: z.number().optional().describe("Most entries of the answer."),
        }),
      }, ({ name, text }) => {
        const value = verb === "list" && area === "billing"
          ? invoicesOf(name)
          : { area, verb, name, text: text ?? null };
        return { content: [{ type: "text", text: JSON.stringify(value) }] };
      });
    }
  }
  return server;
}

/** A conversation whose turns are counted. */
class Conversation {
  readonly #client: McpClient;
  readonly #tools: number;
  #said = 0;
  turns = 0;
  bytes = 0;

  private constructor(client: McpClient, tools: number) {
    this.#client = client;
    this.#tools = tools;
  }

  static async begin(client: McpClient): Promise<Conversation> {
    const { tools } = await client.client.listTools();
    const definitions = tools.map(({ name, description, inputSchema }) => {
      return { name, description, inputSchema };
    });
    return new Conversation(client, bytesOf(definitions));
  }

  /** The model asks for a call, and its result is added to the conversation. */
  async call(name: string, input: Record<string, unknown>): Promise<string> {
    this.#turn();
    const { content } = await this.#client.call(name, input);
    const text = content.map((block) => block.type === "text" ? block.text : "").join("\n");
    this.#said += bytesOf({ name, input }) + bytesOf(text);
    return text;
  }

  /** The model answers its user. */
  end(): void {
    this.#turn();
  }

  #turn(): void {
    this.turns++;
    this.bytes += this.#tools + this.#said;
  }
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

const invoices = z.array(z.object({ state: z.string(), sum: z.number() }));

/** One call a turn. */
async function oneByOne(conversation: Conversation): Promise<number> {
  let total = 0;
  for (const name of CUSTOMERS) {
    const listed = invoices.parse(JSON.parse(await conversation.call("billing_list", { name })));
    for (const { state, sum } of listed) total += state === "open" ? sum : 0;
  }
  await conversation.call("mail_create", { name: "boss", text: `Open: ${total}` });
  conversation.end();
  return total;
}

const PROGRAM = `total = 0
for name in ${JSON.stringify(CUSTOMERS)}:
    total += sum(one["sum"] for one in tools.office.billing_list(name=name) if one["state"] == "open")
tools.office.mail_create(name="boss", text=f"Open: {total}")
total`;

/** The model looks for tools, and writes a program. */
async function asProgram(conversation: Conversation): Promise<number> {
  await conversation.call("find_tools", { query: "list billing invoices, create mail", limit: 5 });
  const text = await conversation.call("run_code", { language: "python", code: PROGRAM });
  conversation.end();
  return Number(/\[result\]\n(\d+)/.exec(text)?.[1]);
}

const handler = createMcpHandler(serverOf, { legacy: "stateless" });
const listening = { hostname: "127.0.0.1", port: 0, onListen: () => undefined };
const server = Deno.serve(listening, (request) => handler.fetch(request));
const address = `127.0.0.1:${server.addr.port}`;
const path = await Deno.makeTempFile({ suffix: ".json" });
await Deno.writeTextFile(
  path,
  JSON.stringify({
    servers: { office: { url: `http://${address}/mcp` } },
    tenants: { "*": ["*"] },
    privateAddresses: [address],
  }),
);
{
  await using service = await startService({ LANGUAGES: "python", TOOLS: path });
  await using direct = await connectTo(`http://${address}`);
  await using code = await connectTo(service.url);
  const ways = [
    ["100 tools, one call a turn", await Conversation.begin(direct), oneByOne],
    ["`run_code` and `find_tools`", await Conversation.begin(code), asProgram],
  ] as const;
  const rows: string[][] = [];
  const totals = new Set<number>();
  for (const [name, conversation, work] of ways) {
    totals.add(await work(conversation));
    const tokens = Math.round(conversation.bytes / BYTES_PER_TOKEN);
    rows.push([name, `${conversation.turns}`, tokens.toLocaleString("en")]);
  }
  if (totals.size !== 1) throw new Error(`The totals differ: ${[...totals]}`);
  const text = table(["the model has", "turns", "tokens of all prompts"], rows);
  await Deno.stdout.write(new TextEncoder().encode(`${text}\n`));
}
await server.shutdown();
await Deno.remove(path);
