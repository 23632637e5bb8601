// test: long
/**
 * The service killed while many callers send one run with one `Idempotency-Key`: sent again, it has
 * run exactly once (docs/contract.md#idempotency). `ROUNDS` says how often.
 */
import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../store/open.ts";
import { count } from "../support/counts.ts";
import { sweep, wrongKeys } from "../support/kill_keys.ts";
import { KillableService } from "../support/kill_service.ts";
import { type KillMoment, RUN_STEPS } from "../support/kill_switch.ts";
import { printedSeed, seeded } from "../support/random.ts";
import { execute } from "../support/service.ts";
import { pause } from "../support/wait.ts";

const ROUNDS = Number(Deno.env.get("ROUNDS") ?? count(5, 200));
const CALLERS = 20;
const LEASE_MS = 1_000;
const LONGEST_DELAY_MS = 80;
const MOST_OPERATIONS = 120;
/** Counts in memory and in a file. */
const CODE = "globalThis.n = (globalThis.n ?? 0) + 1; require('fs').writeFileSync('n', `${n}`); " +
  "[n, Number(require('fs').readFileSync('n', 'utf8'))]";

interface Answer {
  readonly status: number;
  readonly replayed: boolean;
  readonly text: string;
}

/** Undefined: the connection broke. */
async function run(url: string, key: string): Promise<Answer | undefined> {
  try {
    const answer = await fetch(`${url}/languages/javascript/sandboxes/box/execute`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify({ code: CODE }),
    });
    const replayed = answer.headers.get("idempotency-replayed") === "true";
    return { status: answer.status, replayed, text: await answer.text() };
  } catch (thrown) {
    if (thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}

/** A moment within the service; undefined: from outside, at any time. */
function momentOf(random: () => number): KillMoment | undefined {
  const tree = random() < 0.5;
  const chance = random();
  if (chance < 0.3) return undefined;
  const step = RUN_STEPS[Math.floor(random() * RUN_STEPS.length)];
  if (chance < 0.6 && step !== undefined) return { at: "step", step, tree };
  const operation = 1 + Math.floor(random() * MOST_OPERATIONS);
  return { at: "operation", count: operation, when: random() < 0.5 ? "before" : "after", tree };
}

/** Kills a service while the callers wait; gives the answers that came. */
async function killedMeanwhile(
  service: KillableService,
  key: string,
  random: () => number,
): Promise<readonly Answer[]> {
  const moment = momentOf(random);
  if (moment !== undefined) await service.arm(moment);
  const calls = Array.from({ length: CALLERS }, () => run(service.url, key));
  if (moment === undefined) {
    await pause(random() * LONGEST_DELAY_MS);
    await service.kill(random() < 0.5);
  }
  const answers = (await Promise.all(calls)).flatMap((answer) => answer ?? []);
  await service.kill(true); // the moment may not have come
  return answers;
}

const SEED = printedSeed("repeats");

Deno.test({
  name:
    `repeats: ${CALLERS} callers with one key, killed in between in ${ROUNDS} rounds, ran once each`,
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const random = seeded(SEED);
    const folder = await Deno.makeTempDir();
    const kvPath = `${folder}/data.sqlite3`;
    const env = { LANGUAGES: "javascript" };
    const start = async () => {
      const started = await KillableService.start({ kvPath, leaseMs: LEASE_MS, env });
      await execute(started.url, "javascript", "1"); // its isolate is up
      return started;
    };
    let service = await start();
    const told = { replayed: 0, ran: 0 };
    try {
      for (let round = 1; round <= ROUNDS; round++) {
        const key = `round-${round}`;
        const answers = await killedMeanwhile(service, key, random);
        service = await start();
        const again = await run(service.url, key);
        assertEquals(again?.status, 200, again?.text);
        assert(again !== undefined);
        const { executionCount, results, error } = JSON.parse(again.text);
        assertEquals([executionCount, results, error], [
          round,
          [{ json: [round, round] }],
          undefined,
        ]);
        for (const { status, text } of answers) {
          if (status === 200) assertEquals([again.replayed, text], [true, again.text]);
        }
        told[again.replayed ? "replayed" : "ran"]++;
      }
    } finally {
      await service[Symbol.asyncDispose]();
    }
    assertEquals(told.replayed + told.ran, ROUNDS);
    if (ROUNDS >= 100) assert(told.replayed > 0 && told.ran > 0, JSON.stringify(told));
    const kv = await openStore(kvPath);
    try {
      await sweep(kv, LEASE_MS);
      assertEquals(await wrongKeys(kv), []);
    } finally {
      kv.close();
      await Deno.remove(folder, { recursive: true });
    }
  },
});
