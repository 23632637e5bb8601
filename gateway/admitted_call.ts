/**
 * One call for a caller: its body, its place, and what happens when the caller disconnects or the
 * service stops.
 *
 * @module
 */
import type { Release } from "../sandbox/operation_options.ts";
import { RunTable } from "../runs/run_table.ts";
import type { Clock } from "../shared/clock.ts";
import { WaitBudget } from "../shared/wait_budget.ts";
import { ServiceError, serviceStopping } from "../shared/errors.ts";
import { WAIT_MS } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import type { OperatorTools } from "../shared/operator_tools.ts";
import { type BodyOwner, readJsonBytes } from "../shared/read_body.ts";
import { clientGone } from "../shared/responses.ts";
import type { StreamTimes } from "../shared/streamed_run.ts";
import type { Tenants } from "../shared/tenants.ts";
import type { Admission, KillMeter } from "./admission.ts";
import type { BodyBudget } from "./body_budget.ts";

/** What admits a run. */
export interface RunPlaces {
  /** Places for runs. */
  readonly admission: Admission;
  readonly kills: KillMeter;
  readonly bodies: BodyBudget;
}

/** The parts that all calls share. */
export interface CallOptions extends RunPlaces {
  /** Places for calls that run no code. */
  readonly calls: Admission;
  /** Places for messages of `/mcp` and `/e2b`. */
  readonly messages: Admission;
  /** Limits of single tenants. */
  readonly tenants: Tenants;
  /** The runs whose programs can wait. */
  readonly runs: RunTable;
  /** Fires when the requests in flight must be aborted; {@link CLOSING} comes before. */
  readonly stopping: AbortSignal;
  /** Time for a body to arrive, in milliseconds. The service's default when absent. */
  readonly bodyDeadlineMs?: number;
  /** Times of streams. The service's defaults when absent. */
  readonly streams?: StreamTimes;
  readonly clock: Clock;
  readonly log: Log;
}

/** The caller and its request. */
export interface Call {
  readonly tenant: string;
  readonly request: Request;
  /** Fires when the caller disconnects. */
  readonly caller: AbortSignal;
  /** Maximum length of the body in bytes. */
  readonly maxBytes: number;
}

/**
 * Does the work of a call. The body is complete. The signal fires when the caller disconnects or
 * the service stops, and never after the answer.
 */
export type Work = (body: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<Response>;

/** The work of a run, which has its place. `transferPlace`: the work gives it back itself. */
export type AdmittedWork = (
  body: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
  wait: WaitBudget,
  transferPlace: () => Release,
) => Promise<Response>;

/**
 * Event on the signal of a stopping service: it takes no more requests. From now on Deno (2.9)
 * cancels incomplete bodies while they are being read.
 */
export const CLOSING = "closing";

/** Records whether {@link CLOSING} has come, until it is disposed of. */
function closingOf(stopping: AbortSignal): { readonly begun: boolean } & Disposable {
  let begun = stopping.aborted;
  const onClosing = () => {
    begun = true;
  };
  stopping.addEventListener(CLOSING, onClosing);
  return {
    get begun() {
      return begun;
    },
    [Symbol.dispose]: () => stopping.removeEventListener(CLOSING, onClosing),
  };
}

/**
 * Reads the body within the tenant's share of memory, then does the work.
 *
 * @throws {ServiceError} `VALIDATION_FAILED`, `RATE_LIMITED`, `OVERLOADED`, and what the work throws.
 */
export async function callWithBody(call: Call, deps: CallOptions, work: Work): Promise<Response> {
  using account = deps.bodies.open(call.tenant);
  using either = anySignal(call.caller, deps.stopping);
  try {
    const body = await readWhole(call, deps, { meter: account, signal: either.signal });
    const answer = await work(body, either.signal);
    if (deps.stopping.aborted && !answer.ok) throw serviceStopping();
    return answer;
  } catch (thrown) {
    if (deps.stopping.aborted) throw serviceStopping();
    if (!either.signal.aborted || thrown instanceof ServiceError) throw thrown;
    return clientGone();
  }
}

async function readWhole(
  { request, maxBytes }: Call,
  { stopping, bodyDeadlineMs }: CallOptions,
  owner: BodyOwner,
): Promise<Uint8Array<ArrayBuffer>> {
  using closing = closingOf(stopping);
  const deadline = bodyDeadlineMs === undefined ? {} : { deadlineMs: bodyDeadlineMs };
  try {
    return await readJsonBytes(request, { maxBytes, ...deadline, ...owner });
  } catch (thrown) {
    throw closing.begun ? serviceStopping() : thrown;
  }
}

/**
 * The same for a run, which also needs the tenant's kill budget and a place. The place is taken
 * once the body is read, so that a slow sender does not delay others.
 *
 * @throws {ServiceError} `VALIDATION_FAILED`, `RATE_LIMITED`, `OVERLOADED`, and what the work throws.
 */
export async function callAdmitted(
  call: Call,
  deps: CallOptions,
  work: AdmittedWork,
): Promise<Response> {
  const { tenant } = call;
  deps.kills.check(tenant);
  deps.admission.check(tenant);
  return await callWithBody(call, deps, async (body, signal) => {
    const wait = new WaitBudget(deps.admission.maxWaitMs, deps.clock);
    const release = await takePlace({ tenant, signal, maxWaitMs: wait.left() }, deps);
    let isTransferred = false;
    const transferPlace = () => {
      isTransferred = true;
      return release;
    };
    try {
      return await work(body, signal, wait, transferPlace);
    } finally {
      if (!isTransferred) release();
    }
  });
}

/** The tenant that takes a place, and how long it may wait. */
export interface PlaceRequest {
  readonly tenant: string;
  readonly signal: AbortSignal;
  readonly maxWaitMs: number;
}

/**
 * Takes one of the tenant's places for runs. Checks kills and bytes again after the wait, so that a
 * full queue cannot overdraw them.
 *
 * @throws {ServiceError} `RATE_LIMITED`, `OVERLOADED`; the signal's reason when it fires first.
 */
export async function takePlace(
  { tenant, signal, maxWaitMs }: PlaceRequest,
  { admission, kills, bodies }: RunPlaces,
): Promise<Release> {
  const release = await admission.enter(tenant, signal, maxWaitMs);
  try {
    kills.check(tenant);
    bodies.check(tenant);
    return release;
  } catch (thrown) {
    release();
    throw thrown;
  }
}

/** The runs whose programs can wait, of a gateway without sandboxes. */
export function runTable(
  deps: RunPlaces & { readonly tools?: OperatorTools },
  clock: Clock,
): RunTable {
  const { admission: { maxWaitMs }, tools } = deps;
  const enter = (tenant: string, signal: AbortSignal) =>
    takePlace({ tenant, signal, maxWaitMs }, deps);
  return new RunTable({ clock, waitMs: WAIT_MS, enter, tools, onFault: () => undefined });
}

/** A signal that fires with the first of several signals, until it is disposed of. */
export function anySignal(
  ...sources: readonly AbortSignal[]
): { readonly signal: AbortSignal } & Disposable {
  const call = new AbortController();
  const abort = () => call.abort();
  for (const source of sources) source.addEventListener("abort", abort, { once: true });
  if (sources.some((source) => source.aborted)) abort();
  return {
    signal: call.signal,
    [Symbol.dispose]: () => {
      for (const source of sources) source.removeEventListener("abort", abort);
    },
  };
}
