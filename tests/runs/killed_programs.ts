/**
 * Programs that call, run through a service whose isolates and whose process are killed by SIGKILL at
 * random moments. The caller performs each key once and answers the first pending call, so a run that
 * was killed must be the run that nobody killed.
 *
 * @module
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import type { BundledLanguage as Language } from "../../shared/languages.ts";
import { type CallingCode, callingPrograms, TOOL_NAMES } from "../runtimes/calls/programs.ts";
import { count } from "../support/counts.ts";
import { KillableService } from "../support/kill_service.ts";
import { processTree } from "../support/process.ts";
import { printedSeed, seeded } from "../support/random.ts";
import { SERVICE_LIMITS } from "../support/run_limits.ts";
import { pause } from "../support/wait.ts";
import type { Answered } from "./gateway_fixture.ts";

/** Kills of one language. */
const KILLS = Number(Deno.env.get("ROUNDS") ?? count(15, 250));
const LEASE_MS = 1_000;
const LONGEST_DELAY_MS = 60;
/** Probability of a kill for each exchange with the service. */
const KILL_AT = 0.04;
const RESTART_MS = 100;
/** Programs whose calls race with time. */
const TIMED = /timeout|alarm|sleep|wait_for|race/i;
const TOOLS = TOOL_NAMES.map((name) => ({ name }));
const FIELDS = { tools: TOOLS, seed: 7, clock: Date.UTC(2026, 10, 28) };

type Answer = { readonly value: unknown } | { readonly deny: string } | {
  readonly error: { readonly message: string; readonly data: unknown };
};

/** Performs a call: the same for the same name and arguments. */
function perform(name: string, given: unknown): Answer {
  const args = Object(given);
  switch (name) {
    case "add":
      return { value: Number(args.a) + Number(args.b) };
    case "compare":
      return { value: Math.sign(args.a - args.b) };
    case "even":
      return { value: args.n % 2 === 0 };
    case "lookup":
      return { value: `value of ${args.name}` };
    case "log":
      return { value: `${args.n}/${String(args.text).length}` };
    case "slow":
    case "echo":
      return { value: given };
    case "deny":
      return { deny: "no" };
    case "begin":
    case "end":
      return { value: null };
    default:
      return { error: { message: `no ${name}`, data: { name } } };
  }
}

/** What a run did, for its caller. */
interface Ran {
  readonly calls: readonly string[];
  readonly result: Answered;
}

/** One service after the other, over one store. */
class Killed implements AsyncDisposable {
  readonly #folder: string;
  readonly #language: Language;
  readonly #random: () => number;
  #service: KillableService;
  kills = 0;

  private constructor(
    folder: string,
    language: Language,
    random: () => number,
    service: KillableService,
  ) {
    this.#folder = folder;
    this.#language = language;
    this.#random = random;
    this.#service = service;
  }

  static async start(language: Language, random: () => number): Promise<Killed> {
    const folder = await Deno.makeTempDir();
    return new Killed(folder, language, random, await startOver(folder, language));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service.kill(true);
    await Deno.remove(this.#folder, { recursive: true });
  }

  /** The body of a 200; undefined without one, or while the run is taken over. */
  async #post(
    path: string,
    body: unknown,
    passing: readonly number[] = [503],
  ): Promise<Answered | undefined> {
    try {
      const answer = await fetch(`${this.#service.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const value = await answer.json();
      if (passing.includes(answer.status)) return undefined;
      assertEquals([answer.status, value], [200, value]);
      return value;
    } catch (thrown) {
      if (thrown instanceof TypeError) return undefined;
      throw thrown;
    }
  }

  async #state(run: string): Promise<Answered> {
    for (;;) {
      const state = await this.#post(`/runs/${run}/answers`, { answers: [] });
      if (state !== undefined) return state;
      await pause(RESTART_MS);
    }
  }

  /** Kills isolates, the service, or both, while `work` goes on. */
  async #kill(work: Promise<unknown>): Promise<void> {
    const { pid } = this.#service;
    await pause(this.#random() * LONGEST_DELAY_MS);
    this.kills++;
    if (this.#random() < 0.6) {
      const [, ...isolates] = await processTree(pid);
      for (const isolate of isolates) killQuietly(isolate);
      await work;
      return;
    }
    await this.#service.kill(this.#random() < 0.5);
    await work;
    this.#service = await startOver(this.#folder, this.#language);
  }

  /** Runs a program in a sandbox of its own; `kills`: how many there may still be. */
  async run({ code, language }: CallingCode, sandbox: string, kills: number): Promise<Ran> {
    const path = `/languages/${language}/sandboxes/${sandbox}/execute`;
    let first: Answered | undefined;
    // the isolate that was killed last may be the first to be taken
    while (first === undefined) first = await this.#post(path, { code, ...FIELDS }, [502, 503]);
    const calls: string[] = [];
    const asked = new Map<string, string>();
    const performed = new Map<string, Answer>();
    let state = first;
    const run = first.waiting?.run ?? "";
    while (state.waiting !== undefined) {
      for (const { key, name, arguments: given } of state.waiting.calls) {
        const text = `${name} ${JSON.stringify(given)}`;
        if (!asked.has(key)) calls.push(text);
        assertEquals(asked.get(key) ?? text, text, "a call is another one after a kill");
        asked.set(key, text);
      }
      const [call] = state.waiting.calls;
      if (call !== undefined && !performed.has(call.key)) {
        performed.set(call.key, perform(call.name, call.arguments));
      }
      const answers = call === undefined ? [] : [{ key: call.key, ...performed.get(call.key) }];
      if (call === undefined) await pause(sleepOf(state.waiting));
      const answering = this.#post(`/runs/${run}/answers`, { answers });
      const isKilled = kills > this.kills && this.#random() < KILL_AT;
      if (isKilled) await this.#kill(answering);
      state = await answering ?? await this.#state(run);
    }
    return { calls, result: state };
  }
}

/** How long a program sleeps that nobody need answer. */
function sleepOf({ until = 0 }: { readonly until?: number }): number {
  return Math.max(20, Math.min(2_000, until - Date.now()));
}

async function startOver(folder: string, language: Language): Promise<KillableService> {
  return await KillableService.start({
    kvPath: `${folder}/kv`,
    leaseMs: LEASE_MS,
    env: { ...SERVICE_LIMITS, LANGUAGES: language },
  });
}

/** The parts of a result that must be the same. */
function partsOf({ calls, result }: Ran) {
  const { error, logs, results, usage, context } = Object(result);
  const { fuelConsumed } = Object(usage);
  const { executions, snapshotBytes, rolledBack } = Object(context);
  return { calls, error, logs, results, fuelConsumed, executions, snapshotBytes, rolledBack };
}

/** Registers the test of one language. */
export function testKilledPrograms(language: Language): void {
  Deno.test(`killed: programs in ${language} are the same after kills of isolates and of the service`, async () => {
    const random = seeded(printedSeed(`kills of ${language}`));
    const programs = callingPrograms(language);
    await using killed = await Killed.start(language, random);
    let compared = 0;
    for (let round = 0; killed.kills < KILLS; round++) {
      const program = programs[Math.floor(random() * programs.length)];
      assert(program !== undefined);
      const kills = killed.kills;
      const cut = await killed.run(program, `cut-${round}`, KILLS);
      assertEquals(Object(cut.result)["error"]?.name === "RunDivergedError", false, program.name);
      if (killed.kills === kills) continue;
      // a kill takes time, and a program that shows times differs each time
      if (TIMED.test(program.code)) continue;
      const one = partsOf(await killed.run(program, `one-${round}`, 0));
      const two = partsOf(await killed.run(program, `two-${round}`, 0));
      if (JSON.stringify(one) !== JSON.stringify(two)) continue;
      assertEquals(partsOf(cut), one, `${program.name}, ${killed.kills - kills} kills`);
      compared++;
    }
    assertGreater(compared, 0);
    const counts = `${language}: ${killed.kills} kills, ${compared} programs compared\n`;
    Deno.stdout.writeSync(new TextEncoder().encode(counts));
  });
}

function killQuietly(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
  }
}
