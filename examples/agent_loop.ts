/**
 * An agent: a model that writes programs, and a loop that runs them and shows it the results. The
 * state of the context survives between the steps, so the model can work as in a notebook.
 *
 *     BELLJAR_URL=http://127.0.0.1:8000 deno run --allow-net --allow-env agent_loop.ts
 */
import { connect, type ExecutionResult, getSandbox } from "@belljar/client";

interface Message {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
}

/** A step of the model: a program to run, or the final answer. */
type Reply = { readonly code: string } | { readonly answer: string };

/**
 * A scripted model, so that this example needs no key and no network. Put a real one here: send
 * `messages` to its API, offer one tool `run_code(code)`, and return the call or the text.
 */
function model(messages: readonly Message[]): Promise<Reply> {
  const steps: readonly Reply[] = [
    { code: "import csv\nrows = list(csv.DictReader(open('sales.csv')))\nrows[0]" },
    { code: "total = sum(row['amount'] for row in rows)" }, // a mistake: text is not a number
    { code: "total = sum(int(row['amount']) for row in rows)\ntotal" },
    { answer: `The total is ${messages.at(-1)?.text.trim()}.` },
  ];
  const done = messages.filter(({ role }) => role === "assistant").length;
  return Promise.resolve(steps[done] ?? { answer: "I have no more ideas." });
}

/** The text of a result for the model: output, value, error. Its length is limited by the service. */
function describe({ logs, results, error }: ExecutionResult): string {
  const value = results[0]?.text ?? JSON.stringify(results[0]?.json);
  const trouble = error && `${error.name}: ${error.message} (line ${error.lineNumber})`;
  return [...logs.stdout, ...logs.stderr, value, trouble].filter(Boolean).join("\n");
}

const env = connect(Deno.env.get("BELLJAR_URL") ?? "http://127.0.0.1:8000", {
  token: Deno.env.get("BELLJAR_TOKEN"),
});
await using sandbox = getSandbox<typeof env>(env.Sandbox, crypto.randomUUID(), { ephemeral: true });
await sandbox.files.write("sales.csv", "day,amount\nMonday,120\nTuesday,80\n");

const messages: Message[] = [{ role: "user", text: "What is the total of sales.csv?" }];
const MAX_STEPS = 10;
for (let step = 1; step <= MAX_STEPS; step++) {
  const reply = await model(messages);
  if ("answer" in reply) {
    console.log(reply.answer);
    break;
  }
  const result = await sandbox.interpreter.runCode(reply.code, {
    binding: "PYTHON",
    limits: { wallMs: 10_000 }, // lower than the service's own: an agent should not wait a minute
  });
  const seen = describe(result);
  console.log(`step ${step}: ${seen}`);
  messages.push({ role: "assistant", text: reply.code }, { role: "tool", text: seen });
}
