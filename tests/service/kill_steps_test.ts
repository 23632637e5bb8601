// test: long
/**
 * SIGKILL at every step of a run, and at operations of its store: the state that the next process
 * finds. `TESTS=full` takes every step in every language and every operation.
 */
import { assert, assertEquals, assertLess } from "@std/assert";
import type { RunStep } from "../../sandbox/operation_options.ts";
import { openStore } from "../../store/open.ts";
import { IS_FULL } from "../support/counts.ts";
import { KillBox } from "../support/kill_box.ts";
import { GUEST_LANGUAGES, type GuestLanguage } from "../support/kill_guests.ts";
import { sweep, wrongKeys } from "../support/kill_keys.ts";
import { KillableService, marksOfTree, survivors } from "../support/kill_service.ts";
import { type KillMoment, RUN_STEPS } from "../support/kill_switch.ts";

const LEASE_MS = 1_500;
/**
 * Time to start a process and an isolate, restore a snapshot and run, on a busy machine. Shorter
 * than the longest wait, which a lock that is never released would cause.
 */
const SLACK_MS = 30_000;
const LONGEST_GUEST_MS = 20_000;
/** The steps before which, and at which, the outcome is determined. */
const DECISIVE: readonly RunStep[] = ["ran", "blobs written", "committed"];
const COMMITTED: readonly RunStep[] = ["committed", "answered"];

let ids = 0;
const newId = () => (0x10000000 + ids++).toString(16);

/** A context whose process is killed repeatedly. */
class KilledContext implements AsyncDisposable {
  readonly language: GuestLanguage;
  readonly #box: KillBox;
  readonly #kvPath: string;
  #service: KillableService | undefined;

  constructor(language: GuestLanguage, kvPath: string) {
    this.language = language;
    this.#box = new KillBox({ name: "box", language, newId });
    this.#kvPath = kvPath;
  }

  /** A process that serves it. */
  async #serve(): Promise<KillableService> {
    const env = { LANGUAGES: this.language };
    return this.#service ??= await KillableService.start({
      kvPath: this.#kvPath,
      leaseMs: LEASE_MS,
      env,
    });
  }

  /** A run that is answered. Returns its duration. */
  async run(large: boolean): Promise<number> {
    const { url } = await this.#serve();
    const began = performance.now();
    assertEquals(await this.#box.run(url, large), "answered");
    return performance.now() - began;
  }

  /**
   * Kills the process in the middle of a run, starts another and inspects the state. Returns how
   * many runs the killed process added; undefined when it outlived the run.
   */
  async kill(moment: KillMoment, large: boolean): Promise<number | undefined> {
    const service = await this.#serve();
    const before = await this.#box.verify(service.url);
    const marks = await marksOfTree(service.pid);
    await service.arm(moment);
    const outcome = await this.#box.run(service.url, large);
    if (outcome === "answered" && moment.at === "operation") {
      await service.kill(true);
      this.#service = undefined;
      return undefined;
    }
    assertEquals(outcome, "unknown");
    assertEquals(await service.ended(), "SIGKILL");
    this.#service = undefined;
    const next = await this.#serve();
    const added = await this.#box.verify(next.url) - before;
    assertLess(await this.run(false), LEASE_MS + SLACK_MS, "locked for too long");
    assertEquals(await this.#box.verify(next.url), before + added + 1);
    assertEquals(await survivors(marks, LONGEST_GUEST_MS), [], "an isolate outlived its service");
    return added;
  }

  /** Runs the janitor: nothing unreachable may remain, and nothing may be missing. */
  async assertSwept(): Promise<void> {
    const kv = await openStore(this.#kvPath);
    try {
      await sweep(kv, LEASE_MS);
      assertEquals(await wrongKeys(kv), []);
    } finally {
      kv.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service?.[Symbol.asyncDispose]();
  }
}

async function withContext(
  language: GuestLanguage,
  test: (context: KilledContext) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await using context = new KilledContext(language, `${folder}/data.sqlite3`);
    await context.run(false);
    await test(context);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function killAtSteps(context: KilledContext, large: boolean): Promise<void> {
  const isWhole = IS_FULL || (context.language === "javascript" && !large);
  for (const step of isWhole ? RUN_STEPS : DECISIVE) {
    const tree = step.length % 2 === 0;
    const added = await context.kill({ at: "step", step, tree }, large);
    assertEquals(added, COMMITTED.includes(step) ? 1 : 0, `${context.language}, ${step}`);
  }
  await context.assertSwept();
}

/** All moments until a run outlives them, or a few of them. */
function* operations(): Generator<KillMoment> {
  const when = IS_FULL ? ["before", "after"] as const : ["after"] as const;
  for (let count = 1;; count += IS_FULL ? 1 : 4) {
    for (const side of when) yield { at: "operation", count, when: side, tree: count % 2 === 0 };
  }
}

async function killAtOperations(context: KilledContext): Promise<void> {
  await context.run(true);
  let kills = 0;
  let committed = 0; // near the commit, whose first operation differs between runs
  for (const moment of operations()) {
    const added = await context.kill(moment, true);
    if (added === undefined) break;
    assert(added === 0 || added === 1, String(added));
    committed += added;
    kills++;
  }
  assert(kills >= (IS_FULL ? 16 : 3), String(kills));
  if (IS_FULL) assert(committed > 0 && committed < kills, `${committed} of ${kills}`);
  await context.assertSwept();
}

/** In parallel: most of the time is spent waiting for leases of dead processes. */
async function withContexts(
  languages: readonly GuestLanguage[],
  test: (context: KilledContext) => Promise<void>,
): Promise<void> {
  const ends = await Promise.allSettled(languages.map((language) => withContext(language, test)));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

const options = { ignore: Deno.build.os !== "linux" };

Deno.test(
  "kill: at every step of a small and of a large run, in every language",
  options,
  () =>
    withContexts(GUEST_LANGUAGES, async (context) => {
      if (IS_FULL || context.language === "javascript") await killAtSteps(context, false);
      await context.run(true);
      await killAtSteps(context, true);
    }),
);

Deno.test(
  "kill: at operations of the store of a large run",
  options,
  () => withContexts(IS_FULL ? GUEST_LANGUAGES : ["javascript"], killAtOperations),
);
