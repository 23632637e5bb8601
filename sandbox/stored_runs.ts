/**
 * Stored runs that no process goes on with: how they are loaded, and the task that goes on with those
 * that are due and removes those that are over.
 *
 * @module
 */
import type { RunSummary } from "../client/protocol/calls.ts";
import type { ProgramRun } from "../runs/program_run.ts";
import type { RunLoader } from "../runs/run_table.ts";
import type { StoredHistory } from "../runs/run_terms.ts";
import { markDead, wipeDead } from "../store/dead.ts";
import { readBlob } from "../store/blobs.ts";
import { tenantCounterKey } from "../store/keys.ts";
import {
  runBlobKey,
  runBlobsPrefix,
  runDueKey,
  runDueSelector,
  runPartsPrefix,
  runPinKey,
  runRecordKey,
  runRecordsSelector,
} from "../store/run_keys.ts";
import { Transaction } from "../store/transaction.ts";
import type { Maintenance } from "../shared/binding.ts";
import { isoTimestamp } from "../shared/clock.ts";
import { ServiceError } from "../shared/errors.ts";
import type { OperationOptions } from "./operation_options.ts";
import { readRecord, type SandboxAddress, type SandboxRecord } from "./root_record.ts";
import { leaveHome } from "./shared_blobs.ts";
import {
  readParts,
  readStoredRun,
  type RunBeginning,
  type RunPart,
  type StoredRun,
} from "./stored_run.ts";
import { contextOrder } from "./waiting_run.ts";

/** Runs that one round of the janitor looks at. */
const PER_ROUND = 200;
/** A run that could not go on is tried again after so long, in milliseconds. */
const AGAIN_MS = 60_000;

/** Finds the stored runs of a process. */
export function runLoader(options: OperationOptions): RunLoader {
  return {
    load: async (tenant, id) => {
      const { value, versionstamp } = await options.kv.get(runRecordKey(tenant, id));
      const record = readStoredRun(value);
      if (record === undefined || versionstamp === null) return undefined;
      return await load(options, { tenant, id }, { record, versionstamp });
    },
    list: async (tenant, { after, limit, sandbox }) => {
      const runs: RunSummary[] = [];
      const selector = runRecordsSelector(tenant, after);
      for await (const { key, value } of options.kv.list(selector)) {
        const record = readStoredRun(value);
        const id = key.at(-1);
        if (record === undefined || typeof id !== "string") continue;
        if (sandbox !== undefined && record.sandbox !== sandbox) continue;
        runs.push(summaryOf(id, record));
        if (runs.length >= limit) break;
      }
      return runs;
    },
  };
}

function summaryOf(
  id: string,
  { language, contextId, createdAt, end }: StoredRun,
): RunSummary {
  const times = {
    createdAt: isoTimestamp(() => createdAt),
    startedAt: isoTimestamp(() => createdAt),
  };
  const state = end === undefined ? "waiting" : "ended";
  const ended = end === undefined ? {} : { endedAt: isoTimestamp(() => end.at) };
  return { id, state, language, contextId, ...times, ...ended };
}

interface RunName {
  readonly tenant: string;
  readonly id: string;
}

/** Undefined when the run is over without a result, because its context is gone or was replaced. */
async function load(
  options: OperationOptions,
  { tenant, id }: RunName,
  known: { readonly record: StoredRun; readonly versionstamp: string },
): Promise<ProgramRun | undefined> {
  const { kv, stored, waiting } = options;
  const { record } = known;
  const address = { tenant, id: record.sandbox };
  const [beginning] = await readParts<RunBeginning>(kv, { tenant, run: id, from: 0 });
  if (beginning === undefined) return undefined;
  const base = await baseOf(options, address, record, id);
  if (base === undefined) return undefined;
  const parts = await readParts<RunPart>(kv, { tenant, run: id, from: 1 });
  const { end } = record;
  const body = end && await readBlob(kv, runBlobKey(tenant, id), end.body);
  const history: StoredHistory = {
    id,
    seed: new Uint8Array(beginning.seed),
    createdAt: record.createdAt,
    waitMs: beginning.waitMs,
    calls: parts.flatMap((part) => "calls" in part ? part.calls : []),
    questions: parts.flatMap((part) => "calls" in part ? part.question ?? [] : []),
    entries: parts.flatMap((part) => "entries" in part ? part.entries : []),
    digests: parts.flatMap((part) => "entries" in part ? part.digests : []),
    ...(body === undefined
      ? {}
      : { end: { body: new TextDecoder().decode(body), headers: {} }, endedAt: end?.at }),
  };
  const [context] = base.contexts;
  if (context === undefined) return undefined;
  const { request } = beginning;
  const { lifetime } = record;
  const state = await stored.read(address);
  return waiting.create(contextOrder(options, address, {
    request: { ...request, envVars: new Map(request.envVars) },
    found: { lifetime, context },
    base: { ...state, record: { ...base, lifetime } },
    key: beginning.key,
    stored: { history, known },
  }));
}

/** The sandbox at the beginning of a run. */
async function baseOf(
  { kv, stored }: OperationOptions,
  address: SandboxAddress,
  { lifetime, contextId, end }: StoredRun,
  run: string,
): Promise<SandboxRecord | undefined> {
  const { record } = await stored.read(address);
  const context = record?.lifetime === lifetime
    ? record.contexts.find(({ id }) => id === contextId)
    : undefined;
  if (record === undefined || context === undefined) return undefined;
  if (end !== undefined) return { ...record, contexts: [context] };
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
    waiting.wake(run);
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

async function isMarked(
  { stored }: OperationOptions,
  { tenant, id }: RunName,
  { sandbox, lifetime, contextId }: StoredRun,
): Promise<boolean> {
  const { record } = await stored.read({ tenant, id: sandbox });
  return record?.lifetime === lifetime &&
    record.contexts.some((context) => context.id === contextId && context.waiting?.run === id);
}

/** Removes everything of a run that is over. */
async function remove(
  { kv, clock, ids, shared }: OperationOptions,
  { tenant, id }: RunName,
  { record, versionstamp }: { readonly record: StoredRun; readonly versionstamp: string },
  at: number,
): Promise<boolean> {
  const key = runRecordKey(tenant, id);
  const transaction = new Transaction(kv, { writeId: ids(), clock });
  transaction.check(key, versionstamp).delete(key);
  for (const due of new Set([at, record.dueAt])) transaction.delete(runDueKey(due, tenant, id));
  transaction.add(tenantCounterKey(tenant, "bytes"), -record.bytes);
  const prefixes = [runPartsPrefix(tenant, id), runBlobsPrefix(tenant, id)];
  markDead(transaction, { lifetime: id, prefixes }, clock);
  const pin = await kv.get<{ readonly state: unknown }>(runPinKey(record.lifetime, id));
  const state = pin.value === null ? undefined : readRecord(pin.value.state);
  if (pin.value !== null) transaction.delete(pin.key);
  if (state?.home !== undefined) leaveHome(transaction, state);
  if (!await transaction.commit()) return false;
  await wipeDead(kv, id);
  if (state?.home !== undefined) await shared.left(state.home, state.workspace.bytes);
  return true;
}
