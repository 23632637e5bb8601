/**
 * Hostile JavaScript against a running service. After each case: the service is healthy and a
 * canary run gives the right answer; at the end: memory of the process tree is near its
 * baseline.
 */
import { assertEquals, assertLess } from "@std/assert";
import { execute, startService, treeMemory } from "../support/service.ts";
import { complaints } from "./cases.ts";
import { JAVASCRIPT_CASES } from "./javascript_cases.ts";

const CANARY = "console.log('canary'); [1, 2, 3].map((n) => n * 2)";
/** How much the tree may have grown by the end. */
const GROWTH = 1.5;

async function canary(url: string): Promise<void> {
  const { result } = await execute(url, "javascript", CANARY);
  assertEquals(
    [result.logs.stdout, result.results, result.error],
    [["canary"], [{ json: [2, 4, 6] }], undefined],
  );
  const health = await fetch(`${url}/healthz`);
  assertEquals((await health.json()).status, "ok");
}

/** Waits until the service has its two isolates, both of them used. */
async function bothIsolates(url: string): Promise<void> {
  for (let isolates = 0; isolates < 2;) {
    await Promise.all([1, 2, 3, 4].map(() => canary(url)));
    const { languages } = await (await fetch(`${url}/healthz`)).json();
    isolates = languages[0].isolates;
  }
}

Deno.test("hostile JavaScript: each case ends as decided, and the next run is right", async (t) => {
  await using service = await startService({ ISOLATES: "2" });
  await bothIsolates(service.url);
  const before = await treeMemory(service.pid);
  for (const hostile of JAVASCRIPT_CASES) {
    await t.step(hostile.name, async () => {
      const { result } = await execute(service.url, "javascript", hostile.code);
      assertEquals(complaints(hostile, result), []);
      assertLess(result.durationMs, 10_500);
      await canary(service.url);
    });
  }
  await t.step("memory of the process tree is back near its baseline", async () => {
    assertLess(await treeMemory(service.pid), before * GROWTH);
  });
});
