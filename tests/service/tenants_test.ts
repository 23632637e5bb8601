// test: long
/**
 * One tenant must not lock others out by not reading, by large requests or by long runs. During
 * each attack another tenant's short runs and calls are all answered.
 */
import { assert, assertEquals } from "@std/assert";
import { type Service, startService } from "../support/service.ts";
import {
  BIG_BOX,
  FILL,
  LARGE_OUTPUT,
  LIST,
  post,
  sendUnread,
  TWO_TENANTS,
} from "../support/two_tenants.ts";
import { until } from "../support/wait.ts";

/** Short runs and calls of the harmless tenant; all of them must be answered. */
async function calm(service: Service, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const run = await post(service, "beta", "/execute", { code: `${n} + 1` });
    assertEquals([run.status, (await run.json()).results], [200, [{ text: String(n + 1) }]]);
    const file = { op: "write", path: "a", content: String(n) };
    const written = await post(service, "beta", "/languages/javascript/sandboxes/calm/files", file);
    assertEquals([written.status, (await written.json()).success], [200, true]);
  }
}

Deno.test("service: one tenant's unread answers lock no other tenant out", async () => {
  await using service = await startService({
    LANGUAGES: "javascript",
    ...TWO_TENANTS,
    OUTPUT_BYTES: String(1024 * 1024),
  });
  const filled = await post(service, "alpha", `${BIG_BOX}/execute`, { code: FILL });
  assertEquals((await filled.json()).results, [{ text: "4000" }]);
  const whole = await (await post(service, "alpha", `${BIG_BOX}/files`, LIST)).text();
  assert(whole.length > 9_000_000);
  const { files, count } = JSON.parse(whole);
  assertEquals([files.length, count], [4003, 4003]);

  const connections = await Promise.all([
    ...Array.from({ length: 14 }, () => sendUnread(service, `${BIG_BOX}/files`, LIST)),
    ...Array.from({ length: 12 }, () => sendUnread(service, "/execute", LARGE_OUTPUT)),
  ]);
  await calm(service, 10);
  await until(async () => {
    const refused = await post(service, "alpha", "/execute", { code: "1" });
    await refused.body?.cancel();
    return refused.status === 429;
  });
  await calm(service, 10);
  for (const connection of connections) connection.close();
  await until(async () => {
    const again = await post(service, "alpha", "/execute", { code: "1" });
    await again.body?.cancel();
    return again.status === 200;
  });
});

Deno.test("service: a tenant that lists without end keeps no other tenant waiting", async () => {
  await using service = await startService({ LANGUAGES: "javascript", ...TWO_TENANTS });
  const filled = await post(service, "alpha", `${BIG_BOX}/execute`, { code: FILL });
  assertEquals((await filled.json()).error, undefined);
  const over = new AbortController();
  let lists = 0;
  const listing = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) {
      const answer = await post(service, "alpha", `${BIG_BOX}/files`, LIST);
      assertEquals((await answer.json()).count, 4003);
      lists++;
    }
  });
  await calm(service, 20);
  over.abort();
  await Promise.all(listing);
  assert(lists >= 8, "the lists of all were answered");
});

Deno.test("service: the long runs of one tenant leave an isolate to another", async () => {
  await using service = await startService({
    LANGUAGES: "javascript",
    ISOLATES: "2",
    ...TWO_TENANTS,
    FUEL_JAVASCRIPT: String(2 ** 50),
    WALL_MS: "60000",
  });
  await calm(service, 2);
  const leaving = new AbortController();
  const { signal } = leaving;
  let ended = 0;
  const loops = Array.from(
    { length: 4 },
    () =>
      post(service, "alpha", "/execute", { code: "for (;;);" }, { signal }).then(
        () => void ended++,
        () => undefined,
      ),
  );
  await calm(service, 10);
  assertEquals(ended, 0);
  leaving.abort();
  await Promise.all(loops);
});
