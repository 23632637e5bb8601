/** Jupyter's REST API by plain requests, against a real service. */
import { assert, assertEquals } from "@std/assert";
import { sharedService } from "../../support/shared_service.ts";
import { rest, startKernel, type Tenant } from "./client.ts";

const TOKENS = Array.from({ length: 6 }, (_, n) => `tenant${n}:jupyter_token_${n}`).join();
const service = sharedService({ LANGUAGES: "javascript,python", TOKENS });
let taken = 0;

function newTenant(): Tenant & { readonly token: string } {
  return { url: service().url, token: `jupyter_token_${taken++}` };
}

Deno.test("jupyter rest: a kernel is started, shown, listed as a sandbox with a context, and deleted", async () => {
  const tenant = newTenant();
  assertEquals(typeof (await rest(tenant, "GET /")).json.version, "string");
  const started = await rest(tenant, "POST /kernels", { name: "python3" });
  assertEquals([started.status, started.json.name], [201, "python3"]);
  const { id } = started.json;
  assertEquals(started.headers.get("location"), `/jupyter/api/kernels/${id}`);
  assertEquals((await rest(tenant, `GET /kernels/${id}`)).json.id, id);
  const own = { headers: { authorization: `Bearer ${tenant.token}` } };
  const path = `${tenant.url}/languages/python/sandboxes/jupyter-${id}/contexts`;
  const { contexts } = await (await fetch(path, own)).json();
  assertEquals(contexts.map(({ language }: { language: string }) => language), ["python"]);
  const { sandboxes } = await (await fetch(`${tenant.url}/sandboxes`, own)).json();
  assertEquals(sandboxes.length, 1);
  const second = await startKernel(tenant, "javascript");
  const { json } = await rest(tenant, "GET /kernels");
  assertEquals(json.map((kernel: { id: string }) => kernel.id).sort(), [id, second].sort());
  assertEquals((await rest(tenant, "GET /status")).json.kernels, 2);
  assertEquals((await rest(tenant, "GET /me")).json.identity.username, "tenant0");
  assertEquals((await rest(tenant, "GET /kernelspecs/python3")).json.spec.display_name, "Python");
  assertEquals((await rest(tenant, `DELETE /kernels/${id}`)).status, 204);
  assertEquals((await rest(tenant, `GET /kernels/${id}`)).status, 404);
  assertEquals((await (await fetch(path, own)).json()).contexts, []);
});

Deno.test("jupyter rest: a session belongs to a document, is changed, and takes another kernel", async () => {
  const tenant = newTenant();
  const order = { path: "a.ipynb", name: "", type: "notebook", kernel: { name: "python3" } };
  const { status, json: session } = await rest(tenant, "POST /sessions", order);
  assertEquals([status, session.path, session.kernel.name], [201, "a.ipynb", "python3"]);
  assertEquals((await rest(tenant, "POST /sessions", order)).json.id, session.id);
  const one = `/sessions/${session.id}`;
  const renamed = await rest(tenant, `PATCH ${one}`, { path: "b.ipynb" });
  assertEquals([renamed.json.path, renamed.json.kernel.id], ["b.ipynb", session.kernel.id]);
  const other = await rest(tenant, `PATCH ${one}`, { kernel: { name: "javascript" } });
  assertEquals([other.json.id, other.json.kernel.name], [session.id, "javascript"]);
  assertEquals((await rest(tenant, `GET /kernels/${session.kernel.id}`)).status, 404);
  assertEquals((await rest(tenant, "GET /sessions")).json.length, 1);
  const kernel = await startKernel(tenant);
  const joined = await rest(tenant, "POST /sessions", { path: "c.ipynb", kernel: { id: kernel } });
  assertEquals(joined.json.kernel.id, kernel);
  assertEquals((await rest(tenant, `DELETE ${one}`)).status, 204);
  assertEquals((await rest(tenant, `GET ${one}`)).status, 404);
});

Deno.test("jupyter rest: a refusal names the problem, and creates nothing", async () => {
  const tenant = newTenant();
  const unknown = crypto.randomUUID();
  const refusals: readonly (readonly [line: string, body: unknown, status: number])[] = [
    ["POST /kernels", { name: "cobol" }, 400],
    ["POST /kernels", { name: 1 }, 400],
    ["POST /kernels", { path: "x".repeat(5_000) }, 400],
    ["POST /kernels", { path: "x".repeat(1024 * 1024) }, 413],
    ["POST /kernels", [], 400],
    ["POST /sessions", { path: 1 }, 400],
    ["POST /sessions", { path: "a", kernel: { id: unknown } }, 404],
    [`GET /kernels/${unknown}`, undefined, 404],
    [`GET /kernels/..%2f`, undefined, 404],
    [`POST /kernels/${unknown}/interrupt`, undefined, 404],
    [`GET /kernels/${unknown}/channels`, undefined, 400],
    ["GET /kernelspecs/cobol", undefined, 404],
    ["GET /contents", undefined, 404],
  ];
  for (const [line, body, status] of refusals) {
    const answer = await rest(tenant, line, body);
    assertEquals([answer.status, typeof answer.json.message], [status, "string"], line);
  }
  assertEquals((await rest(tenant, "GET /kernels")).json, []);
});

Deno.test("jupyter rest: tokens come as Jupyter's, as a password, and not in the query", async () => {
  const { url, token } = newTenant();
  const status = async (authorization?: string, query = "") => {
    const headers: HeadersInit = authorization === undefined ? {} : { authorization };
    const answer = await fetch(`${url}/jupyter/api/kernels${query}`, { headers });
    await answer.body?.cancel();
    return answer.status;
  };
  assertEquals(await status(`token ${token}`), 200);
  assertEquals(await status(`Bearer ${token}`), 200);
  assertEquals(await status(`Basic ${btoa(`user:${token}`)}`), 200);
  assertEquals(await status(undefined, `?token=${token}`), 401);
  for (const wrong of [undefined, "token x", "token", "Basic !", `Basic ${btoa(token)}x`]) {
    assertEquals(await status(wrong), 401, wrong);
  }
  const elsewhere = await fetch(`${url}/sandboxes`, {
    headers: { authorization: `token ${token}` },
  });
  await elsewhere.body?.cancel();
  assertEquals(elsewhere.status, 401);
});

Deno.test("jupyter rest: a socket from a page of another origin is refused", async () => {
  const tenant = newTenant();
  const kernel = await startKernel(tenant);
  const { hostname, port } = new URL(tenant.url);
  await using connection = await Deno.connect({ hostname, port: Number(port) });
  const request = [
    `GET /jupyter/api/kernels/${kernel}/channels?token=${tenant.token} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    "Origin: https://elsewhere.example",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "",
    "",
  ].join("\r\n");
  await connection.write(new TextEncoder().encode(request));
  const buffer = new Uint8Array(1024);
  const count = await connection.read(buffer);
  assert(new TextDecoder().decode(buffer.subarray(0, count ?? 0)).startsWith("HTTP/1.1 403"));
});
