/**
 * The caller's side of a program that runs in the test's own process: functions that answer its calls,
 * lines that answer its questions, and a clock.
 *
 * @module
 */
import { type BareWait, type CallPort, ProgramCalls } from "../../runtimes/engine/program_calls.ts";
import type { JsonValue } from "../../client/protocol/types.ts";
import type { CallFailure, Delivery, ProgramCall, ToolHead } from "../../shared/run_calls.ts";

/** Arguments as a tool gets them. */
export type Arguments = Readonly<Record<string, JsonValue>>;

/** A tool's work: its value, or a {@link Failure}. */
export type ToolFunction = (args: Arguments, call: ProgramCall) => JsonValue | Failure;

/** A failure of a call. */
export class Failure {
  readonly error: CallFailure;

  constructor(message: string, rest: Partial<CallFailure> = {}) {
    this.error = { kind: "tool", message, ...rest };
  }
}

/** The caller of one run. */
export interface Caller {
  readonly calls: ProgramCalls;
  /** The program's requests, in order: `1 crm.find {"q":"x"}`, `input`, `sleep 500`. */
  readonly asked: readonly string[];
  /** The deliveries. */
  readonly delivered: readonly Delivery[];
}

/** The options of {@link callerOf}. */
export interface CallerOptions {
  /** By name. A name without a function is answered as a service answers it. */
  readonly functions?: Readonly<Record<string, ToolFunction>>;
  /** Declared tools. @default {the names of the functions} */
  readonly tools?: readonly ToolHead[] | "none";
  /** Lines for standard input; after the last one it ends. Absent: the run is not interactive. */
  readonly input?: readonly string[];
  /** Milliseconds that an answer takes, by the tool's name. A wait may end before. @default {1} */
  readonly delays?: Readonly<Record<string, number>>;
  readonly recorded?: readonly Delivery[];
}

/** 2027-01-15T08:00:00Z. */
export const START_MS = 1_800_000_000_000;

/** Makes the caller of one run. */
export function callerOf(options: CallerOptions = {}): Caller {
  const { functions = {}, input, delays = {}, recorded = [] } = options;
  const tools = options.tools ?? Object.keys(functions).map((name) => ({ name }));
  const pending = new Map<number, { readonly call: ProgramCall; readonly dueMs: number }>();
  const asked: string[] = [];
  const delivered: Delivery[] = [];
  const lines = [...input ?? []];
  let nowMs = START_MS;
  let next: Delivery | undefined;
  const valueOf = ({ call }: { readonly call: ProgramCall }): Delivery => {
    const work = functions[call.name];
    const result = work === undefined
      ? new Failure(`No tool is called ${call.name}`)
      : work(JSON.parse(call.arguments), call);
    return result instanceof Failure
      ? { call: call.number, error: result.error, atMs: nowMs }
      : { call: call.number, value: JSON.stringify(result), atMs: nowMs };
  };
  const deliver = ({ calls, input: isInput, maxMs }: BareWait): Delivery => {
    if (isInput) return { input: lines.shift() ?? null, atMs: nowMs += 1 };
    const due = calls.flatMap((number) => pending.get(number) ?? [])
      .sort((a, b) => a.dueMs - b.dueMs)[0];
    if (due === undefined || (maxMs !== null && due.dueMs > nowMs + maxMs)) {
      return { elapsed: true, atMs: nowMs += maxMs ?? 0 };
    }
    nowMs = Math.max(nowMs, due.dueMs);
    pending.delete(due.call.number);
    return valueOf(due);
  };
  const port: CallPort = {
    call: (call) => {
      asked.push(`${call.number} ${call.name} ${call.arguments}`);
      pending.set(call.number, { call, dueMs: nowMs + (delays[call.name] ?? 1) });
    },
    wait: (wait) => {
      if (wait.input) asked.push("input");
      else if (wait.calls.length === 0) asked.push(`sleep ${wait.maxMs}`);
      next = recorded[delivered.length] ?? deliver(wait);
      delivered.push(next);
    },
    next: () => next,
    display: () => undefined,
  };
  const head = {
    ...(tools === "none" ? {} : { tools }),
    interactive: input !== undefined,
    startMs: START_MS,
    seed: new Uint8Array(32).fill(7),
  };
  return {
    calls: new ProgramCalls(head, port, { recorded, input: new Uint8Array() }),
    asked,
    delivered,
  };
}
