/**
 * Forks of a checkpoint: another sandbox with the state that a sandbox had
 * (docs/contract.md#forks).
 *
 * @module
 */
import { checkpointNotFound, conflict } from "../shared/errors.ts";
import { findCheckpoint } from "./checkpoints.ts";
import { copySandbox, retryCopy } from "./copies.ts";
import { checkRoom, sandboxExists } from "./fork.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { SandboxAddress, SandboxState } from "./root_record.ts";
import { noSandbox } from "./sandbox_name.ts";

/**
 * Makes a sandbox with the contexts, files and variables of a checkpoint. 404 without the sandbox or
 * the checkpoint, 409 when there is a sandbox of that name, `NO_SPACE` before anything is written.
 */
export async function forkCheckpoint(
  options: OperationOptions,
  from: SandboxAddress,
  { to: name, checkpoint: id }: { readonly to: string; readonly checkpoint: string },
): Promise<{ readonly id: string }> {
  const to: SandboxAddress = { tenant: from.tenant, id: name };
  const { record } = await options.changes.current(to);
  if (record !== undefined) throw sandboxExists(name);
  return await retryCopy(async () => {
    const source = await options.changes.current(from);
    const { checkpoint, key, versionstamp } = await checkpointOf(options, source, id);
    checkRoom(options, source, checkpoint.state);
    return await options.changes.change(to, async ({ record }, draft) => {
      if (record !== undefined) throw sandboxExists(name);
      // a checkpoint never changes: while it is there, so is its state
      draft.transaction.check(key, versionstamp);
      draft.update(
        await copySandbox(options, draft.transaction, {
          from: { ...source, record: checkpoint.state },
          to,
          member: { tenant: to.tenant, id: name },
          runs: "waiting",
          laterMs: options.clock() - checkpoint.createdAt,
        }),
      );
      return { id: name };
    });
  });
}

/** A checkpoint whose state can be shared. Throws 404, and 409 for one of an earlier version. */
async function checkpointOf(
  options: OperationOptions,
  { address, record }: SandboxState,
  id: string,
) {
  if (record === undefined) throw noSandbox(address.id);
  const found = await findCheckpoint(options.kv, record, id);
  if (found === undefined) throw checkpointNotFound(id);
  if (found.checkpoint.state.home === undefined) throw unsharedCheckpoint();
  return found;
}

/** The checkpoint was made by a version that copied states. */
function unsharedCheckpoint() {
  return conflict(
    "The checkpoint was made by an earlier version: restore it, and fork the sandbox",
  );
}
