import { assertEquals, assertThrows } from "@std/assert";
import { createHostCheck, isLoopback } from "../../gateway/host_check.ts";
import { Listener } from "../../gateway/listener.ts";
import { type Serve, serveDeno, serveWithDisconnects } from "../../gateway/http_server.ts";
import { ServiceError } from "../../shared/errors.ts";

const check = createHostCheck(["https://app.example", "http://localhost:3000"]);

/** `Host` and, if given, `Origin` of a request, and whether it passes. */
const rows: readonly (readonly [string, string | undefined, boolean])[] = [
  ["localhost:8000", undefined, true],
  ["LOCALHOST", undefined, true],
  ["127.0.0.1:8000", undefined, true],
  ["127.1.2.3", undefined, true],
  ["[::1]:8000", undefined, true],
  ["api.localhost:8000", undefined, true],
  ["app.example", undefined, true],
  ["evil.example", undefined, false],
  ["localhost.evil.example", undefined, false],
  ["evillocalhost", undefined, false],
  ["127.0.0.1.evil.example", undefined, false],
  ["10.0.0.1", undefined, false],
  ["0.0.0.0", undefined, false],
  ["", undefined, false],
  ["a b", undefined, false],
  ["127.0.0.1:80", "http://127.0.0.1", true],
  ["app.example:80", undefined, true],
  ["evil.example@127.0.0.1", undefined, false],
  ["127.0.0.1@evil.example", undefined, false],
  ["127.0.0.1#.evil.example", undefined, false],
  ["127.0.0.1\\.evil.example", undefined, false],
  ["127.0.0.1/.evil.example", undefined, false],
  ["127.0.0.1?.evil.example", undefined, false],
  ["127.0.0.1:8000:8000", undefined, false],
  ["127.0.0.1:", undefined, false],
  ["127.0.0.1:0", undefined, false],
  ["127.0.0.1:65536", undefined, false],
  ["127.0.0.1:80a", undefined, false],
  ["2130706433", undefined, false],
  ["0x7f000001", undefined, false],
  ["127.1", undefined, false],
  ["localhost.", undefined, false],
  ["localhost,localhost", undefined, false],
  ["localhost, evil.example", undefined, false],
  ["%6cocalhost", undefined, false],
  ["[::1", undefined, false],
  ["::1", undefined, false],
  ["[::1]x", undefined, false],
  ["[::ffff:127.0.0.1]", undefined, false],
  ["localhost:8000", "http://localhost:8000", true],
  ["localhost:8000", "https://localhost:8000", true],
  ["localhost:8000", "https://app.example", true],
  ["localhost:8000", "http://localhost:3000", true],
  ["localhost:8000", "http://localhost:8001", false],
  ["localhost:8000", "http://127.0.0.1:8000", false],
  ["localhost:8000", "https://evil.example", false],
  ["localhost:8000", "null", false],
  ["localhost:8000", "", false],
  ["evil.example", "http://evil.example", false],
];

for (const [host, origin, passes] of rows) {
  const name = `Host ${JSON.stringify(host)}, Origin ${JSON.stringify(origin ?? null)}`;
  Deno.test(`host check: ${name} ${passes ? "passes" : "is refused"}`, () => {
    const headers = { host, ...(origin === undefined ? {} : { origin }) };
    const request = new Request("http://127.0.0.1:8000/languages", { headers });
    if (passes) return check(request);
    const error = assertThrows(() => check(request), ServiceError);
    assertEquals([error.code, error.status], ["FORBIDDEN", 403]);
  });
}

Deno.test("host check: a request without a Host header is refused", () => {
  assertThrows(() => check(new Request("http://localhost/")), ServiceError);
});

Deno.test("host check: the URL's host must be served too, exactly as written", () => {
  const passes = (url: string) => {
    const request = { url, headers: new Headers({ host: "localhost" }) };
    try {
      check(request as Request);
      return true;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  };
  for (const url of ["http://localhost/x", "http://127.0.0.1:8000", "https://app.example?a"]) {
    assertEquals([url, passes(url)], [url, true]);
  }
  for (const host of ["evil.example", "u@localhost", "localhost#.evil", "localhost\\.evil", ""]) {
    assertEquals([host, passes(`http://${host}/x`)], [host, false]);
  }
});

/** The status with which a listener with the check answers raw lines. */
async function statusOf(port: number, lines: readonly string[]): Promise<number> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const text = [...lines, "Connection: close", "", ""].join("\r\n");
  await connection.write(new TextEncoder().encode(text));
  let answer = "";
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(4096);
  for (let count = await connection.read(buffer); count !== null;) {
    answer += decoder.decode(buffer.subarray(0, count));
    count = await connection.read(buffer);
  }
  return Number(/^HTTP\/1\.[01] (\d{3}) /.exec(answer)?.[1] ?? 0);
}

for (const [name, serve] of Object.entries({ serveDeno, serveWithDisconnects })) {
  Deno.test(`host check: the bytes on the wire count (${name})`, (t) => checkOnWire(t, serve));
}

async function checkOnWire(t: Deno.TestContext, serve: Serve): Promise<void> {
  const handler = (request: Request): Promise<Response> => {
    try {
      check(request);
      return Promise.resolve(new Response("served"));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return Promise.resolve(new Response("", { status: error.status }));
    }
  };
  const onFailure = (thrown: unknown) => {
    throw thrown;
  };
  const options = { hostname: "127.0.0.1", port: 0, handler, onFailure, serve };
  const listener = Listener.open(options);
  const { address } = listener;
  const port = address.transport === "tcp" ? address.port : 0;
  const served = [
    ["GET / HTTP/1.1", `Host: 127.0.0.1:${port}`],
    ["GET / HTTP/1.1", "Host: [::1]:8000"],
    ["GET / HTTP/1.1", "host:localhost"],
    ["GET http://localhost/ HTTP/1.1", "Host: localhost"],
    ["OPTIONS * HTTP/1.1", "Host: localhost"],
  ];
  const refused = [
    ["GET / HTTP/1.1"],
    ["GET / HTTP/1.0"],
    ["GET / HTTP/1.1", "Host:"],
    ["GET / HTTP/1.1", "Host: localhost", "Host: localhost"],
    ["GET / HTTP/1.1", "Host: localhost", "Host: evil.example"],
    ["GET / HTTP/1.1", "Host: evil.example@127.0.0.1"],
    ["GET / HTTP/1.1", "Host: 127.0.0.1#.evil.example"],
    ["GET / HTTP/1.1", "Host: 127.0.0.1\\.evil.example"],
    ["GET / HTTP/1.1", "Host: local\thost"],
    ["GET / HTTP/1.1", "Host: localhost."],
    ["GET http://evil.example/ HTTP/1.1", "Host: localhost"],
    ["GET http://evil.example/ HTTP/1.1"],
    ["GET http://localhost/ HTTP/1.1", "Host: evil.example"],
    ["GET http://localhost/ HTTP/1.1"],
    ["GET http://u@localhost/ HTTP/1.1", "Host: localhost"],
  ];
  try {
    for (const lines of served) {
      await t.step(`${lines.join(", ")} is served`, async () => {
        assertEquals(await statusOf(port, lines), 200);
      });
    }
    for (const lines of refused) {
      await t.step(`${lines.join(", ")} is refused`, async () => {
        const status = await statusOf(port, lines);
        assertEquals([400, 403].includes(status), true, String(status));
      });
    }
  } finally {
    await listener.close();
  }
}

Deno.test("loopback: only whole addresses of 127.0.0.0/8 and ::1 are loopback", () => {
  for (const host of ["127.0.0.1", "127.255.255.255", "::1", "[::1]", "localhost"]) {
    assertEquals(isLoopback(host), true, host);
  }
  for (const host of ["127.0.0", "127.0.0.256", "128.0.0.1", "1127.0.0.1", "::", "::2", ""]) {
    assertEquals(isLoopback(host), false, host);
  }
});
