/**
 * An agent with three tools whose model writes programs instead of single calls: a program calls them in a
 * loop, keeps what it learns in variables, and shows the model only what matters.
 *
 *     BELLJAR_URL=http://127.0.0.1:8000 deno run --allow-net --allow-env agent_tools.ts
 */
import { connect, getSandbox, type Tools } from "@belljar/client";

const orders = Array.from(
  { length: 40 },
  (_, id) => ({ id, total: (id * 37) % 90, paid: id % 3 > 0 }),
);
const reminded: number[] = [];

const id = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
const tools: Tools = {
  "orders.list": {
    description: "Ids of all orders.",
    inputSchema: { type: "object" },
    execute: () => orders.map((order) => order.id),
  },
  "orders.get": {
    description: "An order: id, total, paid.",
    inputSchema: id,
    execute: ({ id }: { id: number }) => orders[id] ?? null,
  },
  "orders.remind": {
    description: "Sends a reminder.",
    inputSchema: id,
    execute: ({ id }: { id: number }) => {
      reminded.push(id);
      return "sent";
    },
  },
};

interface Message {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
}

/** A step of the model: a program to run, or the final answer. */
type Reply = { readonly code: string } | { readonly answer: string };

/**
 * A scripted model, so that this example needs no key and no network. Put a real one here: its prompt
 * holds the declarations below, and it has one tool of its own, `run_code(code)`.
 */
function model(messages: readonly Message[]): Promise<Reply> {
  const steps: readonly Reply[] = [
    {
      code:
        `open_orders = [o for o in map(lambda i: tools.orders.get(id=i), tools.orders.list()) if not o["paid"]]
len(open_orders), sum(o["total"] for o in open_orders)`,
    },
    {
      code: `large = [o for o in open_orders if o["total"] > 70]
[tools.orders.remind(id=o["id"]) for o in large]
[o["id"] for o in large]`,
    },
    { answer: `I reminded the customers of orders ${messages.at(-1)?.text}.` },
  ];
  const done = messages.filter(({ role }) => role === "assistant").length;
  return Promise.resolve(steps[done] ?? { answer: "I have no more ideas." });
}

const url = Deno.env.get("BELLJAR_URL") ?? "http://127.0.0.1:8000";
const token = Deno.env.get("BELLJAR_TOKEN");

/** The tools as the model's prompt shows them. */
async function declarations(): Promise<string> {
  const declared = Object.entries(tools).map(([name, tool]) => {
    const { description, inputSchema } = typeof tool === "function" ? {} : tool;
    return { name, description, inputSchema };
  });
  const answer = await fetch(`${url}/tools?as=text`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ tools: declared }),
  });
  return await answer.text();
}

const env = connect(url, { token });
await using sandbox = getSandbox<typeof env>(env.Sandbox, crypto.randomUUID(), { ephemeral: true });

const task = `Remind whoever has not paid more than 70.\n\n${await declarations()}`;
console.log(task);
const messages: Message[] = [{ role: "user", text: task }];
const MAX_STEPS = 10;
for (let step = 1; step <= MAX_STEPS; step++) {
  const reply = await model(messages);
  if ("answer" in reply) {
    console.log(reply.answer);
    break;
  }
  const { results, error } = await sandbox.interpreter.runCode(reply.code, {
    binding: "PYTHON",
    tools,
  });
  const seen = error?.message ?? results[0]?.text ?? JSON.stringify(results[0]?.json);
  console.log(`step ${step}: ${seen}`);
  messages.push({ role: "assistant", text: reply.code }, { role: "tool", text: seen });
}
console.log(`reminders sent: ${reminded.join(", ")}`);
