/**
 * The cost of a call through each interface: the same trivial run by the plain route, by `/mcp` and by
 * `/e2b`, in turns. `deno run --allow-all bench/adapters.ts [rounds]`
 *
 * @module
 */
import { startService } from "../tests/support/service.ts";
import { ms, quantile, table } from "./stats.ts";
import { jsonPost } from "../tests/support/json_post.ts";

const rounds = Number(Deno.args[0] ?? 300);
const CODE = "1 + 1";
const WARM_UP = 30;

/** Sends JSON and reads the whole answer. */
async function send(url: string, body: unknown, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(url, jsonPost(body, headers));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
  return text;
}

await using service = await startService({ LANGUAGES: "javascript" });
const { url } = service;
const sandbox = JSON.parse(await send(`${url}/e2b/v2/sandboxes`, { timeout: 3_600 }, {})).sandboxID;
const own = `${url}/languages/javascript/sandboxes/own/execute`;
const mcp = {
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-11-25",
};
const call = (args: Record<string, string>) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "run_code", arguments: { language: "javascript", code: CODE, ...args } },
});
const ways: readonly (readonly [name: string, run: () => Promise<string>])[] = [
  ["plain route, stateless", () => send(`${url}/execute`, { code: CODE }, {})],
  ["/mcp, stateless", () => send(`${url}/mcp`, call({}), mcp)],
  ["plain route, context", () => send(own, { code: CODE }, {})],
  ["/mcp, context", () => send(`${url}/mcp`, call({ sandbox: "own" }), mcp)],
  [
    "/e2b, context",
    () =>
      send(`${url}/e2b/execute`, { code: CODE, language: "javascript" }, {
        "e2b-sandbox-id": sandbox,
      }),
  ],
];
const times = new Map(ways.map(([name]) => [name, Array.from<number>({ length: 0 })]));
for (let round = -WARM_UP; round < rounds; round++) {
  for (const [name, run] of ways) {
    const begin = performance.now();
    await run();
    if (round >= 0) times.get(name)?.push(performance.now() - begin);
  }
}
const rows = [...times].map(([name, taken]) => [name, `${ms(quantile(taken, 0.5))} ms`]);
await Deno.stdout.write(new TextEncoder().encode(`${table(["way", "p50"], rows)}\n`));
