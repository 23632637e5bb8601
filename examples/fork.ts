/**
 * Forks: one expensive state, three ways to go on from it. A fork shares memory with its source
 * until one of them changes it, so it takes milliseconds, whatever the size of the state.
 *
 *     BELLJAR_URL=http://127.0.0.1:8000 deno run --allow-net --allow-env fork.ts
 */
import { connect, getSandbox } from "@belljar/client";

const env = connect(Deno.env.get("BELLJAR_URL") ?? "http://127.0.0.1:8000", {
  token: Deno.env.get("BELLJAR_TOKEN"),
});
await using sandbox = getSandbox<typeof env>(env.Sandbox, crypto.randomUUID(), { ephemeral: true });
const { interpreter } = sandbox;

const source = await interpreter.createCodeContext({ binding: "PYTHON" });
await interpreter.runCode("data = [n * 7919 % 10007 for n in range(50_000)]", { context: source });

const attempts = {
  median: "sorted(data)[len(data) // 2]",
  distinct: "len(set(data))",
  destructive: "data.clear(); len(data)",
};

const outcomes = await Promise.all(
  Object.entries(attempts).map(async ([name, code]) => {
    const context = await source.fork();
    const { results } = await interpreter.runCode(code, { context });
    return `${name}: ${results[0]?.text}`;
  }),
);
console.log(outcomes.join("\n"));

// The source is as it was, whatever the forks did.
const { results } = await interpreter.runCode("len(data)", { context: source });
console.log(`source: ${results[0]?.text}`);
