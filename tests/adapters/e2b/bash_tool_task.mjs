/**
 * A scripted task with the bash tool of the AI SDK, over E2B's SDK; fails with what does not hold.
 *
 * Arguments: the folder with the packages. Environment: E2B_API_KEY, E2B_API_URL, E2B_SANDBOX_URL.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.argv[2]}/`);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { Sandbox, CommandExitError } = require("@e2b/code-interpreter");
// the package has no entry for require
const tool = `${process.argv[2]}/node_modules/bash-tool/dist/index.js`;
const { createBashTool } = await import(pathToFileURL(tool).href);
const { generateText, stepCountIs } = await load("ai");
const { MockLanguageModelV3 } = await load("ai/test");

const box = await Sandbox.create({ timeoutMs: 120_000 });
const sandbox = {
  async executeCommand(command) {
    try {
      const { stdout, stderr, exitCode } = await box.commands.run(command);
      return { stdout, stderr, exitCode };
    } catch (error) {
      if (!(error instanceof CommandExitError)) throw error;
      return { stdout: error.stdout, stderr: error.stderr, exitCode: error.exitCode };
    }
  },
  readFile: (path) => box.files.read(path),
  writeFiles: async (files) => {
    for (const { path, content } of files) await box.files.write(path, content.toString());
  },
};

const { tools } = await createBashTool({
  sandbox,
  destination: "/home/user",
  files: { "data/sales.csv": "city,sum\nRome,3\nOslo,5\nRome,4\n" },
});

/** The calls of the model, one in each step, and what it hears of them. */
const SCRIPT = [
  ["bash", { command: "ls data && head -1 data/sales.csv" }],
  ["bash", {
    command:
      "awk -F, 'NR > 1 { s[$1] += $2 } END { for (c in s) print c, s[c] }' data/sales.csv | sort",
  }],
  ["writeFile", {
    path: "sum.py",
    content:
      "import csv\nprint(sum(int(r['sum']) for r in csv.DictReader(open('data/sales.csv'))))\n",
  }],
  ["bash", { command: "python3 sum.py | tee total && cat total >&2" }],
  ["readFile", { path: "total" }],
  ["bash", { command: "grep nothing data/sales.csv" }],
];
let step = 0;
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const model = new MockLanguageModelV3({
  doGenerate: () => {
    const call = SCRIPT[step++];
    const content = call === undefined ? [{ type: "text", text: "done" }] : [{
      type: "tool-call",
      toolCallId: `${step}`,
      toolName: call[0],
      input: JSON.stringify(call[1]),
    }];
    const unified = call === undefined ? "stop" : "tool-calls";
    return { content, finishReason: { unified, raw: unified }, usage, warnings: [] };
  },
});
const { steps, text } = await generateText({
  model,
  tools,
  prompt: "Sum the sales.",
  stopWhen: stepCountIs(SCRIPT.length + 1),
});
assert.equal(text, "done");
const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
const streams = ({ stdout, stderr, exitCode }) => [stdout, stderr, exitCode];
assert.equal(outputs.length, SCRIPT.length, JSON.stringify(steps.map(({ content }) => content)));
assert.deepEqual(streams(outputs[0]), ["sales.csv\ncity,sum\n", "", 0]);
assert.deepEqual(streams(outputs[1]), ["Oslo 5\nRome 7\n", "", 0]);
assert.deepEqual(outputs[2], { success: true });
assert.deepEqual(streams(outputs[3]), ["12\n", "12\n", 0]);
assert.equal(outputs[4].content, "12\n");
assert.deepEqual(streams(outputs[5]), ["", "", 1]);
await box.kill();
