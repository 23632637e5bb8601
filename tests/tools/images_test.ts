// test: long
/** Images that MCP tools return: displays of the run, once each, and values of the program. */
import { assertEquals } from "@std/assert";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { callJson, startProgram } from "../support/program.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

/** A server with `shot`, an image, and `chart`, two images beside structured content. */
function serveImages() {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "images", version: "1" });
    const image = (data: string, mimeType: string) => ({ type: "image" as const, data, mimeType });
    server.registerTool("shot", {}, () => ({ content: [image(PNG, "image/png")] }));
    server.registerTool("chart", { outputSchema: z.object({ points: z.number() }) }, () => ({
      structuredContent: { points: 3 },
      content: [image(PNG, "image/png"), image(btoa(SVG), "image/svg+xml"), image(PNG, "no type")],
    }));
    return server;
  }, { legacy: "stateless" });
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => undefined };
  const server = Deno.serve(options, (request) => handler.fetch(request));
  return {
    address: `127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const SHOT = { data: { "image/png": PNG } };
const CHART = [SHOT, { data: { "image/svg+xml": SVG } }];

Deno.test("tools: images are displays and values, also after a kill, and without room they are values", async () => {
  await using server = serveImages();
  const folder = await Deno.makeTempDir();
  const path = `${folder}/tools.json`;
  await Deno.writeTextFile(
    path,
    JSON.stringify({
      servers: { hub: { url: `http://${server.address}/mcp`, idempotent: true } },
      tenants: { "*": ["hub.*"] },
      privateAddresses: [server.address],
    }),
  );
  const env = { LANGUAGES: "python", TOOLS: path, KV_PATH: `${folder}/data.sqlite3` };
  let program = await startProgram({ env });
  try {
    const box = "/languages/python/sandboxes/box";
    const code = `import base64
shot = tools.hub.shot()
open("shot.png", "wb").write(base64.b64decode(shot["bytes"]))
said = tools.own()
[said, shot["mimeType"], tools.hub.chart()]`;
    const body = { code, tools: ["hub.*", { name: "own" }] };
    const first = await callJson(`${program.url}${box}/execute`, body);
    const { waiting, displays } = z.object({
      waiting: z.object({ run: z.string() }),
      displays: z.unknown(),
    }).parse(first.body);
    assertEquals(displays, [SHOT]);
    await program.end("SIGKILL");
    program = await startProgram({ env });
    const answers = [{ key: `${waiting.run}/2`, value: "mine" }];
    const last = await callJson(`${program.url}/runs/${waiting.run}/answers`, { answers });
    assertEquals(last.body["results"], [{ json: ["mine", "image/png", { points: 3 }] }]);
    assertEquals(last.body["displays"], [SHOT, ...CHART]);
    const file = await fetch(`${program.url}${box}/files/shot.png`);
    assertEquals(new Uint8Array(await file.arrayBuffer()).toBase64(), PNG);

    const stream = await fetch(`${program.url}/execute/python`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/x-ndjson" },
      body: JSON.stringify({ code: "print(1)\ntools.hub.chart()\nprint(2)", tools: ["hub.*"] }),
    });
    const events = (await stream.text()).trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(events.map(({ type }) => type), [
      "start",
      "stdout",
      "display",
      "display",
      "stdout",
      "end",
    ]);
    const many = "sum(len(tools.hub.shot()['bytes']) for _ in range(20)) // 20";
    const counted = await callJson(`${program.url}/execute/python`, { ...body, code: many });
    assertEquals(counted.body["results"], [{ text: `${PNG.length}` }]);
    assertEquals(counted.body["displays"], Array(8).fill(SHOT));
  } finally {
    await program.end("SIGTERM");
    await Deno.remove(folder, { recursive: true });
  }
});
