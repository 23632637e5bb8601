// test: long
import { assert, assertEquals, assertLess, fail } from "@std/assert";
import { count } from "../support/counts.ts";
import { atWork, processTree, treeOwnMemory } from "../support/process.ts";
import { type Service, startService } from "../support/service.ts";
import { calmRuns, runHeaders, type Storm, storm } from "../support/storm.ts";
import { pause, until } from "../support/wait.ts";

/** As the service has it by default, or fewer, so that fewer connections are an overload. */
const WAITING = count(64, 256);
const CONNECTIONS = Number(Deno.env.get("OVERLOAD_CONNECTIONS") ?? count(120, 400));
const ISOLATES = 2;
/** Runs that one tenant may have: 16 run and the others wait; further ones are refused. */
const ROOM = 16 + WAITING;
/** Maximum bytes of bodies, answers and their callers while all of them exist. */
const GROWTH_MIB = 400;

Deno.test("service: requests in overload are answered correctly or refused, and leave nothing behind", async () => {
  await using service = await startService({
    LANGUAGES: "javascript",
    WAITING_PER_TENANT: String(WAITING),
    ISOLATES: String(ISOLATES),
    FUEL_JAVASCRIPT: String(2 ** 50),
    WALL_MS: "60000",
  });
  const calm = Math.min(...await calmRuns(service.url, 20));
  const before = await treeOwnMemory(service.pid);
  let most = before;
  let polling = true;
  const poll = (async () => {
    while (polling) {
      most = Math.max(most, await treeOwnMemory(service.pid));
      await pause(50);
    }
  })();
  const { right, refused, wrong } = await stormBehind(service);
  polling = false;
  await poll;
  assertEquals(wrong, []);
  assertEquals(right + refused, CONNECTIONS);
  assert(right >= Math.min(CONNECTIONS, ROOM - ISOLATES), `only ${right} were answered`);
  assert(CONNECTIONS <= ROOM || refused > 0);
  assertLess(most, before + GROWTH_MIB);
  const after = Math.min(...await calmRuns(service.url, 20));
  assertLess(after, 20 * calm + 50);
});

/** Waits until all isolates are busy. */
async function allAtWork(pid: number): Promise<void> {
  await until(async () => (await processTree(pid)).length === 1 + ISOLATES);
  const [, ...isolates] = await processTree(pid);
  await Promise.all(isolates.map((isolate) => atWork([isolate])));
}

/** A storm behind runs that hold all isolates until the storm's first request is refused. */
async function stormBehind(service: Service): Promise<Storm> {
  const leaving = new AbortController();
  const holding = Array.from(
    { length: CONNECTIONS > ROOM ? ISOLATES : 0 },
    () =>
      fetch(`${service.url}/execute`, {
        method: "POST",
        headers: runHeaders(),
        body: JSON.stringify({ code: "for (;;);" }),
        signal: leaving.signal,
      }).then(
        () => fail("an endless run was answered"),
        (thrown) => assert(leaving.signal.aborted, String(thrown)),
      ),
  );
  if (holding.length > 0) await allAtWork(service.pid);
  const answers = await storm(service.url, CONNECTIONS, { onRefused: () => leaving.abort() });
  leaving.abort();
  await Promise.all(holding);
  return answers;
}

Deno.test("service: a tenant in overload does not keep another one waiting behind it", async () => {
  await using service = await startService({
    LANGUAGES: "javascript",
    KV_PATH: ":memory:",
    TOKENS: "a:alpha,b:beta",
  });
  await calmRuns(service.url, 5, "beta");
  const others = storm(service.url, count(100, 300), { token: "alpha" });
  let finished = false;
  others.then(() => finished = true);
  let served = 0;
  while (!finished) served += (await calmRuns(service.url, 1, "beta")).length;
  const { wrong, right } = await others;
  assertEquals(wrong, []);
  // with two tenants each gets every other isolate: far more than one run in sixteen
  assert(served * 4 >= right / 16, `${served} runs beside ${right}`);
});
