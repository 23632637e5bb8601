import { assertEquals } from "@std/assert";
import { KillMeter } from "../../gateway/admission.ts";
import { ADMISSION_LIMITS } from "../../shared/limits.ts";
import { FakeRuntime } from "../sandbox/fake_runtime.ts";
import { exchange } from "./raw_exchange.ts";
import { serveRuntime, TOKEN } from "./runtime_server.ts";

async function send(url: string, method: string, path: string, body = "") {
  const head = [
    `${method} ${path} HTTP/1.1`,
    "host: localhost",
    `authorization: Bearer ${TOKEN}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
  ];
  const answer = await exchange(url, `${head.join("\r\n")}\r\n\r\n${body}`);
  return Number(answer.split(" ")[1]);
}

Deno.test("runtime alone: dot segments reach neither a run nor the state of another key", async () => {
  const runtime = new FakeRuntime("python");
  const kills = new KillMeter({ ...ADMISSION_LIMITS, killsPerMinute: 0 }, Date.now);
  await using alone = serveRuntime({ fetch: (request) => runtime.fetch(request) }, kills);
  const context = JSON.stringify({ id: "c", cwd: "/workspace" });
  assertEquals(await send(alone.url, "POST", "/interpreters/k/contexts", context), 201);
  kills.record("alone", 0);
  const run = JSON.stringify({ code: "1" });
  assertEquals(await send(alone.url, "POST", "/execute", run), 429);
  for (const path of ["/x/%2e%2e/execute", "/x/../execute", "/./execute", "/x\\..\\execute"]) {
    assertEquals(await send(alone.url, "POST", path, run), 404, path);
  }
  for (const path of ["/interpreters/j/%2E./k", "/interpreters/k/contexts/x\\..\\c"]) {
    assertEquals(await send(alone.url, "DELETE", path), 404, path);
  }
  assertEquals([...runtime.stored.keys()], ["k/c"]);
  assertEquals(await send(alone.url, "DELETE", "/interpreters/k/contexts/c"), 200);
});

Deno.test("runtime alone: the token names the tenant, no header does", async () => {
  const tenants: (string | null)[] = [];
  const fetchIt = ({ headers }: Request) => {
    tenants.push(headers.get("x-belljar-tenant"));
    return Promise.resolve(new Response());
  };
  await using alone = serveRuntime({ fetch: fetchIt });
  for (const more of [{}, { "x-belljar-tenant": "other" }]) {
    const headers = { authorization: `Bearer ${TOKEN}`, ...more };
    const answer = await fetch(`${alone.url}/execute`, { method: "POST", headers, body: "{}" });
    await answer.body?.cancel();
  }
  assertEquals(tenants, ["alone", "alone"]);
});
