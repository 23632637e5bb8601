/**
 * The end of a sandbox, on request or by expiry. One commit ends it: it removes the root record and
 * records what must be wiped. The wipe follows. If a crash interrupts it, the janitor completes it.
 *
 * @module
 */
import { wipeDead } from "../store/dead.ts";
import { listDue } from "../store/expiry.ts";
import { rootRecordKey, sandboxLeaseKeys } from "../store/keys.ts";
import { type Lease, LeaseGone, LeaseTimeout } from "../store/lease.ts";
import type { Maintenance } from "../shared/binding.ts";
import { conflict } from "../shared/errors.ts";
import { SANDBOX_LIMITS } from "../shared/limits.ts";
import { describeCause } from "../shared/log.ts";
import { checkpointsOf } from "./checkpoints.ts";
import { wipesOf } from "./contexts.ts";
import { Draft } from "./draft.ts";
import type { SandboxAddress, SandboxRecord, SandboxState } from "./root_record.ts";
import type { RuntimeWipe } from "./runtime_wipes.ts";
import type { OperationOptions } from "./operation_options.ts";
import { partsOfUpload, uploadsOf } from "./upload_record.ts";

/** Dependencies of the deletion of a sandbox. */
export type DeletionOptions = Pick<
  OperationOptions,
  "kv" | "leases" | "runs" | "wipes" | "shared" | "clock" | "ids" | "log" | "quotas"
>;

/** Maximum number of sandboxes that one round of the janitor ends. */
const PER_ROUND = 500;

/**
 * Deletes a sandbox, its runs and everything stored for it. A sandbox that does not exist is not an
 * error.
 */
export async function deleteSandbox(
  options: OperationOptions,
  address: SandboxAddress,
): Promise<void> {
  const ended = await options.changes.change(address, async ({ record }, draft) => {
    return record === undefined ? undefined : await draftEnd(options, address, record, draft);
  });
  if (ended === undefined) return;
  const { lifetime, contexts } = ended.record;
  for (const { id } of contexts) {
    options.runs.abort(lifetime, id, conflict("The sandbox was deleted during the run", id));
  }
  await wipe(options, ended);
}

/**
 * Ends an expired sandbox, unless one of its contexts is running. When another change comes first,
 * nothing is done. A run that has just started to wait finds a new sandbox.
 */
export async function expireSandbox(options: DeletionOptions, state: SandboxState): Promise<void> {
  const { address, record } = state;
  if (record === undefined) return;
  const leases = await allLeases(options, state, record);
  if (leases === undefined) return;
  try {
    const draft = new Draft(state, {
      kv: options.kv,
      writeId: options.ids(),
      now: options.clock(),
    });
    const ended = await draftEnd(options, address, record, draft);
    draft.seal(options.quotas(address.tenant));
    if (!await draft.transaction.commit()) return;
    await wipe(options, ended);
    if (draft.left !== undefined) await options.shared.left(draft.left.home, draft.left.bytes);
  } finally {
    for (const lease of leases) await lease.release();
  }
}

/** Ends expired sandboxes. */
export function expiryTask(
  options: DeletionOptions,
  read: (address: SandboxAddress) => Promise<SandboxState>,
): Maintenance {
  return {
    name: "expired sandboxes",
    run: async (signal) => {
      let ended = 0;
      for (const due of await listDue(options.kv, options.clock, PER_ROUND)) {
        if (signal.aborted) break;
        const state = await read({ tenant: due.tenant, id: due.id });
        const isDue = state.record?.lifetime === due.lifetime &&
          (state.record.expiresAt ?? Infinity) <= options.clock();
        if (!isDue) continue;
        await expireSandbox(options, state);
        ended++;
      }
      return ended;
    },
  };
}

interface EndedSandbox {
  readonly record: SandboxRecord;
  readonly wipes: readonly RuntimeWipe[];
}

async function draftEnd(
  options: DeletionOptions,
  address: SandboxAddress,
  record: SandboxRecord,
  draft: Draft,
): Promise<EndedSandbox> {
  const checkpoints = (await checkpointsOf(options.kv, record)).map(({ state }) => state);
  const wipes = [record, ...checkpoints].flatMap((state) => wipesOf(options.ids, address, state));
  // blobs that nobody shares are deleted with all others of the lifetime
  const uploads = record.home === undefined
    ? []
    : await uploadsOf(options.kv, record.lifetime, SANDBOX_LIMITS.uploads);
  draft.end(
    record,
    checkpoints,
    uploads.map(({ key, record }) => ({ key, parts: partsOfUpload(record) })),
  );
  options.wipes.enter(draft.transaction, wipes);
  return { record, wipes };
}

/** The sandbox is deleted. The janitor repeats any failed step. */
async function wipe(options: DeletionOptions, { record, wipes }: EndedSandbox): Promise<void> {
  await options.wipes.finish(wipes);
  try {
    await wipeDead(options.kv, record.lifetime);
  } catch (thrown) {
    options.log("warn", "a deleted sandbox was not wiped yet", describeCause(thrown));
  }
}

/**
 * Acquires the leases of all contexts; undefined when somebody holds one of them or has changed the
 * sandbox.
 */
async function allLeases(
  { leases, runs }: DeletionOptions,
  { address: { tenant, id: name }, versionstamp }: SandboxState,
  { lifetime, contexts }: SandboxRecord,
): Promise<readonly Lease[] | undefined> {
  if (contexts.some(({ id }) => runs.has(lifetime, id))) return undefined;
  const taken: Lease[] = [];
  const options = {
    maxWaitMs: 0,
    also: [rootRecordKey(tenant, name)],
    exists: ([root]: readonly Deno.KvEntryMaybe<unknown>[]) => root?.versionstamp === versionstamp,
  };
  try {
    for (const { id } of contexts) {
      taken.push(await leases.acquire(sandboxLeaseKeys(lifetime, id), options));
    }
    return taken;
  } catch (thrown) {
    for (const lease of taken) await lease.release();
    if (thrown instanceof LeaseTimeout || thrown instanceof LeaseGone) return undefined;
    throw thrown;
  }
}
