/**
 * Puts a sandbox back to a checkpoint, in one commit (docs/contract.md#checkpoints).
 *
 * Its contexts get new ids at their runtimes, where they are forks of those of the checkpoint. So no
 * earlier run can change them.
 *
 * @module
 */
import { checkpointNotFound, conflict } from "../shared/errors.ts";
import { type Checkpoint, findCheckpoint } from "./checkpoints.ts";
import { wipeOf } from "./contexts.ts";
import type { Draft } from "./draft.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { ContextRecord, SandboxAddress, SandboxRecord } from "./root_record.ts";
import { copyContext, retryCopy } from "./copies.ts";
import { noteFork } from "./shared_blobs.ts";
import { type Tree, TreeEdit } from "./tree.ts";

/** Restores a checkpoint and ends all runs. Throws 404. */
export async function restoreCheckpoint(
  options: OperationOptions,
  address: SandboxAddress,
  id: string,
): Promise<void> {
  const { record } = await options.changes.current(address);
  const found = await findCheckpoint(options.kv, record, id);
  if (record === undefined || found === undefined) throw checkpointNotFound(id);
  const { lifetime } = record;
  const { checkpoint } = found;
  const copies = checkpoint.state.contexts.map((source) => {
    const { waiting: _, ...target } = source;
    return { source, target: { ...target, runtimeId: options.ids() } };
  });
  const { ended, wipes } = await retryCopy(() =>
    options.changes.change(address, async ({ record: now }, draft) => {
      const same = now?.lifetime === lifetime
        ? await findCheckpoint(options.kv, now, id)
        : undefined;
      if (now === undefined || same === undefined) throw checkpointNotFound(id);
      draft.transaction.check(same.key, same.versionstamp);
      const contexts = await Promise.all(
        copies.map(({ source, target }) =>
          copyContext(options, draft.transaction, {
            from: { address, lifetime: checkpoint.state.lifetime, context: source },
            to: { address, lifetime, context: target },
            runs: "waiting",
            laterMs: options.clock() - checkpoint.createdAt,
          })
        ),
      );
      const wipes = now.contexts.map((context) => wipeOf(options, address, { lifetime, context }));
      options.wipes.enter(draft.transaction, wipes);
      await draftRestore(options, draft, { now, checkpoint, contexts });
      return { ended: now.contexts, wipes };
    })
  );
  for (const { id: contextId } of ended) {
    options.runs.abort(lifetime, contextId, sandboxRestored(contextId));
  }
  await options.wipes.finish(wipes);
}

async function draftRestore(
  options: OperationOptions,
  draft: Draft,
  { now, checkpoint: { state }, contexts }: {
    readonly now: SandboxRecord;
    readonly checkpoint: Checkpoint;
    readonly contexts: readonly ContextRecord[];
  },
): Promise<void> {
  const { stored } = options;
  for (const { id } of now.contexts) draft.dropLease(now.lifetime, id);
  if (state.home !== undefined && state.home === now.home) {
    draft.leave(now.home, now.workspace.bytes);
    noteFork(draft.transaction, now.home);
    draft.update({ ...now, env: state.env, contexts, workspace: state.workspace });
    return;
  }
  for (const { env, notebook = null } of now.contexts) {
    draft.drop(now, env);
    draft.drop(now, notebook);
  }
  const restored: ContextRecord[] = [];
  for (const context of contexts) {
    const env = draft.keepLayer(now, null, await stored.layer(state, context.env));
    const { notebook: _, ...others } = context; // a checkpoint of an earlier version has none
    restored.push({ ...others, env });
  }
  const env = draft.keepLayer(now, now.env, await stored.layer(state, state.env));
  const edit = new TreeEdit(await stored.tree(now));
  await putBack(options, edit, { lifetime: state.lifetime, tree: await stored.tree(state) });
  draft.keepTree({ ...now, env, contexts: restored }, edit);
}

/**
 * Makes a workspace that of a checkpoint of an earlier version, which shares nothing. Contents that
 * are the same are not written again.
 */
async function putBack(
  { stored }: OperationOptions,
  edit: TreeEdit,
  { lifetime, tree }: { readonly lifetime: string; readonly tree: Tree },
): Promise<void> {
  for (const [path, node] of [...edit.nodes]) {
    if (tree.nodes.get(path)?.type !== node.type) edit.remove(path);
  }
  for (const [path, node] of tree.nodes) {
    const { modifiedAt } = node;
    const now = edit.get(path);
    if (now?.type === node.type && now.modifiedAt === modifiedAt) {
      if (node.type === "directory") continue;
      if ("ref" in now && now.ref.sha256 === node.ref.sha256) continue;
    }
    if (node.type === "directory") edit.set(path, { type: "directory", modifiedAt });
    else if (now?.type === "file" && "ref" in now && now.ref.sha256 === node.ref.sha256) {
      edit.set(path, { ...now, modifiedAt });
    } else {
      const data = await stored.contents(lifetime, node.ref);
      edit.set(path, { type: "file", modifiedAt, data });
    }
  }
}

/** The sandbox was put back while one of its runs was in progress or waiting. */
function sandboxRestored(contextId: string) {
  return conflict("The sandbox was restored during the run", contextId);
}
