import { assert, assertEquals, assertMatch } from "@std/assert";
import { Admission } from "../../gateway/admission.ts";
import { BodyBudget } from "../../gateway/body_budget.ts";
import { type RunningServer, startServer } from "../../gateway/server.ts";
import { ADMISSION_LIMITS, BODY_BUDGET } from "../../shared/limits.ts";
import { until } from "../support/wait.ts";
import { exchange, readAnswer } from "./raw_exchange.ts";
import { testGateway, unexpected } from "./test_gateway.ts";

const SLOW = 300;
const HEAD = "POST /execute HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";

async function halfSent(server: RunningServer, count: number, part: string): Promise<Deno.Conn[]> {
  const { hostname, port } = new URL(server.url);
  const bytes = new TextEncoder().encode(`${HEAD}content-length: 90000\r\n\r\n${part}`);
  return await Promise.all(Array.from({ length: count }, async () => {
    const connection = await Deno.connect({ hostname, port: Number(port) });
    for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
    return connection;
  }));
}

/** A server, and the bytes that its gateway holds. */
async function start(bodies: BodyBudget, graceMs = 100) {
  const stopping = new AbortController();
  const admission = new Admission({ ...ADMISSION_LIMITS, runsPerTenant: 1, waitingPerTenant: 0 });
  const server = await startServer({
    host: "127.0.0.1",
    port: 0,
    loopbackOnly: true,
    createHandler: () => testGateway({ admission, bodies, stopping: stopping.signal }),
    stopping,
    graceMs,
    onFailure: unexpected,
  });
  return { server, [Symbol.asyncDispose]: () => server.stop() };
}

Deno.test("slow bodies: incomplete requests take no place, and a stop answers them with 503", async () => {
  const bodies = new BodyBudget(BODY_BUDGET);
  await using started = await start(bodies);
  const slow = await halfSent(started.server, SLOW, '{"code":"');
  await until(() => bodies.bytesInUse === SLOW * '{"code":"'.length);
  const answer = await fetch(`${started.server.url}/execute`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"code":"1"}',
  });
  assertEquals([answer.status, (await answer.json()).code], [200, "1"]);
  assert(slow[0] !== undefined);
  const first = readAnswer(slow[0]);
  await started.server.stop();
  assertMatch(await first, /^HTTP\/1\.1 503 [^]*retry-after: 1[^]*OVERLOADED/);
  for (const connection of slow) connection.close();
  assertEquals(bodies.bytesInUse, 0);
});

Deno.test("slow bodies: a disconnect in mid-body releases everything", async () => {
  const bodies = new BodyBudget(BODY_BUDGET);
  await using started = await start(bodies);
  const slow = await halfSent(started.server, 50, "x".repeat(1_000));
  await until(() => bodies.bytesInUse === 50_000);
  for (const connection of slow) connection.close();
  await until(() => bodies.bytesInUse === 0);
});

Deno.test("slow bodies: their bytes are bounded; an excessive one is refused at once, and the next is served", async () => {
  const bodies = new BodyBudget({ bodyBytes: 200_000, bodyBytesPerTenant: 200_000 });
  await using started = await start(bodies);
  const slow = await halfSent(started.server, 30, "x".repeat(20_000));
  await until(() => bodies.bytesInUse > 160_000);
  assert(bodies.bytesInUse <= 200_000);
  for (const connection of slow) connection.close();
  await until(() => bodies.bytesInUse === 0);
  const body = '{"code":"1"}';
  const answer = await exchange(
    started.server.url,
    `${HEAD}content-length: ${body.length}\r\n\r\n${body}`,
  );
  assertMatch(answer, /^HTTP\/1\.1 200 /);
});
