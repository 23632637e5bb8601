/**
 * A notebook: cells that run in one context, with their numbers. A cell that fails leaves the
 * variables of the cells before it, as in Jupyter. The context is still there tomorrow, after a
 * restart of the service.
 *
 *     BELLJAR_URL=http://127.0.0.1:8000 deno run --allow-net --allow-env notebook.ts
 */
import { connect, getSandbox } from "@belljar/client";

const env = connect(Deno.env.get("BELLJAR_URL") ?? "http://127.0.0.1:8000", {
  token: Deno.env.get("BELLJAR_TOKEN"),
});
await using sandbox = getSandbox<typeof env>(env.Sandbox, crypto.randomUUID(), { ephemeral: true });
const context = await sandbox.interpreter.createCodeContext({ language: "python" });

const cells = [
  "def fibonacci():\n    a, b = 0, 1\n    while True:\n        yield a\n        a, b = b, a + b",
  "numbers = fibonacci()  # a suspended generator is part of the state too",
  "[next(numbers) for _ in range(8)]",
  "1 / 0",
  "[next(numbers) for _ in range(4)]",
];

for (const cell of cells) {
  const { executionCount, results, error } = await sandbox.interpreter.runCode(cell, {
    context,
    onStdout: ({ text }) => console.log(text),
  });
  if (error) console.log(`In [${executionCount}] ${error.name}: ${error.message}`);
  for (const { text, json } of results) {
    console.log(`Out[${executionCount}]: ${text ?? JSON.stringify(json)}`);
  }
}
