import { assert, assertEquals, assertLess } from "@std/assert";
import { startService, treeMemory } from "../support/service.ts";
import { calmRuns, storm } from "../support/storm.ts";

const CONNECTIONS = Number(Deno.env.get("OVERLOAD_CONNECTIONS") ?? 400);
/** What bodies, answers and their callers may come to while all are there. */
const GROWTH_MIB = 400;

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

Deno.test("service: overload is answered right or refused, and leaves nothing behind", async () => {
  await using service = await startService({ LANGUAGES: "javascript", KV_PATH: ":memory:" });
  const calm = median(await calmRuns(service.url, 20));
  const before = await treeMemory(service.pid);
  let most = before;
  let polling = true;
  const poll = (async () => {
    while (polling) {
      most = Math.max(most, await treeMemory(service.pid));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  const { right, refused, wrong } = await storm(service.url, CONNECTIONS);
  polling = false;
  await poll;
  assertEquals(wrong, []);
  assertEquals(right + refused, CONNECTIONS);
  // 16 go and 256 wait; the others come too late
  assert(right >= Math.min(CONNECTIONS, 272), `only ${right} were answered`);
  assert(CONNECTIONS <= 272 || refused > 0);
  assertLess(most, before + GROWTH_MIB);
  const after = median(await calmRuns(service.url, 20));
  assertLess(after, 20 * calm + 50);
});

Deno.test("service: a tenant in overload does not keep another one waiting behind it", async () => {
  await using service = await startService({
    LANGUAGES: "javascript",
    KV_PATH: ":memory:",
    TOKENS: "a:alpha,b:beta",
  });
  await calmRuns(service.url, 5, "beta");
  const others = storm(service.url, 300, "alpha");
  let finished = false;
  others.then(() => finished = true);
  let served = 0;
  while (!finished) served += (await calmRuns(service.url, 1, "beta")).length;
  const { wrong, right } = await others;
  assertEquals(wrong, []);
  // of two tenants in turn each gets every other isolate: far more than one run in sixteen
  assert(served * 4 >= right / 16, `${served} runs beside ${right}`);
});
