import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { processTree } from "../support/process.ts";
import { startService } from "../support/service.ts";
import { calmRuns } from "../support/storm.ts";

Deno.test("service: with ISOLATE_PER_TENANT no process serves two tenants", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using service = await startService({
    LANGUAGES: "javascript",
    KV_PATH: ":memory:",
    ISOLATES: "1",
    ISOLATE_PER_TENANT: "1",
    TOKENS: "a:alpha,b:beta",
  });
  const isolateAfter = async (token: string) => {
    await calmRuns(service.url, 2, token);
    const [, ...isolates] = await processTree(service.pid);
    assertEquals(isolates.length, 1);
    return isolates[0];
  };
  const seen = new Map<number | undefined, string>();
  for (const token of ["alpha", "beta", "alpha", "beta"]) {
    const pid = await isolateAfter(token);
    assert(seen.get(pid) === undefined, "a process came back for another tenant");
    seen.set(pid, token);
    assertEquals(await isolateAfter(token), pid);
  }
  assertNotEquals(seen.size, 1);
});
