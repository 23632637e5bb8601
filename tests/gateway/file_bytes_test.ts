/**
 * Files as bytes over connections: paths and bodies that `fetch` would not send, on both servers.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import type { GatewayOptions, Handler } from "../../gateway/app.ts";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { BodyBudget } from "../../gateway/body_budget.ts";
import { createHostCheck } from "../../gateway/host_check.ts";
import { type Serve, serveDeno, serveWithDisconnects } from "../../gateway/http_server.ts";
import { BODY_BUDGET } from "../../shared/limits.ts";
import { sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { until } from "../support/wait.ts";
import { echoRuntime } from "./echo_runtime.ts";
import { exchange } from "./raw_exchange.ts";
import { testGateway } from "./test_gateway.ts";

const BOX = "/languages/python/sandboxes/box/files";
const SERVERS: Readonly<Record<string, Serve>> = {
  deno: serveDeno,
  watched: serveWithDisconnects,
};

interface Served {
  readonly url: string;
  readonly port: number;
}

function gatewayOver(store: KvStore, options: Partial<GatewayOptions>): Handler {
  return testGateway({
    sandboxes: sandboxProcess(store),
    runtimes: new Map([["python", echoRuntime("python")]]),
    ...options,
  });
}

/** Does `work` with a gateway that listens. */
async function withServer(
  serve: Serve,
  options: Partial<GatewayOptions>,
  work: (server: Served) => Promise<void>,
): Promise<void> {
  await withStore(async (store) => {
    const handler = gatewayOver(store, options);
    const server = serve({ hostname: "127.0.0.1", port: 0, handler });
    assert(server.addr.transport === "tcp");
    const { port } = server.addr;
    try {
      await work({ url: `http://127.0.0.1:${port}`, port });
    } finally {
      await server.shutdown();
    }
  });
}

/** Sends a request as it is written; gives status and body. */
async function raw({ url }: Served, method: string, path: string, rest = "\r\n") {
  const text = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${rest}`;
  const answer = await exchange(url, text);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body };
}

async function put(server: Served, path: string, content: string) {
  const rest = `content-length: ${content.length}\r\n\r\n${content}`;
  return (await raw(server, "PUT", path, rest)).status;
}

for (const [name, serve] of Object.entries(SERVERS)) {
  Deno.test(`files as bytes (${name}): paths stay as they are sent`, () =>
    withServer(serve, {}, async (server) => {
      const same = [
        "/d/f",
        "/d/../d/f",
        "/%64/f",
        "/d%2Ff",
        "/d//f",
        "/./d/./f",
        "/x/%2e%2e/d/f",
        "//workspace/d/f",
        "/%2Fworkspace/d/f",
        "/../workspace/d/f",
        "/d/f?query=a/b#c",
      ];
      for (const [index, path] of same.entries()) {
        assertEquals([path, await put(server, `${BOX}${path}`, `${index}`)], [
          path,
          index === 0 ? 201 : 204,
        ]);
        for (const other of same) {
          assertEquals((await raw(server, "GET", `${BOX}${other}`)).body, `${index}`, other);
        }
      }
      const refused = {
        "/..": 403,
        "/%2e%2e": 403,
        "/../f": 403,
        "/../../other/files/f": 403,
        "//etc/passwd": 403,
        "/d%zz": 400,
        "/%": 400,
        "/%C3%28": 400,
        "/": 400,
        "/d/f/": 400,
        "/.": 400,
      };
      for (const [path, status] of Object.entries(refused)) {
        assertEquals([path, await put(server, `${BOX}${path}`, "x")], [path, status]);
      }
      assertEquals(await put(server, `${BOX}/a%0Ab%E2%80%A8`, "line"), 201);
      assertEquals((await raw(server, "GET", `${BOX}/a%0Ab%E2%80%A8`)).body, "line");
      assertEquals(await put(server, BOX, "x"), 405);
      assertEquals(await put(server, `${BOX.replace("files", "%66iles")}/d/f`, "y"), 204);
      const other = await raw(server, "GET", "/languages/python/sandboxes/other/files/f");
      assertEquals(other.status, 404);
    }));

  Deno.test(`files as bytes (${name}): an interrupted body stores nothing`, () => {
    const bodies = new BodyBudget(BODY_BUDGET);
    return withServer(serve, { bodies }, async (server) => {
      assertEquals(await put(server, `${BOX}/old`, "old"), 201);
      const heads = [
        "content-length: 1000\r\n\r\nhalf",
        "transfer-encoding: chunked\r\n\r\n4\r\nhalf",
      ];
      for (const rest of heads) {
        for (const file of ["old", "new"]) {
          const held = bodies.bytesInUse;
          const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
          const text = `PUT ${BOX}/${file} HTTP/1.1\r\nhost: localhost\r\n${rest}`;
          await connection.write(new TextEncoder().encode(text));
          await until(() => bodies.bytesInUse > held);
          connection.close();
          await until(() => bodies.bytesInUse === held);
        }
      }
      assertEquals((await raw(server, "GET", `${BOX}/old`)).body, "old");
      assertEquals((await raw(server, "GET", `${BOX}/new`)).status, 404);
    });
  });

  Deno.test(`files as bytes (${name}): chunks may have any size, and Expect: 100-continue works`, () =>
    withServer(serve, {}, async (server) => {
      const bytes = "0123456789".repeat(500);
      const chunked = `${[...bytes].map((byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`;
      const sent = await raw(
        server,
        "PUT",
        `${BOX}/f`,
        `transfer-encoding: chunked\r\n\r\n${chunked}`,
      );
      assertEquals(sent.status, 201);
      assertEquals(await (await fetch(`${server.url}${BOX}/f`)).text(), bytes);
      const rest = "expect: 100-continue\r\ncontent-length: 4\r\n\r\n";
      const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
      const write = (text: string) => connection.write(new TextEncoder().encode(text));
      await write(`PUT ${BOX}/f HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${rest}`);
      const first = new Uint8Array(1_000);
      const count = await connection.read(first) ?? 0;
      assertMatch(new TextDecoder().decode(first.subarray(0, count)), /^HTTP\/1\.1 100 /);
      await write("more");
      assertMatch(await new Response(connection.readable).text(), /^HTTP\/1\.1 204 /);
      assertEquals(await (await fetch(`${server.url}${BOX}/f`)).text(), "more");
    }));
}

Deno.test("files as bytes: bytes count against their tenant while they are transferred", () =>
  withStore(async (store) => {
    const bodies = new BodyBudget({ bodyBytes: 1_000_000, bodyBytesPerTenant: 500_000 });
    const handler = gatewayOver(store, { bodies });
    const send = (method: string, body: BodyInit | null = null) =>
      handler(new Request(`http://localhost:8000${BOX}/f`, { method, body }));
    const refused = await send("PUT", new Uint8Array(500_001));
    assertEquals([refused.status, (await refused.json()).code], [429, "RATE_LIMITED"]);
    assertEquals((await send("PUT", new Uint8Array(300_000))).status, 201);
    const unread = await send("GET");
    assertEquals(bodies.bytesInUse, 300_000);
    const second = await send("GET");
    assertEquals([second.status, (await second.json()).code], [429, "RATE_LIMITED"]);
    assertEquals((await unread.bytes()).length, 300_000);
    assertEquals(bodies.bytesInUse, 0);
  }));

Deno.test("files as bytes: a request needs a token, an accepted host and a place", () => {
  const authenticate = createAuthenticator([
    { tenant: "a", token: "alpha" },
    { tenant: "b", token: "beta" },
  ]);
  return withServer(serveWithDisconnects, { authenticate }, async (server) => {
    const call = (method: string, token: string) =>
      fetch(`${server.url}${BOX}/f`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(method === "PUT" ? { body: token } : {}),
      });
    const status = async (method: string, token: string) => {
      const answer = await call(method, token);
      await answer.body?.cancel();
      return answer.status;
    };
    for (const method of ["GET", "HEAD", "PUT", "DELETE"]) {
      assertEquals(await status(method, "none"), 401);
    }
    const spoofed = { authorization: "Bearer alpha", "x-sandbox-id": "other" };
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await fetch(`${server.url}${BOX}/f`, { method, headers: spoofed });
      assertEquals([answer.status, (await answer.json()).code], [400, "VALIDATION_FAILED"]);
    }
    assertEquals(await status("PUT", "alpha"), 201);
    const foreign = await call("GET", "beta");
    assertEquals([foreign.status, (await foreign.json()).code], [404, "FILE_NOT_FOUND"]);
    assertEquals(await status("PUT", "beta"), 201);
    assertEquals(await status("DELETE", "beta"), 204);
    assertEquals(await (await call("GET", "alpha")).text(), "alpha");
  });
});

Deno.test("files as bytes: a foreign page can neither read nor store, an allowed one can", () => {
  const allowedOrigins = ["https://app.example"];
  const hostCheck = createHostCheck(allowedOrigins);
  return withServer(serveWithDisconnects, { hostCheck, allowedOrigins }, async (server) => {
    const call = (origin: string, method: string, headers: Record<string, string> = {}) =>
      fetch(`${server.url}${BOX}/f`, {
        method,
        headers: { origin, ...headers },
        ...(method === "PUT" ? { body: "x" } : {}),
      });
    for (const method of ["PUT", "GET", "DELETE"]) {
      const answer = await call("https://evil.example", method);
      assertEquals([answer.status, (await answer.json()).code], [403, "FORBIDDEN"]);
    }
    const preflight = await call("https://app.example", "OPTIONS", {
      "access-control-request-method": "PUT",
      "access-control-request-headers": "if-match",
    });
    const allowed = (name: string) => preflight.headers.get(`access-control-allow-${name}`) ?? "";
    await preflight.body?.cancel();
    assertMatch(allowed("methods"), /\bPUT\b.*\bDELETE\b/);
    const named = allowed("headers").split(", ");
    for (const name of ["if-match", "if-none-match", "if-range", "range"]) {
      assert(named.includes(name), name);
    }
    const stored = await call("https://app.example", "PUT");
    assertEquals([stored.status, await stored.text()], [201, ""]);
    const read = await call("https://app.example", "GET");
    assertEquals(await read.text(), "x");
    assertMatch(read.headers.get("access-control-expose-headers") ?? "", /\betag\b/);
  });
});
