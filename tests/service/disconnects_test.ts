// test: long
/**
 * A caller that has gone ends its run, whatever the length of its request.
 */
import { assertEquals } from "@std/assert";
import { leave, type Leaver, LEAVERS } from "../support/disconnects.ts";
import { callJson } from "../support/program.ts";
import { type Service, startService } from "../support/service.ts";
import { pause } from "../support/wait.ts";

/** Bytes that lengthen a program; ordinary programs have thousands. */
const LENGTHS = [0, 3_000, 60_000];
/** Longer than a run waits for an isolate: then it is refused if the one before did not end. */
const WALL_MS = "300000";
const BOX = "/languages/javascript/sandboxes/box/execute";

function startOne(): Promise<Service> {
  return startService({
    LANGUAGES: "javascript",
    KV_PATH: ":memory:",
    ISOLATES: "1",
    WALL_MS,
    FUEL_JAVASCRIPT: String(2 ** 50),
    MAX_KILLS_PER_MINUTE: "1000",
  });
}

function padded(code: string, length: number): string {
  return `${code}\n// ${"x".repeat(length)}`;
}

/** Asserts that a run gets the only isolate. */
async function assertNextRun(url: string): Promise<void> {
  const { status, body } = await callJson(`${url}/execute`, { code: "1" });
  assertEquals([status, body["error"]], [200, undefined]);
}

Deno.test("service: a disconnect ends a run with a program of any length", async (t) => {
  await using service = await startOne();
  const cases = Object.entries(LEAVERS).flatMap(([name, leaver]: [string, Leaver]) =>
    (leaver === "fetch" ? LENGTHS : [3_000]).map((length) => ({ name, leaver, length }))
  );
  for (const { name, leaver, length } of cases) {
    await t.step(`${name}, ${length} bytes more, stateless`, async () => {
      await leave(service.url, "/execute", { code: padded("for (;;) {}", length) }, leaver);
      await assertNextRun(service.url);
    });
    await t.step(
      `${name}, ${length} bytes more, in a context: the state is as before`,
      async () => {
        const { body: first } = await callJson(`${service.url}${BOX}`, { code: "var x = 1" });
        await leave(service.url, BOX, { code: padded("x = 2; for (;;) {}", length) }, leaver);
        const { body } = await callJson(`${service.url}${BOX}`, { code: "x" });
        const count = Number(first["executionCount"]);
        assertEquals([body["results"], body["executionCount"]], [[{ text: "1" }], count + 1]);
      },
    );
  }
});

Deno.test("service: a caller who leaves while waiting for a turn or an isolate leaves no run behind", async () => {
  await using service = await startOne();
  await callJson(`${service.url}${BOX}`, { code: "var n = 0" });
  const busy = new AbortController();
  const holding = fetch(`${service.url}${BOX}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: padded("for (;;) {}", 3_000) }),
    signal: busy.signal,
  }).catch(() => undefined);
  await pause(200);
  const code = padded("n++; for (;;) {}", 3_000);
  await Promise.all(
    [BOX, BOX, "/execute", "/execute"].map((path) => leave(service.url, path, { code }, "fetch")),
  );
  busy.abort();
  await holding;
  const { body } = await callJson(`${service.url}${BOX}`, { code: "n" });
  assertEquals(body["results"], [{ text: "0" }]);
});

Deno.test("service: a caller that leaves in the middle of the body, or of the answer, does not delay others", async () => {
  await using service = await startOne();
  const half = JSON.stringify({ code: "1" }).slice(0, 5);
  for (const length of [100, 3_000]) {
    const { hostname, port } = new URL(service.url);
    const connection = await Deno.connect({ hostname, port: Number(port) });
    const head = `POST /execute HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
    const text = `${head}content-length: 90000\r\n\r\n${half}${" ".repeat(length)}`;
    await connection.write(new TextEncoder().encode(text));
    connection.close();
  }
  const long = JSON.stringify({ code: "console.log('x'.repeat(900_000))" });
  const answer = await fetch(`${service.url}/execute`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: long,
  });
  await answer.body?.cancel();
  await assertNextRun(service.url);
});
