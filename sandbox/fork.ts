/**
 * Forks: another context, or another sandbox, with the state of one that is there
 * (docs/contract.md#forks).
 *
 * @module
 */
import { quoted } from "../client/protocol/text.ts";
import { rootRecordKey } from "../store/keys.ts";
import { conflict, quotaUsedUp } from "../shared/errors.ts";
import type { ContextInfo } from "../shared/sandbox_types.ts";
import { addContext, contextInfo, contextWithId } from "./contexts.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { SandboxAddress, SandboxRecord, SandboxState } from "./root_record.ts";
import { noSandbox } from "./sandbox_name.ts";
import { copyContext, copySandbox, retryCopy } from "./copies.ts";
import { notebookBytes } from "./notebooks.ts";
import { copiedBytes } from "./stored_bytes.ts";

/**
 * Adds a context with the state of another one as of its last commit. 404 without it, 400 for a
 * ninth context.
 */
export async function forkContext(
  options: OperationOptions,
  address: SandboxAddress,
  contextId: string,
): Promise<ContextInfo> {
  return await retryCopy(() =>
    options.changes.change(address, async (state, draft) => {
      const { lifetime, context: source } = contextWithId(state, contextId);
      const record = options.changes.recordOrNew(state);
      const env = await options.stored.layer(record, source.env);
      const notebook = await notebookBytes(options, record, source);
      const { name: _, runtimeId: __, notebook: ___, waiting: ____, queue: _____, ...shared } =
        source;
      const now = options.clock();
      const id = options.ids();
      const target = await copyContext(options, draft.transaction, {
        from: { address, lifetime, context: source },
        to: { address, lifetime, context: { ...shared, id, createdAt: now, lastUsed: now } },
        runs: "waiting",
        laterMs: 0,
      });
      const { context } = addContext(options, state, draft, target, { env, notebook });
      return contextInfo(context);
    })
  );
}

/**
 * Makes a sandbox with the contexts, files and variables of another one as of one moment. 404
 * without it, 409 when there is one of that name, `NO_SPACE` before anything is written.
 */
export async function forkSandbox(
  options: OperationOptions,
  from: SandboxAddress,
  name: string,
): Promise<{ readonly id: string }> {
  const to: SandboxAddress = { tenant: from.tenant, id: name };
  const { record } = await options.changes.current(to);
  if (record !== undefined) throw sandboxExists(name);
  if (name === from.id) throw noSandbox(name);
  checkFork(options, await options.changes.current(from));
  const commit = () =>
    options.changes.change(to, async ({ record }, draft) => {
      if (record !== undefined) throw sandboxExists(name);
      const state = await options.changes.current(from);
      const source = { ...state, record: checkFork(options, state) };
      const member = { tenant: to.tenant, id: name };
      const copy = await copySandbox(options, draft.transaction, {
        from: source,
        to,
        member,
        runs: "waiting",
      });
      draft.transaction.check(rootRecordKey(from.tenant, from.id), state.versionstamp);
      draft.update(copy);
      return { id: name };
    });
  return await retryCopy(async () => {
    await options.changes.change(from, (state, draft) => {
      const record = checkFork(options, state);
      if (record.home !== undefined) return Promise.resolve();
      draft.asMaintenance();
      draft.update(draft.share(record));
      return Promise.resolve();
    });
    // each change of the source that comes first refuses the copy
    return await options.changes.during(from, commit);
  });
}

/** The record of a sandbox that may be forked. Throws 404 and `NO_SPACE`. */
function checkFork(options: OperationOptions, state: SandboxState): SandboxRecord {
  const { address, record } = state;
  if (record === undefined) throw noSandbox(address.id);
  checkRoom(options, state, record);
  return record;
}

/** Throws `NO_SPACE` when the tenant of a sandbox has no room for a copy of a record. */
export function checkRoom(
  options: OperationOptions,
  { address, sandboxes, bytes }: SandboxState,
  record: SandboxRecord,
): void {
  const { maxSandboxes } = options.quotas(address.tenant);
  if (sandboxes.count + 1 > maxSandboxes) throw quotaUsedUp(maxSandboxes, "sandboxes");
  checkBytes(options, address, bytes.count + copiedBytes(record), copiedBytes(record));
}

/** Throws `NO_SPACE` when a tenant would keep too much. */
export function checkBytes(
  { quotas }: OperationOptions,
  { tenant }: SandboxAddress,
  after: number,
  more: number,
): void {
  const { maxTenantBytes } = quotas(tenant);
  if (more > 0 && after > maxTenantBytes) throw quotaUsedUp(maxTenantBytes, "tenant bytes");
}

/** There is a sandbox of that name. */
export function sandboxExists(name: string) {
  return conflict(`Sandbox ${quoted(name)} already exists`);
}
