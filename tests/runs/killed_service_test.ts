// test: long
/**
 * A whole service is killed by SIGKILL while a program calls: with its caller, which performs each key
 * once, the run goes on as if nothing had happened. `ROUNDS` says how often it is killed.
 */
import { assert, assertEquals } from "@std/assert";
import { count } from "../support/counts.ts";
import { KillableService } from "../support/kill_service.ts";
import { printedSeed, seeded } from "../support/random.ts";
import { pause } from "../support/wait.ts";
import type { Answered } from "./gateway_fixture.ts";

const KILLS = Number(Deno.env.get("ROUNDS") ?? count(3, 40));
const LEASE_MS = 1_000;
const LONGEST_DELAY_MS = 120;
const CALLS = 24;
/** Random numbers and times are drawn between calls, and a file is written. */
const CODE = `
const seen = [];
for (let n = 0; n < ${CALLS / 2}; n++) {
  seen.push(await tools.f({ n, random: Math.random(), time: Date.now() }));
  console.log("after", n);
}
const rest = Array.from({ length: ${CALLS / 2} }, (_, n) => tools.f({ n: n + ${CALLS / 2} }));
for (const one of await Promise.all(rest)) seen.push(one);
require("fs").writeFileSync("seen", seen.join());
globalThis.runs = (globalThis.runs ?? 0) + 1;
[seen, runs]`;

async function post(url: string, path: string, body: unknown): Promise<Answered | undefined> {
  try {
    const answer = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const value = await answer.json();
    if (answer.status === 503) return undefined;
    assertEquals([answer.status, value], [200, value]);
    return value;
  } catch (thrown) {
    if (thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}

async function killRepeatedly(path: string, fields: { readonly durable?: true }): Promise<void> {
  const random = seeded(printedSeed(`killed service with calls, ${path}`));
  const folder = await Deno.makeTempDir();
  const start = () => KillableService.start({ kvPath: `${folder}/kv`, leaseMs: LEASE_MS });
  let service = await start();
  try {
    let state = await post(service.url, path, { code: CODE, tools: [{ name: "f" }], ...fields });
    const run = state?.waiting?.run;
    const asked = new Map<string, string>();
    const performed = new Map<string, number>();
    for (let kills = 0; state?.waiting !== undefined || kills < KILLS;) {
      for (const { key, arguments: part } of state?.waiting?.calls ?? []) {
        const text = JSON.stringify(part);
        assertEquals(asked.get(key) ?? text, text, "the arguments of a call changed");
        asked.set(key, text);
        if (!performed.has(key)) performed.set(key, performed.size);
      }
      const answers = (state?.waiting?.calls ?? []).slice(0, 1 + Math.floor(random() * 3))
        .map(({ key }) => ({ key, value: performed.get(key) }));
      const answering = post(service.url, `/runs/${run}/answers`, { answers });
      if (kills < KILLS && random() < 0.4) {
        await pause(random() * LONGEST_DELAY_MS);
        await service.kill(random() < 0.5);
        kills++;
        await answering;
        service = await start();
        state = undefined;
        while (state === undefined) {
          state = await post(service.url, `/runs/${run}/answers`, { answers: [] });
        }
      } else state = await answering ?? state;
      if (state?.waiting === undefined) break;
    }
    assertEquals(performed.size, CALLS);
    const [{ json } = { json: undefined }] = Array.isArray(state?.["results"])
      ? state["results"]
      : [];
    assert(Array.isArray(json));
    const [seen, runs] = json;
    assertEquals(seen, Array.from({ length: CALLS }, (_, n) => performed.get(`${run}/${n + 1}`)));
    assertEquals(runs, 1);
    assertEquals(state?.logs.stdout, Array.from({ length: CALLS / 2 }, (_, n) => `after ${n}`));
  } finally {
    await service.kill(true);
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("killed: a run with calls goes on after each kill of its service, and each call is performed once", () =>
  killRepeatedly("/languages/javascript/sandboxes/box/execute", {}));

Deno.test("killed: so does a durable run without a context", () =>
  killRepeatedly("/execute/javascript", { durable: true }));
