// test: long
import { assertEquals } from "@std/assert";
import { atWork, isAlive, processTree } from "../support/process.ts";
import { startService } from "../support/service.ts";
import { runHeaders } from "../support/storm.ts";
import { until } from "../support/wait.ts";

const ISOLATES = 2;
/** Ends after a second, which is within the grace of a stop, however busy the machine is. */
const SHORT = "const end = Date.now() + 1_000; while (Date.now() < end);";

/** The number of isolates. */
async function isolatesOf(url: string): Promise<number> {
  const health = await (await fetch(`${url}/healthz`)).json();
  return health.languages[0].isolates;
}

/** Runs programs in parallel until all isolates have started. */
async function startIsolates(url: string): Promise<void> {
  while (await isolatesOf(url) < ISOLATES) {
    await Promise.all(Array.from({ length: 2 * ISOLATES }, () => run(url, "1")));
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
    await using service = await startService({
      LANGUAGES: "javascript",
      KV_PATH: ":memory:",
      ISOLATES: String(ISOLATES),
      FUEL_JAVASCRIPT: String(Number.MAX_SAFE_INTEGER),
      WALL_MS: "300000",
    });
    await startIsolates(service.url);
    const tree = await processTree(service.pid);
    assertEquals(tree.length, 1 + ISOLATES);
    const short = run(service.url, SHORT);
    const endless = Array.from({ length: 4 }, () => run(service.url, "for (;;) {}"));
    await Promise.all(tree.slice(1).map((isolate) => atWork([isolate], 50)));
    // requests before an answered one have been accepted
    for (let asked = 0; asked < 5; asked++) assertEquals(await isolatesOf(service.url), ISOLATES);
    Deno.kill(service.pid, signal);
    assertEquals((await short)[0], 200);
    for (const answer of endless) assertEquals(await answer, [503, "OVERLOADED"]);
    for (const pid of tree) await until(async () => !await isAlive(pid));
  });
}
