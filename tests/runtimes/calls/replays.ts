/**
 * Runs of programs that call, whose isolates are killed: each further attempt has the deliveries of the
 * earlier ones, and the whole must be the run that nobody interrupted, in its calls, waits, output,
 * result, fuel and state.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Delivery, ProgramCall, ProgramWait } from "../../../shared/run_calls.ts";
import { SHARED_LIMITS } from "../../../shared/limits.ts";
import type { IsolateProcess } from "../../../runtimes/pool/isolate_process.ts";
import {
  type Attempt,
  attempt,
  type CallEvent,
  START_MS,
  startIsolate,
} from "../../support/calling_isolate.ts";
import { seeded } from "../../support/random.ts";
import { type CallingCode, TOOL_NAMES } from "./programs.ts";

/** The most milliseconds that an answer takes. */
const MOST_DELAY_MS = 300;
const FUEL = 30e9;
/** The most milliseconds between an event and the kill that it causes. */
const MOST_LATE_MS = 4;
const TOOLS = TOOL_NAMES.map((name) => ({ name }));
const CONTEXT = {
  head: {
    cwd: "/workspace",
    removed: [],
    dirs: [],
    files: [],
    snapshotBytes: SHARED_LIMITS.snapshotBytes,
  },
  parts: [],
};

/** The delivery that ends the wait with that number: one of those that may, by chance. */
function deliveryOf(
  { seed, number, nowMs }: {
    readonly seed: number;
    readonly number: number;
    readonly nowMs: number;
  },
  { calls, maxMs }: ProgramWait,
  made: ReadonlyMap<number, ProgramCall>,
): Delivery {
  const random = seeded(seed * 7919 + number * 104_729);
  const pending = calls.flatMap((one) => made.get(one) ?? []);
  const ready = pending.filter(({ name }) => name !== "slow" || random() < 0.5);
  const call = ready[Math.floor(random() * ready.length)] ??
    (maxMs === null ? pending[0] : undefined);
  if (call === undefined) return { atMs: nowMs + (maxMs ?? 0), elapsed: true };
  const atMs = nowMs + Math.floor(random() * Math.min(MOST_DELAY_MS, maxMs ?? Infinity));
  const args = JSON.parse(call.arguments);
  const answer = (value: unknown): Delivery => ({
    atMs,
    call: call.number,
    value: JSON.stringify(value),
  });
  const fail = (kind: "tool" | "denied" | "expired"): Delivery => ({
    atMs,
    call: call.number,
    error: { kind, message: `no ${call.name} ${call.number}`, data: { call: call.number } },
  });
  switch (call.name) {
    case "add":
      return answer(Number(args.a) + Number(args.b));
    case "compare":
      return answer(Math.sign(args.a - args.b));
    case "even":
      return answer(args.n % 2 === 0);
    case "lookup":
      return answer(`value of ${args.name}`);
    case "log":
      return random() < 0.05 ? fail("tool") : answer(`${args.n}/${String(args.text).length}`);
    case "slow":
      return answer({ ...args, r: random() });
    case "echo":
      return { atMs, call: call.number, value: call.arguments };
    case "deny":
      return fail("denied");
    case "expire":
      return fail("expired");
    case "begin":
    case "end":
      return answer(null);
    default:
      return fail("tool");
  }
}

/** The parts that must be the same. */
async function summaryOf({ run, stdout, stderr, result }: Attempt) {
  const head = run.answer?.head;
  const { context } = head ?? {};
  const digests = await Promise.all((run.answer?.parts ?? []).map(digest));
  return {
    stdout,
    stderr,
    result,
    fuel: head?.fuelConsumed,
    digests,
    context: context && { ...context, captureMs: 0 },
  };
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Events without what differs between attempts. */
function bare(events: readonly CallEvent[]): readonly unknown[] {
  return events.map((event) => event.kind === "call" ? event.call : event.wait);
}

/** The result of a check. */
export interface ReplayCounts {
  readonly calls: number;
  readonly interruptions: number;
  readonly replayedEvents: number;
}

/** Isolates of one language: one is used again until it is killed. */
export class Isolates {
  readonly #language: CallingCode["language"];
  #idle: IsolateProcess | undefined;

  constructor(language: CallingCode["language"]) {
    this.#language = language;
  }

  async take(): Promise<IsolateProcess> {
    const idle = this.#idle;
    this.#idle = undefined;
    return idle ?? await startIsolate(this.#language);
  }

  /** Takes an isolate back, unless it is to be replaced. */
  async put(isolate: IsolateProcess): Promise<void> {
    if (isolate.usable && this.#idle === undefined) this.#idle = isolate;
    else await end(isolate);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#idle !== undefined) await end(this.#idle);
  }
}

async function end(isolate: IsolateProcess): Promise<void> {
  isolate.kill();
  await isolate.ended;
}

/** How an attempt is interrupted: its process is killed, or its isolate is taken back. */
export type Interruption = "kill" | "release";

/**
 * Runs a program without interruption, then with interruptions at random events. Throws when the two
 * runs differ.
 */
export async function checkReplays(
  program: CallingCode,
  isolates: Isolates,
  { seed, interruptions }: {
    readonly seed: number;
    readonly interruptions: readonly Interruption[];
  },
): Promise<ReplayCounts> {
  const first = await isolates.take();
  const whole = await runOnce(program, first, { seed, recorded: [] });
  await isolates.put(first);
  const expected = await summaryOf(whole);
  const reference = bare(whole.events);
  const random = seeded(seed + 99);
  const left = [...interruptions];
  const counts = { calls: countCalls(whole.events), interruptions: 0, replayedEvents: 0 };
  let recorded: readonly Delivery[] = [];
  while (true) {
    const isolate = await isolates.take();
    const ran = await runOnce(program, isolate, {
      seed,
      recorded,
      interruption: left.shift(),
      at: 1 + Math.floor(random() * reference.length),
      lateMs: random() < 0.5 ? random() * MOST_LATE_MS : 0,
    });
    await isolates.put(isolate);
    const { events, deliveries, end, run } = ran;
    assertEquals(bare(events), reference.slice(0, events.length), `${program.name}, seed ${seed}`);
    counts.replayedEvents += recorded.length;
    if (run.answer !== undefined && end === undefined) {
      assertEquals(await summaryOf(ran), expected, `${program.name}, seed ${seed}`);
      assertEquals(events.length, reference.length);
      return counts;
    }
    assertEquals(end === "diverged", false, `${program.name}, seed ${seed}`);
    counts.interruptions++;
    recorded = deliveries;
  }
}

function countCalls(events: readonly CallEvent[]): number {
  return events.filter(({ kind }) => kind === "call").length;
}

interface OneRun {
  readonly seed: number;
  readonly recorded: readonly Delivery[];
  readonly interruption?: Interruption | undefined;
  /** The event at which it comes, and for a kill so many milliseconds later. */
  readonly at?: number;
  readonly lateMs?: number;
}

async function runOnce(
  { language, code }: CallingCode,
  isolate: IsolateProcess,
  { seed, recorded, interruption, at, lateMs = 0 }: OneRun,
): Promise<Attempt> {
  let nowMs = recorded.at(-1)?.atMs ?? START_MS;
  let waits = recorded.length;
  let events = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ran = await attempt(isolate, {
    language,
    code,
    tools: TOOLS,
    recorded,
    context: CONTEXT,
    fuel: FUEL,
    happened: () => {
      if (++events !== at || interruption !== "kill") return;
      if (lateMs === 0) isolate.kill();
      else timer = setTimeout(() => isolate.kill(), lateMs);
    },
    script: (wait, made) => {
      if (interruption === "release" && events >= (at ?? 0)) return undefined;
      const delivery = deliveryOf({ seed, number: waits++, nowMs }, wait, made);
      nowMs = delivery.atMs;
      return delivery;
    },
  });
  clearTimeout(timer);
  return ran;
}
