// test: long
import { assert, assertEquals } from "@std/assert";
import { count } from "../support/counts.ts";
import { processorMs, processTree, treeOwnMemory } from "../support/process.ts";
import { KILLS_WITHOUT_END } from "../support/run_limits.ts";
import { type Service, startService } from "../support/service.ts";
import { calmRuns, runHeaders } from "../support/storm.ts";
import { pause, until } from "../support/wait.ts";

const CLIENTS = Number(Deno.env.get("DISCONNECT_CLIENTS") ?? count(200, 1_000));
const ISOLATES = 2;
const GROWTH_MIB = 200;

/** Starts runs that never end, and leaves each after a moment. */
async function leaveInMidRun(url: string, count: number, token: string): Promise<void> {
  using client = Deno.createHttpClient({});
  const body = JSON.stringify({ code: "for (;;) {}" });
  const leave = async (index: number) => {
    const caller = new AbortController();
    const timer = setTimeout(() => caller.abort(), 50 + (index % 20) * 25);
    try {
      const answer = await fetch(`${url}/execute/javascript`, {
        method: "POST",
        headers: runHeaders(token),
        body,
        signal: caller.signal,
        client,
      });
      assert(answer.status === 200 || answer.status === 429 || answer.status === 503);
      await answer.body?.cancel();
    } catch (thrown) {
      assert(caller.signal.aborted, `${thrown}`);
    } finally {
      clearTimeout(timer);
    }
  };
  for (let begun = 0; begun < count; begun += 200) {
    const wave = Math.min(200, count - begun);
    await Promise.all(Array.from({ length: wave }, (_, index) => leave(begun + index)));
  }
}

async function openFiles(pid: number): Promise<number> {
  let files = 0;
  for await (const _ of Deno.readDir(`/proc/${pid}/fd`)) files++;
  return files;
}

/** Whether a process tree is nearly idle for half a second. */
async function isIdle(pid: number): Promise<boolean> {
  const tree = await processTree(pid);
  const before = await processorMs(tree);
  await pause(500);
  return await processorMs(tree) < before + 250;
}

/** The first refusal among the answers: a kill happens a moment after its caller leaves. */
async function refusal(url: string, token: string): Promise<Response> {
  const end = performance.now() + 30_000;
  for (;;) {
    const answer = await fetch(`${url}/execute`, {
      method: "POST",
      headers: runHeaders(token),
      body: '{"code":"1"}',
    });
    if (!answer.ok || performance.now() > end) return answer;
    await answer.body?.cancel();
    await pause(50);
  }
}

function startTenants(kills: Readonly<Record<string, string>>): Promise<Service> {
  return startService({
    LANGUAGES: "javascript",
    KV_PATH: ":memory:",
    ISOLATES: String(ISOLATES),
    FUEL_JAVASCRIPT: String(2 ** 50), // runs end when their callers have left, not before
    TOKENS: "a:alpha,b:beta",
    ...kills,
  });
}

/**
 * Callers of one tenant leave. Returns the number of the other tenant's runs that were answered
 * meanwhile.
 */
async function servedMeanwhile(url: string, clients: number): Promise<number> {
  let finished = false;
  const leaving = leaveInMidRun(url, clients, "alpha").finally(() => finished = true);
  let served = 0;
  while (!finished) served += (await calmRuns(url, 1, "beta")).length;
  await leaving;
  return served;
}

Deno.test(
  `service: ${CLIENTS} clients that leave in mid-run stop their work and leave nothing behind`,
  {
    ignore: Deno.build.os !== "linux",
  },
  async () => {
    await using service = await startTenants(KILLS_WITHOUT_END);
    await calmRuns(service.url, 20, "beta");
    const [memory, files] = [await treeOwnMemory(service.pid), await openFiles(service.pid)];
    assert(await servedMeanwhile(service.url, CLIENTS) > 0);
    await calmRuns(service.url, 20, "alpha");
    await until(() => isIdle(service.pid));
    await until(async () => (await processTree(service.pid)).length <= 1 + ISOLATES);
    await until(async () => await openFiles(service.pid) < files + 30);
    await until(async () => await treeOwnMemory(service.pid) < memory + GROWTH_MIB);
  },
);

Deno.test("service: a tenant gets 429 when its callers leave too often, and no other tenant does", async () => {
  await using service = await startTenants({ MAX_KILLS_PER_MINUTE: "0" });
  await calmRuns(service.url, 1, "beta"); // callers that leave a queue cause no kill
  assert(await servedMeanwhile(service.url, 200) > 0);
  const refused = await refusal(service.url, "alpha");
  assertEquals([refused.status, (await refused.json()).context?.limit], [429, "kills"]);
  assert(Number(refused.headers.get("retry-after")) > 0);
  await calmRuns(service.url, 20, "beta");
});
