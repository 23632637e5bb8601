/**
 * Stored runs that no process goes on with: how they are loaded, and the task that goes on with those
 * that are due and removes those that are over.
 *
 * @module
 */
import type { RunSummary } from "../client/protocol/calls.ts";
import type { ExecuteRequest } from "../client/protocol/types.ts";
import type { ProgramRun } from "../runs/program_run.ts";
import { putNotice } from "../runs/run_notices.ts";
import { removeRun } from "../runs/run_removal.ts";
import type { RunLoader } from "../runs/run_loader.ts";
import { RunCancelled, type StoredHistory } from "../runs/run_terms.ts";
import { statelessOrder } from "../runs/stateless_run.ts";
import { eventsIn } from "../runs/stored_events.ts";
import {
  contextOf,
  historyParts,
  type KnownRun,
  readParts,
  readStoredRun,
  type RunBeginning,
  type RunContext,
  type RunPart,
  type StoredRun,
} from "../runs/stored_run.ts";
import { type BlobRef, readBlob } from "../store/blobs.ts";
import { wipeDead } from "../store/dead.ts";
import type { KvStore } from "../store/kv.ts";
import {
  runBlobKey,
  runDueKey,
  runDueSelector,
  runPinKey,
  runRecordKey,
  runRecordsSelector,
} from "../store/run_keys.ts";
import { Transaction } from "../store/transaction.ts";
import type { Maintenance } from "../shared/binding.ts";
import { isoTimestamp } from "../shared/clock.ts";
import { ServiceError } from "../shared/errors.ts";
import type { WithRunTools } from "../shared/operator_tools.ts";
import { firstInQueue } from "./context_queue.ts";
import type { OperationOptions } from "./operation_options.ts";
import { type ContextRecord, readRecord, type SandboxRecord } from "./root_record.ts";
import { runArguments } from "./runtime_run.ts";
import { leaveHome } from "./shared_blobs.ts";
import { contextOrder } from "./waiting_run.ts";

/** Runs that one round of the janitor looks at. */
const PER_ROUND = 200;
/** A run that could not go on is tried again after so long, in milliseconds. */
const AGAIN_MS = 60_000;

/** Finds the stored runs of a process. */
export function runLoader(options: OperationOptions): RunLoader {
  return {
    load: async (tenant, id) => {
      let before: string | undefined;
      for (;;) {
        const { value, versionstamp } = await options.kv.get(runRecordKey(tenant, id));
        const record = readStoredRun(value);
        if (record === undefined || versionstamp === null) return undefined;
        const run = await load(options, { tenant, id }, { record, versionstamp });
        // one that ended meanwhile is read again
        if (run !== undefined || versionstamp === before) return run;
        before = versionstamp;
      }
    },
    list: async (tenant, { after, limit, sandbox, state }) => {
      const runs: RunSummary[] = [];
      const selector = runRecordsSelector(tenant, after);
      for await (const { key, value } of options.kv.list(selector)) {
        const record = readStoredRun(value);
        const id = key.at(-1);
        if (record === undefined || record.isKept === true || typeof id !== "string") continue;
        if (sandbox !== undefined && record.sandbox !== sandbox) continue;
        const summary = summaryOf(id, record);
        if (state === undefined || summary.state === state) runs.push(summary);
        if (runs.length >= limit) break;
      }
      return runs;
    },
  };
}

function summaryOf(
  id: string,
  { language, contextId, createdAt, startsAt = createdAt, isQueued = false, end }: StoredRun,
): RunSummary {
  const times = {
    createdAt: isoTimestamp(() => createdAt),
    ...(isQueued ? {} : { startedAt: isoTimestamp(() => startsAt) }),
  };
  const state = end !== undefined ? end.state ?? "ended" : isQueued ? "queued" : "waiting";
  const ended = end === undefined ? {} : { endedAt: isoTimestamp(() => end.at) };
  const context = contextId === undefined ? {} : { contextId };
  return { id, state, language, ...context, ...times, ...ended };
}

interface RunName {
  readonly tenant: string;
  readonly id: string;
}

/** Undefined when the run is over without a result, because its context is gone or was replaced. */
async function load(
  options: OperationOptions,
  { tenant, id }: RunName,
  known: KnownRun,
): Promise<ProgramRun | undefined> {
  const { kv, waiting } = options;
  const { record } = known;
  if (record.isKept === true) return undefined;
  const [beginning] = await readParts<RunBeginning>(kv, { tenant, run: id, from: 0 });
  if (beginning === undefined) return undefined;
  const stored = { history: await historyOf(kv, { tenant, id }, record, beginning), known };
  const context = contextOf(record);
  if (context === undefined) {
    return waiting.create(statelessOrder(
      {
        binding: options.bindings.ofLanguage(record.language),
        tenant,
        request: storedRequest(beginning),
        fuel: Infinity,
        leave: undefined,
        failure: (thrown, signal) => options.bindings.failure(thrown, signal),
      },
      waiting.store,
      stored,
    ));
  }
  const base = await baseOf(options, { ...context, tenant }, record, id);
  const [own] = base?.contexts ?? [];
  if (base === undefined || own === undefined) return undefined;
  const address = { tenant, id: context.sandbox };
  const { request, key } = beginning;
  const { lifetime } = context;
  const state = await options.stored.read(address);
  return waiting.create(contextOrder(options, address, {
    request: { ...request, envVars: new Map(request.envVars) },
    found: { lifetime, context: own },
    base: { ...state, record: { ...base, lifetime } },
    key,
    stored,
  }));
}

/** The request of a run without a context. */
function storedRequest(
  { request, typescript = false }: RunBeginning,
): WithRunTools<ExecuteRequest> {
  const { code, envVars, calls } = request;
  const values = envVars.flatMap(([name, value]) => value === null ? [] : [[name, value] as const]);
  return {
    code,
    envVars: new Map(values),
    typescript,
    ...runArguments(request),
    ...(calls === undefined ? {} : { calls }),
  };
}

async function historyOf(
  kv: KvStore,
  { tenant, id }: RunName,
  { createdAt, startsAt, isQueued = false, end }: StoredRun,
  { seed, waitMs }: RunBeginning,
): Promise<StoredHistory> {
  const parts = await readParts<RunPart>(kv, { tenant, run: id, from: 1 });
  const textOf = async (blob: BlobRef | undefined) =>
    blob && new TextDecoder().decode(await readBlob(kv, runBlobKey(tenant, id), blob));
  const body = await textOf(end?.body);
  const events = await textOf(end?.events);
  return {
    id,
    seed: new Uint8Array(seed),
    createdAt,
    startsAt,
    waitMs,
    isQueued,
    ...historyParts(parts),
    ...(body === undefined ? {} : { end: { body, headers: {} } }),
    ...(end?.state === undefined ? {} : { end: { error: new RunCancelled("it was cancelled") } }),
    endedAt: end?.at,
    ...(events === undefined ? {} : { events: eventsIn(events) }),
  };
}

/** The sandbox at the beginning of a run. */
async function baseOf(
  { kv, stored }: OperationOptions,
  { tenant, sandbox, lifetime, contextId }: RunContext & { readonly tenant: string },
  { end, queue }: StoredRun,
  run: string,
): Promise<SandboxRecord | undefined> {
  const { record } = await stored.read({ tenant, id: sandbox });
  const context = record?.lifetime === lifetime
    ? record.contexts.find(({ id }) => id === contextId)
    : undefined;
  if (record === undefined || context === undefined) return undefined;
  if (queue !== undefined && context.queue?.id !== queue.id) return undefined;
  if (end !== undefined || queue !== undefined) return { ...record, contexts: [context] };
  if (context.waiting?.run !== run) return undefined;
  const { value } = await kv.get<{ readonly state: unknown }>(runPinKey(lifetime, run));
  return value === null ? undefined : readRecord(value.state);
}

/** Goes on with runs that are due, and removes those that are over. */
export function waitingRunTask(options: OperationOptions): Maintenance {
  return {
    name: "waiting runs",
    run: async (signal) => {
      const { kv, clock } = options;
      let done = 0;
      const due: Deno.KvKey[] = [];
      for await (const { key } of kv.list(runDueSelector(clock()), { limit: PER_ROUND })) {
        due.push(key);
      }
      for (const key of due) {
        if (signal.aborted) break;
        const [, at, tenant, id] = key;
        if (typeof at !== "number" || typeof tenant !== "string" || typeof id !== "string") {
          continue;
        }
        if (await look(options, { tenant, id }, at)) done++;
      }
      return done;
    },
  };
}

/** Looks at a run that is due. True when something was done. */
async function look(options: OperationOptions, name: RunName, at: number): Promise<boolean> {
  const { kv, clock, waiting } = options;
  const { tenant, id } = name;
  const entry = await kv.get(runRecordKey(tenant, id));
  const record = readStoredRun(entry.value);
  if (record === undefined || entry.versionstamp === null) {
    await kv.delete(runDueKey(at, tenant, id));
    return false;
  }
  const known = { record, versionstamp: entry.versionstamp };
  const isOver = record.end !== undefined && record.dueAt <= clock();
  if (isOver || (record.end === undefined && !await isMarked(options, name, record))) {
    return await remove(options, name, known, at);
  }
  if (record.end !== undefined || record.dueAt > clock()) {
    await kv.delete(runDueKey(at, tenant, id)); // it has another entry
    return false;
  }
  try {
    const run = await waiting.find(tenant, id);
    // others of a queue follow the first one
    if (record.queue === undefined || await isFirst(options, name, record)) waiting.wake(run);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
  }
  // another look, in case that it does not get on
  const next = { ...record, dueAt: clock() + AGAIN_MS };
  const transaction = kv.atomic().delete(runDueKey(at, tenant, id))
    .set(runDueKey(next.dueAt, tenant, id), true);
  await transaction.commit();
  return true;
}

/** Whether a run can go on: its context, if it has one, or the queue of that has it. */
async function isMarked(
  options: OperationOptions,
  { tenant, id }: RunName,
  record: StoredRun,
): Promise<boolean> {
  if (contextOf(record) === undefined) return true;
  const context = await contextRecordOf(options, tenant, record);
  const { queue } = record;
  return queue === undefined ? context?.waiting?.run === id : context?.queue?.id === queue.id;
}

/** Whether a run is the first in the queue of its context. */
async function isFirst(
  options: OperationOptions,
  { tenant, id }: RunName,
  record: StoredRun,
): Promise<boolean> {
  const context = await contextRecordOf(options, tenant, record);
  const first = await firstInQueue(options.kv, context?.queue);
  return first?.run === id;
}

async function contextRecordOf(
  { stored }: OperationOptions,
  tenant: string,
  record: StoredRun,
): Promise<ContextRecord | undefined> {
  const { sandbox = "", lifetime, contextId } = record;
  const { record: root } = await stored.read({ tenant, id: sandbox });
  return root?.lifetime === lifetime
    ? root?.contexts.find((context) => context.id === contextId)
    : undefined;
}

/** Removes everything of a run that is over. */
async function remove(
  { kv, clock, ids, shared, onNotice }: OperationOptions,
  { tenant, id }: RunName,
  known: KnownRun,
  at: number,
): Promise<boolean> {
  const transaction = new Transaction(kv, { writeId: ids(), clock });
  removeRun(transaction, { tenant, run: id }, known, clock);
  if (at !== known.record.dueAt) transaction.delete(runDueKey(at, tenant, id));
  const { record } = known;
  if (record.end === undefined) {
    const told = { tenant, run: id, n: record.parts, state: "cancelled", clock, onNotice } as const;
    putNotice(transaction, record, told);
  }
  const { lifetime } = record;
  const pin = lifetime === undefined
    ? undefined
    : await kv.get<{ readonly state: unknown }>(runPinKey(lifetime, id));
  const state = pin === undefined || pin.value === null ? undefined : readRecord(pin.value.state);
  if (pin !== undefined && pin.value !== null) transaction.delete(pin.key);
  if (state?.home !== undefined) leaveHome(transaction, state);
  if (!await transaction.commit()) return false;
  await wipeDead(kv, id);
  if (state?.home !== undefined) await shared.left(state.home, state.workspace.bytes);
  return true;
}
