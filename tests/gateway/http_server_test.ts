/** What the listener's servers have in common, and what only the one over `node:http` does. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { noticesLeavers, type Serve, serveDeno } from "../../gateway/http_server.ts";
import { serveNode } from "../../gateway/node_server.ts";
import { exchange } from "./raw_exchange.ts";

const SERVERS: Readonly<Record<string, Serve>> = { deno: serveDeno, node: serveNode };

/** A server whose answers describe the request. */
async function start(serve: Serve) {
  const server = await serve({
    hostname: "127.0.0.1",
    port: 0,
    handler: async (request) => {
      const host = request.headers.get("host");
      const path = request.url.replace(/^http:\/\/[^/]*/, "");
      return Response.json([request.method, path, host, await request.text()]);
    },
  });
  assert(server.addr.transport === "tcp");
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function bodyOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
}

for (const [name, serve] of Object.entries(SERVERS)) {
  Deno.test(`server (${name}): bodies of any size arrive, with a length and in chunks`, async () => {
    await using server = await start(serve);
    for (const size of [0, 1, 1_000, 300_000]) {
      const body = "x".repeat(size);
      const stream = new Blob([body]).stream();
      for (const sent of [body, stream]) {
        const answer = await fetch(server.url, { method: "POST", body: sent });
        const [, , , got] = await answer.json();
        assertEquals(got.length, size);
      }
    }
  });

  Deno.test(`server (${name}): an ambiguous request is 400, and nothing after it is read`, async () => {
    await using server = await start(serve);
    const tail = "0\r\n\r\nGET /smuggled HTTP/1.1\r\nhost: a\r\n\r\n";
    const heads = [
      "content-length: 5\r\ntransfer-encoding: chunked",
      "content-length: 5\r\ncontent-length: 6",
      "content-length: +5",
      "transfer-encoding: xchunked",
    ];
    for (const head of heads) {
      const text = `POST / HTTP/1.1\r\nhost: a\r\n${head}\r\n\r\n${tail}`;
      const answer = await exchange(server.url, text);
      assertMatch(answer, /^(HTTP\/1\.1 400 |$)/);
      assert(!answer.includes("smuggled"));
    }
  });
}

Deno.test("server (node): path and Host reach the handler as sent", async () => {
  await using server = await start(serveNode);
  const path = "/a/../%2e%2e/b?c=%41";
  const answer = await exchange(server.url, `GET ${path} HTTP/1.1\r\nhost: a@b/../c\r\n\r\n`);
  assertEquals(bodyOf(answer), ["GET", path, "a@b/../c", ""]);
});

Deno.test("server: some versions of Deno.serve notice callers that leave", () => {
  const versions = ["2.5.0", "2.8.2", "2.8.3", "2.8.10", "2.9.6", "3.0.0", "2.9.0-rc.1", "1.46.3"];
  const noticing = versions.filter(noticesLeavers);
  assertEquals(noticing, ["2.5.0", "2.8.2", "1.46.3"]);
});
