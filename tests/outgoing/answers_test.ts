import { assertEquals } from "@std/assert";
import { serveRaw } from "../support/raw_server.ts";
import { CLOCK, makeOutgoing, MAX_BYTES, OK, send } from "./send.ts";

Deno.test("outgoing: a redirect is an answer and is not followed", CLOCK, async () => {
  await using other = serveRaw(OK);
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `location: http://127.0.0.1:${other.port}/`;
    await using server = serveRaw(
      `HTTP/1.1 ${status} Moved\r\n${location}\r\ncontent-length: 0\r\n\r\n`,
    );
    await using outgoing = makeOutgoing();
    const answer = await send(outgoing, `http://127.0.0.1:${server.port}/`);
    assertEquals(answer, { status, text: "" });
  }
  assertEquals(other.requests, []);
});

const BROKEN: Readonly<Record<string, string>> = {
  "no answer": "",
  "no HTTP": "nonsense\r\n\r\n",
  "a short body": "HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nok",
  "a chunk that is not whole": "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel",
  "two lengths":
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n2\r\nok\r\n0\r\n\r\n",
  "an upgrade": "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
  "a long header": `HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}\r\ncontent-length: 0\r\n\r\n`,
  "many headers": `HTTP/1.1 200 OK\r\n${"x: a\r\n".repeat(10_000)}content-length: 0\r\n\r\n`,
  "compression": "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nok",
};

for (const [name, answer] of Object.entries(BROKEN)) {
  Deno.test(`outgoing: an answer with ${name} is broken, and was sent for`, CLOCK, async () => {
    await using server = serveRaw(answer);
    await using outgoing = makeOutgoing();
    const outcome = await send(outgoing, `http://127.0.0.1:${server.port}/`);
    assertEquals(outcome, { reason: "broken", sent: true });
  });
}

Deno.test("outgoing: a body is bounded, with and without a length", CLOCK, async () => {
  const chunk = `401\r\n${"a".repeat(MAX_BYTES + 1)}\r\n0\r\n\r\n`;
  const bodies = [
    `content-length: ${MAX_BYTES + 1}\r\n\r\n${"a".repeat(MAX_BYTES + 1)}`,
    `transfer-encoding: chunked\r\n\r\n${chunk}`,
    `\r\n${"a".repeat(100_000)}`,
  ];
  for (const body of bodies) {
    await using server = serveRaw(`HTTP/1.1 200 OK\r\n${body}`, { keepsOpen: body !== bodies[2] });
    await using outgoing = makeOutgoing();
    const outcome = await send(outgoing, `http://127.0.0.1:${server.port}/`);
    assertEquals(outcome, { reason: "large", sent: true });
  }
  const exact = `content-length: ${MAX_BYTES}\r\n\r\n${"a".repeat(MAX_BYTES)}`;
  await using server = serveRaw(`HTTP/1.1 200 OK\r\n${exact}`);
  await using outgoing = makeOutgoing();
  const outcome = await send(outgoing, `http://127.0.0.1:${server.port}/`);
  assertEquals(outcome, { status: 200, text: "a".repeat(MAX_BYTES) });
});
