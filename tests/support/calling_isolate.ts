/**
 * Attempts of runs with calls in one isolate, for tests: a script answers the waits, and everything
 * that the isolate reports is collected.
 */
import type { Language } from "../../client/protocol/types.ts";
import { FUEL, MEMORY_BYTES, SHARED_LIMITS } from "../../shared/limits.ts";
import type {
  Delivery,
  ProgramCall,
  ProgramWait,
  RunCalls,
  ToolHead,
} from "../../shared/run_calls.ts";
import type { RunRequest } from "../../runtimes/engine/engine.ts";
import { BlockedIsolates } from "../../runtimes/pool/blocked_isolates.ts";
import type { ContextRun, IsolateRun } from "../../runtimes/pool/isolate.ts";
import { IsolateProcess } from "../../runtimes/pool/isolate_process.ts";
import { encodeMessage } from "../../shared/message.ts";
import { systemTimers } from "../../shared/timers.ts";
import { ALL_CONTEXTS, builtIsolate } from "./built.ts";

/** When all runs begin. */
export const START_MS: number = Date.UTC(2026, 10, 27, 12);

/** Starts an isolate with the engine of a language. */
export async function startIsolate(
  language: Language,
  onFault: (fault: string) => void = () => undefined,
): Promise<IsolateProcess> {
  const { program, artifact } = await builtIsolate(language, ALL_CONTEXTS);
  const { build, module, image, extras, preloads } = artifact;
  const head = { language, build, ...(preloads === undefined ? {} : { preloads }) };
  return await IsolateProcess.start({
    program,
    openEngine: () => Promise.resolve(encodeMessage(head, [module, image, ...extras])),
    limits: { ...SHARED_LIMITS, memoryBytes: MEMORY_BYTES[language] },
    onFault,
  });
}

/** The delivery that ends a wait; undefined takes the isolate back. */
export type Script = (
  wait: ProgramWait,
  calls: ReadonlyMap<number, ProgramCall>,
) => Delivery | undefined | Promise<Delivery | undefined>;

/** A program and the answers of its caller. */
export interface CallingProgram {
  readonly language: Language;
  readonly code: string;
  readonly script: Script;
  /** @default {`echo`, `add` and `crm.find`} */
  readonly tools?: readonly ToolHead[] | undefined;
  readonly interactive?: boolean;
  readonly recorded?: readonly Delivery[];
  readonly context?: ContextRun;
  readonly stdin?: string;
  readonly wallMs?: number;
  readonly fuel?: number;
  readonly clock?: number;
  readonly signal?: AbortSignal;
  /** Called after each call and each wait. */
  readonly happened?: () => void;
}

/** One event of an attempt. */
export type CallEvent =
  | { readonly kind: "call"; readonly call: ProgramCall }
  | { readonly kind: "wait"; readonly wait: ProgramWait; readonly isRecorded: boolean };

/** The outcome of an attempt. */
export interface Attempt {
  readonly events: readonly CallEvent[];
  /** Deliveries, those of earlier attempts first. */
  readonly deliveries: readonly Delivery[];
  readonly end: "released" | "diverged" | undefined;
  readonly run: IsolateRun;
  readonly stdout: string;
  readonly stderr: string;
  /** The value as text, or the error or limit that ended the run. */
  readonly result: string;
}

const TOOLS: readonly ToolHead[] = ["echo", "add", "crm.find"].map((name) => ({ name }));

/** Runs one attempt. */
export async function attempt(
  isolate: IsolateProcess,
  program: CallingProgram,
): Promise<Attempt> {
  const { recorded = [], signal, script } = program;
  const events: CallEvent[] = [];
  const deliveries = [...recorded];
  const made = new Map<number, ProgramCall>();
  const calls: RunCalls = {
    tools: "tools" in program ? program.tools : TOOLS,
    interactive: program.interactive ?? false,
    seed: new Uint8Array(32).fill(7),
    startMs: START_MS,
    recorded,
    called: (call) => {
      events.push({ kind: "call", call });
      made.set(call.number, call);
      program.happened?.();
    },
    wait: async (wait, isRecorded, gone) => {
      events.push({ kind: "wait", wait, isRecorded });
      program.happened?.();
      const delivery = isRecorded ? undefined : await script(wait, made);
      if (delivery !== undefined && !gone.aborted) deliveries.push(delivery);
      return delivery;
    },
  };
  const blocked = new BlockedIsolates<IsolateProcess>({
    timers: systemTimers,
    monotonic: () => performance.now(),
    wanted: () => 0,
    blocked: () => undefined,
    resumed: () => undefined,
  });
  const guard = { pause: () => undefined, resume: () => undefined };
  const monitor = blocked.monitor(isolate, { calls, guard, signal, tenant: "a" });
  const run = await isolate.run(requestOf(program), program.context, { monitor });
  const end = blocked.ended(isolate, monitor, run);
  blocked.close();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const { stdout, stderr } = run.output;
  return {
    events,
    deliveries,
    end,
    run,
    stdout: text(stdout),
    stderr: text(stderr),
    result: resultOf(run),
  };
}

function requestOf(program: CallingProgram): RunRequest {
  const { code, language, stdin, clock, wallMs = 60_000, fuel = FUEL[language] } = program;
  const { outputBytes, outputLines, resultBytes, tracebackBytes, displayBytes } = SHARED_LIMITS;
  return {
    code,
    env: new Map(),
    typescript: false,
    ...(stdin === undefined ? {} : { stdin: new TextEncoder().encode(stdin) }),
    ...(clock === undefined ? {} : { clock }),
    limits: { fuel, outputBytes, outputLines, resultBytes, tracebackBytes, displayBytes, wallMs },
  };
}

function resultOf({ answer }: IsolateRun): string {
  const ending = answer?.head.ending;
  if (answer === undefined || ending === undefined) return "no answer";
  if (ending.kind === "error") return `${ending.name}: ${ending.message}`;
  return ending.kind === "limit" ? `limit ${ending.limit}` : answer.value;
}

/** Answers the call that waits first, a little later each time, with its own arguments. */
export function echo(): Script {
  let waits = 0;
  return ({ calls: [first], maxMs }, made) => {
    const atMs = START_MS + 10 * ++waits;
    if (first === undefined) return { atMs: atMs + (maxMs ?? 0), elapsed: true };
    return { atMs, call: first, value: made.get(first)?.arguments ?? "null" };
  };
}
