import { assert, assertEquals } from "@std/assert";
import { CIRCUIT_FAILURES, CIRCUIT_OPEN_MS, MAX_REQUESTS } from "../../outgoing/limits.ts";
import type { OutgoingFailure } from "../../outgoing/outcome.ts";
import { type Authority, type Certificate, makeAuthority } from "../support/certificates.ts";
import { serveRaw } from "../support/raw_server.ts";
import { pause, until } from "../support/wait.ts";
import { NOT_PUBLIC_ADDRESSES, NOT_PUBLIC_HOSTS } from "./refused_addresses.ts";
import { CLOCK, lookUps, makeOutgoing, OK, send } from "./send.ts";

const REFUSED: OutgoingFailure = { reason: "refused", sent: false };
const INVALID: OutgoingFailure = { reason: "invalid", sent: false };

Deno.test(
  "outgoing: a request arrives as it was made, without anything of the service",
  CLOCK,
  async () => {
    await using server = serveRaw(OK);
    await using outgoing = makeOutgoing();
    const answer = await send(outgoing, `http://127.0.0.1:${server.port}/a%2Fb?c=d%20e#f`, {
      method: "POST",
      headers: { "x-api-key": "k" },
      body: "{}",
    });
    assertEquals(answer, { status: 200, text: "ok" });
    const [head = "", body] = server.requests[0]?.split("\r\n\r\n") ?? [];
    const [line, ...headers] = head.toLowerCase().split("\r\n");
    assertEquals([line, body], ["post /a%2fb?c=d%20e http/1.1", "{}"]);
    const names = headers.map((header) => header.split(":")[0]).toSorted();
    assertEquals(names, ["connection", "content-length", "host", "x-api-key"]);
  },
);

Deno.test(
  "outgoing: private hosts are refused in every spelling, and none is reached",
  CLOCK,
  async () => {
    await using server = serveRaw(OK, { hostname: "::" });
    const logged: unknown[] = [];
    await using outgoing = makeOutgoing({
      allowed: [],
      log: (_level, event, fields) => logged.push([event, fields?.address]),
    });
    for (const host of NOT_PUBLIC_HOSTS) {
      for (const scheme of ["http", "https"]) {
        assertEquals(await send(outgoing, `${scheme}://${host}:${server.port}/`), REFUSED, host);
      }
    }
    assertEquals([server.connections, NOT_PUBLIC_HOSTS.length > 80], [0, true]);
    assertEquals(logged.length, NOT_PUBLIC_HOSTS.length * 2);
    assertEquals(logged[0], ["outgoing.refused", "0.0.0.0"]);
    await using other = makeOutgoing();
    await send(other, `http://127.0.0.1:${server.port}/`);
    assertEquals(server.connections, 1);
  },
);

Deno.test(
  "outgoing: names with private addresses are refused, and none is reached",
  CLOCK,
  async () => {
    await using server = serveRaw(OK, { hostname: "::" });
    for (const address of NOT_PUBLIC_ADDRESSES) {
      await using outgoing = makeOutgoing({ allowed: [], ...lookUps([address]) });
      for (const scheme of ["http", "https"]) {
        const answer = await send(outgoing, `${scheme}://api.test:${server.port}/`);
        assertEquals(answer, REFUSED, address);
      }
    }
    assertEquals(server.connections, 0);
  },
);

Deno.test("outgoing: user info and other schemes are invalid", CLOCK, async () => {
  await using outgoing = makeOutgoing();
  const urls =
    "http://u@127.0.0.1/ http://:p@127.0.0.1/ ftp://127.0.0.1/ file:///etc/hosts data:,a";
  for (const url of urls.split(" ")) assertEquals(await send(outgoing, url), INVALID, url);
});

Deno.test(
  "outgoing: headers and methods that would make another request are invalid",
  CLOCK,
  async () => {
    await using server = serveRaw(OK);
    await using outgoing = makeOutgoing();
    const url = `http://127.0.0.1:${server.port}/`;
    const headers: Record<string, string>[] = [
      { x: "a\r\nb: c" },
      { "a b": "c" },
      { x: "\0" },
      { "transfer-encoding": "chunked" },
      { Host: "other.test" },
      { "content-length": "9" },
      { Connection: "upgrade" },
    ];
    for (const one of headers) assertEquals(await send(outgoing, url, { headers: one }), INVALID);
    assertEquals(await send(outgoing, url, { method: "GET / HTTP/1.1\r\nx:" }), INVALID);
    assertEquals(server.requests, []);
  },
);

Deno.test("outgoing: a name is refused when one of its addresses is", CLOCK, async () => {
  await using server = serveRaw(OK);
  for (const other of ["127.0.0.2", "::1", "10.0.0.1", "::ffff:127.0.0.2", "fe80::1%eth0", "x"]) {
    for (const addresses of [["127.0.0.1", other], [other, "127.0.0.1"]]) {
      await using outgoing = makeOutgoing(lookUps(addresses));
      const answer = await send(outgoing, `http://api.test:${server.port}/`);
      assertEquals(answer, REFUSED, `${addresses}`);
    }
  }
  assertEquals(server.requests, []);
});

Deno.test("outgoing: names of the machine itself are refused", CLOCK, async () => {
  await using server = serveRaw(OK);
  await using outgoing = makeOutgoing({ allowed: [] });
  for (const name of ["localhost", "LOCALHOST"]) {
    assertEquals(await send(outgoing, `http://${name}:${server.port}/`), REFUSED, name);
  }
  // Not every system knows these names.
  for (const name of ["localhost.", "ip6-localhost", Deno.hostname()]) {
    assert("reason" in await send(outgoing, `http://${name}:${server.port}/`), name);
  }
  assertEquals(server.requests, []);
});

Deno.test(
  "outgoing: a name is looked up once for a connection, which goes to the judged address",
  CLOCK,
  async () => {
    await using server = serveRaw(OK);
    // The second address of the name is private, as in an attack by rebinding.
    const { names, lookUp } = lookUps(["127.0.0.1"], ["127.0.0.2"]);
    await using outgoing = makeOutgoing({ lookUp });
    const url = `http://api.test:${server.port}/`;
    assertEquals(await send(outgoing, url), { status: 200, text: "ok" });
    assertEquals(names, ["api.test"]);
    assertEquals(await send(outgoing, url), REFUSED); // The server closed the first connection.
    assertEquals(names, ["api.test", "api.test"]);
  },
);

Deno.test("outgoing: the next address is tried when one does not listen", CLOCK, async () => {
  await using server = serveRaw(OK);
  const { lookUp } = lookUps(["127.0.0.3", "127.0.0.1"]);
  await using outgoing = makeOutgoing({ lookUp, allowed: ["127.0.0.0/8"] });
  const answer = await send(outgoing, `http://api.test:${server.port}/`);
  assertEquals(answer, { status: 200, text: "ok" });
});

Deno.test(
  "outgoing: names without addresses, and with too many, are unreachable",
  CLOCK,
  async () => {
    const many = Array.from({ length: 65 }, () => "127.0.0.1");
    for (
      const lookUp of [lookUps([]).lookUp, lookUps(many).lookUp, () => Promise.reject(new Error())]
    ) {
      await using outgoing = makeOutgoing({ lookUp });
      assertEquals(await send(outgoing, "http://api.test:1/"), {
        reason: "unreachable",
        sent: false,
      });
    }
  },
);

/** Serves over TLS; `hosts` are those of the requests. */
function serveTls({ text: cert, keyText: key }: Certificate) {
  const hosts: (string | null)[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert, key, onListen: () => {} },
    (request) => {
      hosts.push(request.headers.get("host"));
      return new Response("ok");
    },
  );
  const port = server.addr.port;
  return { port, hosts, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function tlsAnswer(url: (port: number) => string, alternative: string, trusted: boolean) {
  await using authority: Authority = await makeAuthority("authority");
  await using server = serveTls(await authority.issue("server", alternative));
  await using outgoing = makeOutgoing({
    ...lookUps(["127.0.0.1"]),
    ...(trusted ? { authorities: authority.text } : {}),
  });
  return { answer: await send(outgoing, url(server.port)), hosts: server.hosts };
}

Deno.test("outgoing: TLS is verified with the name, not with the address", CLOCK, async () => {
  const byName = (port: number) => `https://api.test:${port}/`;
  const unreachable = { reason: "unreachable", sent: false };
  const right = await tlsAnswer(byName, "DNS:api.test", true);
  assertEquals(right.answer, { status: 200, text: "ok" });
  assertEquals(right.hosts.map((host) => host?.split(":")[0]), ["api.test"]);
  for (const alternative of ["DNS:other.test", "IP:127.0.0.1"]) {
    const wrong = await tlsAnswer(byName, alternative, true);
    assertEquals([wrong.answer, wrong.hosts], [unreachable, []], alternative);
  }
  const unknown = await tlsAnswer(byName, "DNS:api.test", false);
  assertEquals([unknown.answer, unknown.hosts], [unreachable, []]);
  const byAddress = await tlsAnswer((port) => `https://127.0.0.1:${port}/`, "IP:127.0.0.1", true);
  assertEquals(byAddress.answer, { status: 200, text: "ok" });
});

Deno.test("outgoing: a time-out says whether anything was sent", CLOCK, async () => {
  const starts = ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok"];
  for (const start of starts) {
    await using server = serveRaw(start, { keepsOpen: true });
    await using outgoing = makeOutgoing();
    const ended = new AbortController();
    const outcome = send(outgoing, `http://127.0.0.1:${server.port}/`, { signal: ended.signal });
    await until(() => server.requests.length > 0);
    ended.abort(new DOMException("", "TimeoutError"));
    assertEquals(await outcome, { reason: "timeout", sent: true });
  }
  const { promise: never, resolve } = Promise.withResolvers<string[]>();
  await using outgoing = makeOutgoing({ lookUp: () => never });
  const ended = new AbortController();
  const outcome = send(outgoing, "http://api.test:1/", { signal: ended.signal });
  queueMicrotask(() => ended.abort());
  assertEquals(await outcome, { reason: "cancelled", sent: false });
  resolve([]);
});

Deno.test(
  "outgoing: failures to connect open the circuit, and one request tries after a while",
  CLOCK,
  async () => {
    let time = 0;
    let hasAddress = false;
    const names: string[] = [];
    await using server = serveRaw(OK);
    await using outgoing = makeOutgoing({
      clock: () => time,
      lookUp: (name) => {
        names.push(name);
        return Promise.resolve(hasAddress ? ["127.0.0.1"] : []);
      },
    });
    const url = `http://api.test:${server.port}/`;
    const reason = async () => {
      const answer = await send(outgoing, url);
      return "reason" in answer ? answer.reason : answer.status;
    };
    for (let i = 0; i < CIRCUIT_FAILURES; i++) assertEquals(await reason(), "unreachable");
    assertEquals([await reason(), names.length], ["open", CIRCUIT_FAILURES]);
    time += CIRCUIT_OPEN_MS;
    const trials = await Promise.all([reason(), reason(), reason()]);
    assertEquals(trials, ["unreachable", "open", "open"]);
    time += CIRCUIT_OPEN_MS;
    hasAddress = true;
    assertEquals(await reason(), 200);
    assertEquals(await reason(), 200);
  },
);

Deno.test("outgoing: broken answers of a target leave its circuit closed", CLOCK, async () => {
  await using server = serveRaw("");
  await using outgoing = makeOutgoing();
  for (let i = 0; i < CIRCUIT_FAILURES + 2; i++) {
    const outcome = await send(outgoing, `http://127.0.0.1:${server.port}/`);
    assertEquals(outcome, { reason: "broken", sent: true });
  }
});

Deno.test(
  "outgoing: a target takes a bounded number of requests, and others have their own",
  CLOCK,
  async () => {
    await using silent = serveRaw("", { keepsOpen: true });
    await using server = serveRaw(OK);
    await using outgoing = makeOutgoing();
    const ended = new AbortController();
    const url = `http://127.0.0.1:${silent.port}/`;
    const calls = Array.from({ length: MAX_REQUESTS }, () => send(outgoing, url, ended));
    assertEquals(await send(outgoing, url), { reason: "busy", sent: false });
    const other = await send(outgoing, `http://127.0.0.1:${server.port}/`);
    assertEquals(other, { status: 200, text: "ok" });
    ended.abort();
    const outcomes = await Promise.all(calls);
    assert(outcomes.every((outcome) => "reason" in outcome && outcome.reason === "cancelled"));
  },
);

Deno.test(
  "outgoing: connections are used again, and after its end nothing is sent",
  CLOCK,
  async () => {
    const ports = new Set<number>();
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (_request, { remoteAddr }) => {
        ports.add(remoteAddr.port);
        return new Response("ok");
      },
    );
    const outgoing = makeOutgoing();
    const url = `http://127.0.0.1:${server.addr.port}/`;
    for (let i = 0; i < 40; i++) {
      assertEquals(await send(outgoing, url), {
        status: 200,
        text: "ok",
      });
    }
    assert(ports.size <= 16, `${ports.size} connections`);
    await outgoing.close();
    assertEquals(await send(outgoing, url), { reason: "cancelled", sent: false });
    await server.shutdown();
  },
);

Deno.test("outgoing: the timer of the connections ends with them", CLOCK, async () => {
  // Tests after these are not to see it.
  await pause(1_500);
});
