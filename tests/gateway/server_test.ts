import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import type { Handler } from "../../gateway/app.ts";
import { type RunningServer, StartRefused, startServer } from "../../gateway/server.ts";
import type { RunCaller } from "../../shared/binding.ts";
import { echoRuntime } from "./echo_runtime.ts";
import { exchange } from "./raw_exchange.ts";
import { testGateway, unexpected } from "./test_gateway.ts";

interface Started extends AsyncDisposable {
  readonly server: RunningServer;
  readonly stopping: AbortController;
}

async function start(handler: Handler, graceMs = 1_000): Promise<Started> {
  const stopping = new AbortController();
  const server = await startServer({
    host: "127.0.0.1",
    port: 0,
    loopbackOnly: true,
    createHandler: () => handler,
    stopping,
    graceMs,
    onFailure: unexpected,
  });
  return { server, stopping, [Symbol.asyncDispose]: () => server.stop() };
}

Deno.test("server: serves at the URL that it reports", async () => {
  await using started = await start(() => Promise.resolve(new Response("here")));
  assertMatch(started.server.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assertEquals(`http://${started.server.address}`, started.server.url);
  assertEquals(await (await fetch(started.server.url)).text(), "here");
});

Deno.test("server: the handler is created with the fact that the address is loopback", async () => {
  let loopback: boolean | undefined;
  const createHandler = (is: boolean): Handler => {
    loopback = is;
    return () => Promise.resolve(new Response());
  };
  const stopping = new AbortController();
  const options = {
    host: "localhost",
    port: 0,
    loopbackOnly: true,
    createHandler,
    stopping,
    onFailure: unexpected,
  };
  await (await startServer(options)).stop();
  assertEquals(loopback, true);
});

Deno.test("server: a server on all addresses is not loopback and reports a URL that works", async () => {
  const stopping = new AbortController();
  const options = {
    host: "0.0.0.0",
    port: 0,
    loopbackOnly: false,
    stopping,
    onFailure: unexpected,
  };
  let loopback: boolean | undefined;
  const server = await startServer({
    ...options,
    createHandler: (is) => {
      loopback = is;
      return () => Promise.resolve(new Response("here"));
    },
  });
  assertEquals(loopback, false);
  assertMatch(server.address, /^0\.0\.0\.0:\d+$/);
  assertEquals(await (await fetch(server.url)).text(), "here");
  await server.stop();
});

Deno.test("server: refuses an address that is not loopback where loopback is required", async () => {
  const stopping = new AbortController();
  const createHandler = (): Handler => () => Promise.resolve(new Response());
  const options = {
    host: "0.0.0.0",
    port: 0,
    loopbackOnly: true,
    createHandler,
    stopping,
    onFailure: unexpected,
  };
  const error = await assertRejects(() => startServer(options), StartRefused);
  assertStringIncludes(error.message, "not a loopback address");
});

Deno.test("server: a port in use is a refusal that names HOST and PORT", async () => {
  await using started = await start(() => Promise.resolve(new Response()));
  const port = Number(new URL(started.server.url).port);
  const createHandler = (): Handler => () => Promise.resolve(new Response());
  const stopping = new AbortController();
  const options = {
    host: "127.0.0.1",
    port,
    loopbackOnly: true,
    createHandler,
    stopping,
    onFailure: unexpected,
  };
  const error = await assertRejects(() => startServer(options), StartRefused);
  assertStringIncludes(error.message, "HOST and PORT");
});

Deno.test("server: stopping lets a request in flight finish and accepts no more", async () => {
  const entered = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const { server, stopping } = await start(async () => {
    entered.resolve();
    await goOn.promise;
    return new Response("finished");
  }, 60_000);
  const answer = fetch(server.url).then((response) => response.text());
  await entered.promise;
  const stopped = server.stop();
  await assertRejects(() => fetch(server.url), TypeError);
  goOn.resolve();
  assertEquals(await answer, "finished");
  await stopped;
  assertEquals(stopping.signal.aborted, false);
});

Deno.test("server: requests are abandoned after the grace period, and idle connections do not delay the stop", async () => {
  const entered = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const { server, stopping } = await start((request) => {
    if (request.url.endsWith("/quick")) return Promise.resolve(new Response("quick"));
    entered.resolve();
    return cancelled.promise.then(() => new Response("given up", { status: 503 }));
  }, 20);
  stopping.signal.addEventListener("abort", () => cancelled.resolve());
  assertEquals(await (await fetch(`${server.url}/quick`)).text(), "quick");
  const answer = fetch(server.url).then(async (
    response,
  ) => [response.status, await response.text()]);
  await entered.promise;
  await Promise.all([server.stop(), server.stop()]);
  assertEquals(await answer, [503, "given up"]);
});

Deno.test("server: a body that never ends is answered 400 at the deadline", async () => {
  await using started = await start(testGateway({ bodyDeadlineMs: 20 }));
  const answer = await exchange(
    started.server.url,
    "POST /execute HTTP/1.1\r\nhost: localhost\r\n" +
      'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"code":',
  );
  assert(answer.startsWith("HTTP/1.1 400 "), answer);
  assertStringIncludes(answer, "VALIDATION_FAILED");
});

Deno.test("server: a declared length over the limit is answered 413 before the body arrives", async () => {
  await using started = await start(testGateway());
  const answer = await exchange(
    started.server.url,
    "POST /execute HTTP/1.1\r\nhost: localhost\r\n" +
      "content-type: application/json\r\ncontent-length: 98305\r\n\r\n",
  );
  assert(answer.startsWith("HTTP/1.1 413 "), answer);
});

Deno.test("server: chunks without a length are counted as they arrive", async () => {
  await using started = await start(testGateway());
  const chunk = "a".repeat(50_000);
  const framed = `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  const answer = await exchange(
    started.server.url,
    "POST /execute HTTP/1.1\r\nhost: localhost\r\n" +
      `content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${framed}${framed}`,
  );
  assert(answer.startsWith("HTTP/1.1 413 "), answer);
});

Deno.test("server: a connection held open with half a request does not delay the stop", async () => {
  const { server } = await start(testGateway({ bodyDeadlineMs: 20 }), 20);
  const { hostname, port } = new URL(server.url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const head = "POST /execute HTTP/1.1\r\nhost: localhost\r\n" +
    "content-type: application/json\r\ncontent-length: 100\r\n\r\n";
  await connection.write(new TextEncoder().encode(head));
  await connection.read(new Uint8Array(1));
  await server.stop();
});

Deno.test("server: a disconnect cancels the run", async () => {
  const started = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const before = ({ signal }: RunCaller) => {
    signal?.addEventListener("abort", () => cancelled.resolve());
    started.resolve();
    return cancelled.promise;
  };
  const runtime = echoRuntime("javascript", { before });
  await using running = await start(testGateway({ runtimes: new Map([["javascript", runtime]]) }));
  const caller = new AbortController();
  const answer = fetch(`${running.server.url}/execute`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"code":"1"}',
    signal: caller.signal,
  });
  const rejected = assertRejects(() => answer, DOMException);
  await started.promise;
  caller.abort();
  await rejected;
  await cancelled.promise;
});
