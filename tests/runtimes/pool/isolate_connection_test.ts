import { assert, assertEquals, assertRejects } from "@std/assert";
import { IsolateConnection } from "../../../runtimes/pool/isolate_connection.ts";
import { ProtocolError } from "../../../shared/message.ts";

const LIMIT = 1_000_000;

/** The answer of a peer: separate pieces; it closes the connection after the last. */
type Script = readonly (string | Uint8Array)[];

/** A peer that answers any request by its script. */
function startPeer(script: Script): { readonly port: number } & AsyncDisposable {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const served = (async () => {
    for await (const connection of listener) {
      using open = connection;
      await answer(open, script);
    }
  })();
  return {
    port: listener.addr.port,
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await served.catch(() => undefined);
    },
  };
}

/** Sends its script, as far as the other side reads it. */
async function answer(connection: Deno.Conn, script: Script): Promise<void> {
  await connection.read(new Uint8Array(65_536));
  for (const piece of script) {
    const sent = connection.write(typeof piece === "string" ? bytesOf(piece) : piece);
    if (!await sent.then(() => true, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

async function askPeer(script: Script, limit = LIMIT) {
  await using peer = startPeer(script);
  const connection = await IsolateConnection.open({ port: peer.port, token: "t" });
  try {
    return await connection.post("/run", [bytesOf("body")], limit);
  } finally {
    connection.close();
  }
}

Deno.test("isolate connection: an answer is read however it is cut into pieces", async () => {
  const answer = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ndate: now\r\n\r\nhello";
  for (let cut = 0; cut <= answer.length; cut += 3) {
    const pieces = [answer.slice(0, cut), answer.slice(cut)].filter((piece) => piece !== "");
    const { status, body } = await askPeer(pieces);
    assertEquals([status, new TextDecoder().decode(body)], [200, "hello"]);
  }
});

Deno.test("isolate connection: a status without content has an empty body", async () => {
  const { status, body } = await askPeer(["HTTP/1.1 204 No Content\r\n\r\n"]);
  assertEquals([status, body.length], [204, 0]);
});

const REFUSED: Readonly<Record<string, Script>> = {
  "nothing": [],
  "something else than HTTP": ["SSH-2.0-OpenSSH\r\n\r\n"],
  "another version": ["HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n"],
  "an interim answer": ["HTTP/1.1 100 Continue\r\n\r\n"],
  "no length": ["HTTP/1.1 200 OK\r\n\r\nhello"],
  "two lengths": ["HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 5\r\n\r\nhello"],
  "two lengths, one in disguise": [
    "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nContent-Length : 9\r\n\r\nhello",
  ],
  "a negative length": ["HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\nhello"],
  "a length in hexadecimal": ["HTTP/1.1 200 OK\r\ncontent-length: 0x5\r\n\r\nhello"],
  "a length that no number holds": [
    `HTTP/1.1 200 OK\r\ncontent-length: ${"9".repeat(400)}\r\n\r\nhello`,
  ],
  "chunks": ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"],
  "chunks and a length": [
    "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\nhello",
  ],
  "a body over the limit": [`HTTP/1.1 200 OK\r\ncontent-length: ${LIMIT + 1}\r\n\r\nhello`],
  "a body that is longer than it says": ["HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nhello"],
  "a body that is cut short": ["HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nhello"],
  "a head that does not end": ["HTTP/1.1 200 OK\r\n", "x: y\r\n".repeat(10_000)],
};

for (const [what, script] of Object.entries(REFUSED)) {
  Deno.test(`isolate connection: ${what} is refused`, async () => {
    const error = await assertRejects(() => askPeer(script), Error);
    assert(error instanceof ProtocolError || error instanceof Deno.errors.ConnectionReset);
  });
}

Deno.test("isolate connection: large bodies pass both ways, and requests follow one another", async () => {
  const seen: (string | null)[] = [];
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (
    request,
  ) => {
    seen.push(request.headers.get("authorization"), new URL(request.url).pathname);
    return new Response(await request.bytes());
  });
  const connection = await IsolateConnection.open({ port: server.addr.port, token: "secret" });
  for (const size of [0, 1, 65_536, 65_537, 20_000_000]) {
    const sent = new Uint8Array(size).map((_, index) => index * 7);
    const { status, body } = await connection.post("/run", [sent], 20_000_000);
    assertEquals(status, 200);
    assertEquals(body.length, size);
    assert(body.every((byte, index) => byte === sent[index]));
  }
  connection.close();
  assertEquals([...new Set(seen)], ["Bearer secret", "/run"]);
});

Deno.test("isolate connection: calls fail after a failure and after close()", async () => {
  await using peer = startPeer(["HTTP/1.1 200 OK\r\n\r\n"]);
  const connection = await IsolateConnection.open({ port: peer.port, token: "t" });
  await assertRejects(() => connection.post("/run", [bytesOf("")], LIMIT), ProtocolError);
  await assertRejects(() => connection.post("/run", [bytesOf("")], LIMIT), Error);
  connection.close();
});
