/**
 * The npm SDK of MCP's earlier revisions, unmodified: calls are cancelled, time out, and end with
 * their client; a program asks. Fails with what does not hold.
 *
 * Arguments: the folder with the package, the address of `/mcp`.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const [, , folder, url] = process.argv;
const require = createRequire(`${folder}/`);
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = require(
  "@modelcontextprotocol/sdk/client/streamableHttp.js",
);

// Node 20 has none
Promise.withResolvers ??= () => {
  let resolve;
  const promise = new Promise((fulfil) => (resolve = fulfil));
  return { promise, resolve };
};

async function connected() {
  const client = new Client({ name: "tests", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

const box = { language: "javascript", sandbox: "sdk1" };
const run = async (client, code, options) =>
  await client.callTool({ name: "run_code", arguments: { ...box, code } }, undefined, options);
const endless = "var kept = 2; console.log('on'); for (;;);";

const client = await connected();
await run(client, "var kept = 1");

/** Begins an endless run, ends it in some way, and looks at the context. */
async function ends(what, by) {
  const other = await connected();
  const begun = Promise.withResolvers();
  const { options = {}, end = () => undefined } = by(other);
  const call = run(other, endless, { onprogress: () => begun.resolve(), ...options });
  const failed = assert.rejects(call, what);
  await begun.promise;
  await end();
  await failed;
  assert.match((await run(client, "kept")).content[0].text, /^\[result\]\n1$/, what);
  await other.close();
}

await ends("aborted", () => {
  const stop = new AbortController();
  return { options: { signal: stop.signal }, end: () => stop.abort() };
});
await ends("timed out", () => ({ options: { timeout: 1_500 } }));
await ends("closed", (other) => ({ end: () => other.close() }));

// a question, which these revisions leave to the model
const code = "const lines = require('fs').readFileSync(0, 'utf8'); lines.trim() + '!'";
const asks = { language: "javascript", interactive: true, code };
const told = await client.callTool({ name: "run_code", arguments: asks });
const { run: waiting, input } = told.structuredContent.waiting;
const answer = async (value) =>
  await client.callTool({
    name: "answer_run",
    arguments: { run: waiting, answers: [{ key: input.key, value }] },
  });
const next = (await answer("Ada")).structuredContent.waiting.input.key;
const end = await client.callTool({
  name: "answer_run",
  arguments: { run: waiting, answers: [{ key: next, value: null }] },
});
assert.match(end.content[0].text, /Ada!/);
process.exit(0);
