import { assertEquals, assertMatch, assertNotEquals, assertStringIncludes } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import type { GatewayOptions, Handler } from "../../gateway/app.ts";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { fakeRuntimes, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { echoRuntime } from "./echo_runtime.ts";
import { testGateway } from "./test_gateway.ts";

const ORIGIN = "https://page.example";
/** `printf %s ada | sha256sum | cut -c1-16` */
const ADA = "fdee430d40bd57de";

function gatewayOver(store: KvStore, options: Partial<GatewayOptions> = {}): Handler {
  return testGateway({
    sandboxes: sandboxProcess(store, { runtimes: fakeRuntimes() }),
    runtimes: new Map([["python", echoRuntime("python")], ["perl", echoRuntime("perl")]]),
    ...options,
  });
}

async function answered(
  gateway: Handler,
  method: string,
  path: string,
  init: RequestInit = {},
): Promise<{ readonly status: number; readonly route: string | null; readonly headers: Headers }> {
  const headers = { "content-type": "application/json", ...init.headers };
  const answer = await gateway(
    new Request(`http://localhost:8000${path}`, { ...init, method, headers }),
  );
  await answer.body?.cancel();
  return {
    status: answer.status,
    route: answer.headers.get("sandbox-route"),
    headers: answer.headers,
  };
}

const box = (name: string, language = "python") => `/languages/${language}/sandboxes/${name}`;

Deno.test("sandbox route: every answer about a sandbox has the hash of its name, refusals too", () =>
  withStore(async (store) => {
    const gateway = gatewayOver(store);
    const calls: readonly (readonly [number, string, string, string?, string?])[] = [
      [200, "GET", ""],
      [200, "HEAD", ""],
      [204, "OPTIONS", ""],
      [200, "POST", "/execute", '{"code":"1"}'],
      [200, "POST", "/execute", '{"code":"1"}', "application/x-ndjson"],
      [400, "POST", "/execute", "{}"],
      [413, "POST", "/execute", JSON.stringify({ code: "x".repeat(100_000) })],
      [405, "PUT", "/execute", "{}"],
      [404, "GET", "/nothing"],
      [404, "GET", "/files/none"],
      [404, "DELETE", "/contexts/none"],
      [201, "PUT", "/files/f", "text"],
      [200, "GET", "/files/f"],
      [200, "DELETE", ""],
    ];
    for (const [status, method, path, body, accept] of calls) {
      const headers = accept === undefined ? {} : { accept };
      const init = body === undefined ? { headers } : { headers, body };
      const found = await answered(gateway, method, `${box("ada")}${path}`, init);
      assertEquals([found.status, found.route], [status, ADA], `${method} ${path}`);
    }
    const cobol = await answered(gateway, "GET", box("ada", "cobol"));
    assertEquals([cobol.status, cobol.route], [400, ADA]);
  }));

Deno.test("sandbox route: a name has one value in all languages, spellings and processes", () =>
  withStore(async (store) => {
    const gateways = [gatewayOver(store), gatewayOver(store)];
    const routes = await Promise.all(
      gateways.flatMap((gateway) =>
        [box("ada"), box("ada", "perl"), box("%61d%61")].map(
          async (path) => (await answered(gateway, "GET", path)).route,
        )
      ),
    );
    assertEquals(new Set(routes), new Set([ADA]));
    const [first] = gateways;
    if (first === undefined) return;
    const names = Array.from({ length: 100 }, (_, n) => `box-${n}`);
    const others = new Set<string>();
    for (const name of names) {
      const { route } = await answered(first, "GET", box(name));
      assertMatch(String(route), /^[0-9a-f]{16}$/);
      others.add(String(route));
    }
    assertEquals(others.size, names.length);
    assertNotEquals((await answered(first, "GET", box("Ada"))).route, ADA);
  }));

Deno.test("sandbox route: the header reveals neither tenant nor existence", () =>
  withStore(async (store) => {
    const authenticate = createAuthenticator([
      { tenant: "a", token: "alpha" },
      { tenant: "b", token: "beta" },
    ]);
    const gateway = gatewayOver(store, { authenticate });
    const ask = (method: string, token: string, body?: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const path = method === "POST" ? `${box("ada")}/execute` : box("ada");
      return answered(gateway, method, path, body === undefined ? { headers } : { headers, body });
    };
    assertEquals((await ask("POST", "alpha", '{"code":"1"}')).route, ADA);
    for (const token of ["alpha", "beta"]) assertEquals((await ask("GET", token)).route, ADA);
    const refused = await ask("GET", "wrong");
    assertEquals([refused.status, refused.route], [401, ADA]);
  }));

Deno.test("sandbox route: the header is absent without a sandbox, and visible to allowed origins", () =>
  withStore(async (store) => {
    const gateway = gatewayOver(store, { allowedOrigins: [ORIGIN] });
    const others = ["/healthz", "/languages", "/sandboxes", box("-a"), box("a%2Fb"), box("%ff")];
    for (const path of [...others, box("a".repeat(64)), box(".%2e")]) {
      assertEquals((await answered(gateway, "GET", path)).route, null, path);
    }
    const { headers } = await answered(gateway, "GET", box("ada"), { headers: { origin: ORIGIN } });
    assertStringIncludes(headers.get("access-control-expose-headers") ?? "", "sandbox-route");
  }));
