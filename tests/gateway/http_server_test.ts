/** The common behaviour of the listener's servers, and that of those which notice disconnects. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  abortsRequests,
  type HttpServer,
  type Serve,
  serveDeno,
  serveWithDisconnects,
} from "../../gateway/http_server.ts";
import { canReadPeers } from "../../gateway/disconnects.ts";
import { connect, constants } from "node:http2";
import { leave, LEAVERS } from "../support/disconnects.ts";
import { until } from "../support/wait.ts";
import { exchange } from "./raw_exchange.ts";

const LOOPBACK = "127.0.0.1";
/** Empty where the system shows no connections. */
const NOTICING: Readonly<Record<string, Serve>> = await canReadPeers(LOOPBACK)
  ? { watched: serveWithDisconnects }
  : {};
const SERVERS: Readonly<Record<string, Serve>> = { deno: serveDeno, ...NOTICING };
const CALLERS = 20;

/** Describes the request. */
async function describe(request: Request): Promise<Response> {
  const host = request.headers.get("host");
  const path = request.url.replace(/^http:\/\/[^/]*/, "");
  return Response.json([request.method, path, host, await request.text()]);
}

interface Started extends AsyncDisposable {
  readonly url: string;
  readonly server: HttpServer;
}

function start(
  serve: Serve,
  { handler = describe, hostname = LOOPBACK }: {
    readonly handler?: (request: Request) => Promise<Response>;
    readonly hostname?: string;
  } = {},
): Started {
  const server = serve({ hostname, port: 0, handler });
  assert(server.addr.transport === "tcp");
  const { port } = server.addr;
  const host = hostname === "::1" ? "[::1]" : LOOPBACK;
  return { url: `http://${host}:${port}`, server, [Symbol.asyncDispose]: () => server.shutdown() };
}

/**
 * A handler of `POST` that lasts until it is released or the caller is gone: the paths of requests
 * that it has read, and of those whose callers are gone.
 */
function longRequests() {
  const read: string[] = [];
  const gone: string[] = [];
  const released = Promise.withResolvers<void>();
  const handler = async (request: Request) => {
    const { signal } = request;
    if (request.method === "GET") return new Response();
    const { length } = await request.text();
    const { pathname } = new URL(request.url);
    const left = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => left.resolve());
    read.push(pathname);
    await Promise.race([left.promise, released.promise]);
    if (signal.aborted) gone.push(pathname);
    return new Response(String(length));
  };
  const hasRead = (path: string) => until(() => read.includes(path));
  return { gone, handler, hasRead, [Symbol.dispose]: () => released.resolve() };
}

function bodyOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));
}

for (const [name, serve] of Object.entries(SERVERS)) {
  Deno.test(`server (${name}): bodies of any size arrive, with a length and in chunks`, async () => {
    await using server = start(serve);
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
    await using server = start(serve);
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

for (const [name, serve] of Object.entries(NOTICING)) {
  Deno.test(`server (${name}): path and Host reach the handler as sent`, async () => {
    await using server = start(serve);
    const path = "/a/../%2e%2e/b?c=%41";
    for (const host of ["a@b/../c", "a", "a/b?c", "a#b"]) {
      const answer = await exchange(server.url, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
      assertEquals(bodyOf(answer), ["GET", path, host, ""]);
    }
  });

  Deno.test(`server (${name}): a disconnect is noticed in any form and size of request`, async () => {
    const long = longRequests();
    await using server = start(serve, long);
    using _released = long;
    const cases = Object.values(LEAVERS).flatMap((leaver) =>
      [0, 3_000, 60_000].map((size) => ({ leaver, size }))
    );
    await Promise.all(
      cases.map(({ leaver, size }, n) =>
        leave(server.url, `/${n}`, "x".repeat(size), leaver, () => long.hasRead(`/${n}`))
      ),
    );
    await until(() => long.gone.length === cases.length);
    assertEquals(new Set(long.gone), new Set(cases.map((_, n) => `/${n}`)));
  });

  for (const hostname of [LOOPBACK, "::1", "::", "0.0.0.0"]) {
    Deno.test(`server (${name}): at ${hostname} callers are answered beside others that disconnect`, async () => {
      const long = longRequests();
      await using server = start(serve, { ...long, hostname });
      using _released = long;
      const body = "x".repeat(3_000);
      const stay = (path: string) => fetch(`${server.url}${path}`, { method: "POST", body });
      const staying = Array.from({ length: CALLERS }, (_, n) => stay(`/stay/${n}`));
      const leaving = Array.from({ length: CALLERS }, (_, n) => {
        const path = `/leave/${n}`;
        return leave(server.url, path, body, "socket", () => long.hasRead(path));
      });
      await Promise.all(leaving);
      await until(() => long.gone.length === CALLERS);
      long[Symbol.dispose]();
      const answers = await Promise.all(staying.map(async (answer) => await (await answer).text()));
      assertEquals(new Set(answers), new Set([String(body.length)]));
      assert(long.gone.every((path) => path.startsWith("/leave/")), long.gone.join());
    });
  }

  Deno.test(`server (${name}): a caller that closes its sending half gets a quick answer, and counts as disconnected later`, async () => {
    const long = longRequests();
    const handler = (request: Request) =>
      request.url.endsWith("/soon") ? describe(request) : long.handler(request);
    await using server = start(serve, { handler });
    using _released = long;
    const port = Number(new URL(server.url).port);
    for (const path of ["/soon", "/late"]) {
      using connection = await Deno.connect({ hostname: LOOPBACK, port });
      const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n`;
      const text = `${head}content-length: 1\r\n\r\nx`;
      await connection.write(new TextEncoder().encode(text));
      await connection.closeWrite();
      if (path === "/late") await until(() => long.gone.length > 0);
      else assertMatch(await new Response(connection.readable).text(), /^HTTP\/1\.1 200 /);
    }
    assertEquals(long.gone, ["/late"]);
  });
}

Deno.test({
  name: "server (watched): a caller that drops a request of HTTP/2 is noticed",
  ignore: NOTICING["watched"] === undefined,
  fn: async () => {
    const long = longRequests();
    await using server = start(serveWithDisconnects, long);
    using _released = long;
    const session = connect(server.url);
    const headers = { ":method": "POST", ":path": "/dropped" };
    const request = session.request(headers);
    request.on("error", () => {});
    request.end("x".repeat(3_000));
    await long.hasRead("/dropped");
    request.close(constants.NGHTTP2_CANCEL);
    await until(() => long.gone.length > 0);
    assertEquals(long.gone, ["/dropped"]);
    session.destroy();
  },
});

Deno.test("server: some versions of Deno.serve notice disconnects", () => {
  const versions = ["2.5.0", "2.8.2", "2.8.3", "2.8.10", "2.9.6", "3.0.0", "2.9.0-rc.1", "1.46.3"];
  const noticing = versions.filter(abortsRequests);
  assertEquals(noticing, ["2.5.0", "2.8.2", "1.46.3"]);
});
