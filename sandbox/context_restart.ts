/**
 * Restarts a context: its memory is empty again, its id stays.
 *
 * A runtime never gives the id of a removed context to another one, so the context gets another id
 * there. Its next run creates it at the runtime.
 *
 * @module
 */
import { conflict } from "../shared/errors.ts";
import { contextWithId, wipeOf } from "./contexts.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { SandboxAddress } from "./root_record.ts";

/** Empties a context and ends its runs. Throws `CONTEXT_NOT_FOUND`. */
export async function restartContext(
  options: OperationOptions,
  address: SandboxAddress,
  contextId: string,
): Promise<void> {
  const { lifetime, wipe } = await options.changes.change(address, (state, draft) => {
    const found = contextWithId(state, contextId);
    const { lifetime, context } = found;
    const wipe = wipeOf(options, address, found);
    options.wipes.enter(draft.transaction, [wipe]);
    draft.dropLease(lifetime, contextId);
    const empty = {
      ...context,
      runtimeId: options.ids(),
      executions: 0,
      snapshotRef: null,
      snapshot: null,
    };
    const record = options.changes.recordOrNew(state);
    const contexts = record.contexts.map((old) => old.id === contextId ? empty : old);
    draft.update({ ...record, contexts });
    return Promise.resolve({ lifetime, wipe });
  });
  options.runs.abort(lifetime, contextId, contextRestarted(contextId));
  await options.wipes.finish([wipe]);
}

/** A context was restarted while one of its runs was in progress or waiting. */
function contextRestarted(contextId: string) {
  return conflict("The context was restarted during the run", contextId);
}
