/** Streams through a gateway to a runtime in a process of its own. */
import { assert, assertEquals } from "@std/assert";
import type { RunEvent } from "../../client/protocol/run_events.ts";
import { startProgram } from "../support/program.ts";
import { eventsOf, heard, streamHeaders } from "../support/run_stream.ts";

const TOKEN = "runtime-token";
const LONG = { FUEL_JAVASCRIPT: String(2 ** 50), WALL_MS: "60000", MAX_KILLS_PER_MINUTE: "1000" };
const ENDLESS = "var x = 2; console.log('here'); for (;;) {}";
const BOX = "/languages/javascript/sandboxes/box/execute";

async function beginning(answer: Response) {
  const events = eventsOf(answer);
  const types = [await events.next(), await events.next()].map(({ value }) => value?.type);
  assertEquals(types, ["start", "stdout"]);
  return events;
}

async function lastOf(events: AsyncGenerator<RunEvent>): Promise<RunEvent> {
  const { done, value } = await events.next();
  assert(!done);
  assertEquals((await events.next()).done, true);
  return value;
}

Deno.test("remote: streams of another process, which is stopped and killed", async (t) => {
  const runtime = await startProgram({
    args: ["runtime", "javascript"],
    env: { ...LONG, ISOLATES: "2", TOKENS: `gateway:${TOKEN}` },
  });
  await using gateway = await startProgram({
    env: {
      ...LONG,
      LANGUAGES: "javascript",
      JAVASCRIPT_URL: runtime.url,
      JAVASCRIPT_TOKEN: TOKEN,
    },
  });
  const stream = (path: string, code: string, url = gateway.url, headers = {}) =>
    fetch(url + path, {
      method: "POST",
      headers: { ...streamHeaders(), ...headers },
      body: JSON.stringify({ code }),
    });

  for (const path of ["/execute", BOX]) {
    await t.step(`${path}: the lines and the answer`, async () => {
      const code = "var x = 1; console.log('a'); console.error('b'); process.stdout.write('c'); x";
      const { types, last } = await heard(await stream(path, code));
      assertEquals(types, ["start", "stdout", "stderr", "stdout", "end"]);
      assert("logs" in last);
      assertEquals([last.results, last.logs.stdout], [[{ text: "1" }], ["a", "c"]]);
    });
    await t.step(
      `${path}: a line arrives while the program computes, who leaves ends it`,
      async () => {
        for (let isolates = 0; isolates < 3; isolates++) {
          await (await beginning(await stream(path, ENDLESS))).return(undefined);
        }
      },
    );
  }
  await t.step("the context is as before", async () => {
    const { last } = await heard(await stream(BOX, "x"));
    assert("logs" in last);
    assertEquals([last.results, last.executionCount], [[{ text: "1" }], 2]);
  });
  await t.step("the runtime's own app has the streams of callers too", async () => {
    const own = { authorization: `Bearer ${TOKEN}` };
    const { types } = await heard(await stream("/execute", "console.log(1)", runtime.url, own));
    assertEquals(types, ["start", "stdout", "end"]);
    const events = await beginning(await stream("/execute", ENDLESS, runtime.url, own));
    await events.return(undefined);
  });
  await t.step("a runtime that is killed ends them with `failed`", async () => {
    const streams = await Promise.all(
      ["/execute", BOX].map(async (path) => await beginning(await stream(path, ENDLESS))),
    );
    await runtime.end("SIGKILL");
    for (const events of streams) {
      const last = await lastOf(events);
      assert(last.type === "failed");
      assertEquals([last.error.httpStatus, last.error.code], [502, "INTERNAL_ERROR"]);
    }
  });
});

Deno.test("remote: a runtime that stops ends its open streams with `failed`", async () => {
  await using runtime = await startProgram({
    args: ["runtime", "javascript"],
    env: { ...LONG, ISOLATES: "1", TOKENS: `gateway:${TOKEN}` },
  });
  const headers = { ...streamHeaders(), authorization: `Bearer ${TOKEN}` };
  const body = JSON.stringify({ code: ENDLESS });
  const events = await beginning(
    await fetch(`${runtime.url}/execute`, { method: "POST", headers, body }),
  );
  const stopped = runtime.end("SIGTERM");
  const last = await lastOf(events);
  assert(last.type === "failed");
  assertEquals([last.error.httpStatus, last.error.code], [503, "OVERLOADED"]);
  await stopped;
});
