import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import { processTree, type Service, startService } from "../support/service.ts";
import { runHeaders } from "../support/storm.ts";

/** Hosts give five seconds; a busy machine may look a little later. */
const DEADLINE_MS = 7_000;

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

/** A child that has ended can no longer be killed; one that is about to end is waited for. */
async function reap(service: Service): Promise<void> {
  try {
    await service[Symbol.asyncDispose]();
  } catch (thrown) {
    assertInstanceOf(thrown, TypeError);
  }
}

async function run(url: string, code: string): Promise<readonly [number, string | undefined]> {
  const answer = await fetch(`${url}/execute`, {
    method: "POST",
    headers: runHeaders(),
    body: JSON.stringify({ code }),
  });
  const body = await answer.json();
  return [answer.status, answer.ok ? body.error?.name : body.code];
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`service: on ${signal} runs in flight end or are 503, and no process stays`, {
    ignore: Deno.build.os !== "linux",
  }, async () => {
    const service = await startService({
      LANGUAGES: "javascript",
      KV_PATH: ":memory:",
      ISOLATES: "2",
      FUEL_JAVASCRIPT: String(Number.MAX_SAFE_INTEGER),
      WALL_MS: "60000",
    });
    const short = run(service.url, "let x = 0; for (let i = 0; i < 3_000_000; i++) x += i; x");
    const endless = Array.from({ length: 4 }, () => run(service.url, "for (;;) {}"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const tree = await processTree(service.pid);
    assert(tree.length > 1);
    const began = performance.now();
    Deno.kill(service.pid, signal);
    assertEquals((await short)[0], 200);
    for (const answer of endless) assertEquals(await answer, [503, "OVERLOADED"]);
    while (tree.some(isAlive) && performance.now() - began < DEADLINE_MS) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assertEquals(tree.filter(isAlive), []);
    await reap(service);
  });
}
