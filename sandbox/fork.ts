/**
 * Forks: another context, or another sandbox, with the state of one that is there
 * (docs/contract.md#forks).
 *
 * @module
 */
import { quoted } from "../client/protocol/text.ts";
import { conflict } from "../shared/errors.ts";
import type { ContextInfo } from "../shared/sandbox_types.ts";
import { addContext, contextInfo, contextWithId, runtimeId, tooManyContexts } from "./contexts.ts";
import { quotaUsedUp } from "./draft.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { SandboxAddress } from "./root_record.ts";
import { changedMeanwhile, FORK_ATTEMPTS, forkAtRuntimes } from "./runtime_forks.ts";
import { copySandbox } from "./sandbox_copy.ts";
import { noSandbox } from "./sandbox_name.ts";
import { copiedBytes, storedBytes } from "./stored_bytes.ts";

/**
 * Adds a context with the state of another one as of its last commit. 404 without it, 400 for a
 * ninth context.
 */
export async function forkContext(
  options: OperationOptions,
  address: SandboxAddress,
  contextId: string,
): Promise<ContextInfo> {
  let seen: string | null = null;
  for (let attempt = 1; attempt <= FORK_ATTEMPTS; attempt++) {
    const { state, lifetime, context, env } = await options.stored.steady(
      await options.changes.current(address),
      async (state) => {
        const found = contextWithId(state, contextId);
        const { record, bytes } = state;
        if (record === undefined || record.contexts.length >= options.limits.contexts) {
          throw tooManyContexts(options.limits.contexts);
        }
        const more = storedBytes({ ...record, contexts: [...record.contexts, found.context] }) -
          storedBytes(record);
        checkBytes(options, bytes.count + more, more);
        return { ...found, state, env: await options.stored.layer(record, found.context.env) };
      },
    );
    const { name: _, runtimeId: __, ...kept } = context;
    const now = options.clock();
    const made = { ...kept, id: options.ids(), createdAt: now, lastUsed: now };
    const announced = await forkAtRuntimes(options, {
      from: address,
      lifetime,
      contexts: [context],
      made: [made],
      to: address,
      toLifetime: lifetime,
      behind: seen !== null && seen === state.versionstamp,
    });
    seen = state.versionstamp;
    if (announced === undefined) continue;
    return await options.wipes.committing(
      announced,
      () =>
        options.changes.change(address, (current, draft) => {
          const source = contextWithId(current, contextId);
          if (source.lifetime !== lifetime || runtimeId(source.context) !== runtimeId(context)) {
            throw conflict("The sandbox was deleted or restored meanwhile", contextId);
          }
          options.wipes.confirm(draft.transaction, announced);
          return Promise.resolve(
            contextInfo(addContext(options, current, draft, made, env).context),
          );
        }),
    );
  }
  throw changedMeanwhile();
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
  const copy = await copySandbox(options, from, {
    to,
    check: ({ record, sandboxes, bytes }) => {
      if (record === undefined) throw noSandbox(from.id);
      const { maxSandboxes } = options.quotas;
      if (sandboxes.count + 1 > maxSandboxes) throw quotaUsedUp(maxSandboxes, "sandboxes");
      checkBytes(options, bytes.count + copiedBytes(record), copiedBytes(record));
    },
  });
  return await options.wipes.committing(
    copy.announced,
    () =>
      options.changes.change(to, ({ record }, draft) => {
        if (record !== undefined) throw sandboxExists(name);
        options.wipes.confirm(draft.transaction, copy.announced);
        draft.update(copy.write(draft.transaction));
        return Promise.resolve({ id: name });
      }),
  );
}

/** Throws `NO_SPACE` when a tenant would keep too much. */
export function checkBytes(
  { quotas: { maxTenantBytes } }: Pick<OperationOptions, "quotas">,
  after: number,
  more: number,
): void {
  if (more > 0 && after > maxTenantBytes) throw quotaUsedUp(maxTenantBytes, "tenant bytes");
}

/** There is a sandbox of that name. */
export function sandboxExists(name: string) {
  return conflict(`Sandbox ${quoted(name)} already exists`);
}
