import { assertEquals } from "@std/assert";
import { KillMeter } from "../../gateway/kill_meter.ts";
import { ADMISSION_LIMITS } from "../../wire/limits.ts";
import { serveFar, TOKEN } from "../remote/ends.ts";
import { FakeRuntime } from "../sandbox/fake_runtime.ts";
import { exchange } from "./raw_exchange.ts";

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

Deno.test("runtime alone: dot segments reach neither a run nor another's state", async () => {
  const runtime = new FakeRuntime("python");
  const kills = new KillMeter({ ...ADMISSION_LIMITS, killsPerMinute: 0 }, Date.now);
  await using far = serveFar(runtime, { kills });
  const context = JSON.stringify({ id: "c", cwd: "/workspace" });
  assertEquals(await send(far.url, "POST", "/interpreters/k/contexts", context), 201);
  kills.record("default", 0);
  const run = JSON.stringify({ code: "1" });
  assertEquals(await send(far.url, "POST", "/execute", run), 429);
  for (const path of ["/x/%2e%2e/execute", "/x/../execute", "/./execute", "/x\\..\\execute"]) {
    assertEquals(await send(far.url, "POST", path, run), 404, path);
  }
  for (const path of ["/interpreters/j/%2E./k", "/interpreters/k/contexts/x\\..\\c"]) {
    assertEquals(await send(far.url, "DELETE", path), 404, path);
  }
  assertEquals([...runtime.contexts.keys()], ["k/c"]);
  assertEquals(await send(far.url, "DELETE", "/interpreters/k/contexts/c"), 200);
});
