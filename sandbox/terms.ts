/**
 * Sandboxes with labels and perhaps a fixed end ({@link SandboxTerms}). The fixed end is the time of
 * expiry, so the janitor deletes it as any other.
 *
 * @module
 */
import type { SandboxTerms, TermInfo, TermList, TermQuery } from "../shared/sandbox_terms.ts";
import { restartContext } from "./contexts.ts";
import { cursorAfter, listedAfter, pageOf } from "./listing.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { SandboxRecord } from "./root_record.ts";
import { invalidName, isSandboxName } from "./sandbox_name.ts";
import { asRequest } from "./store_waits.ts";

/** The sandboxes of a tenant. */
export function termsOf(tenant: string, options: OperationOptions): SandboxTerms {
  const address = (id: string) => {
    if (!isSandboxName(id)) throw invalidName(id);
    return { tenant, id };
  };
  return {
    begin: (id, term) =>
      asRequest(options, () =>
        options.changes.change(address(id), (state, draft) => {
          const isNew = state.record === undefined;
          if (isNew) draft.update({ ...options.changes.recordOrNew(state), term });
          return Promise.resolve(isNew);
        })),
    find: (id) =>
      asRequest(options, async () => {
        if (!isSandboxName(id)) return undefined;
        const { record } = await options.changes.current(address(id));
        return record === undefined ? undefined : termInfo(id, record);
      }),
    end: (id, endAt, least) =>
      asRequest(options, async () => {
        if (!isSandboxName(id)) return undefined;
        return await options.changes.change(address(id), ({ record }, draft) => {
          if (record === undefined) return Promise.resolve(undefined);
          const isLater = endAt > (record.expiresAt ?? Infinity);
          if (least && !isLater) return Promise.resolve(termInfo(id, record));
          const next = { ...record, term: { metadata: record.term?.metadata ?? {}, endAt } };
          draft.update(next);
          return Promise.resolve(termInfo(id, { ...next, expiresAt: endAt }));
        });
      }),
    relabel: (id, metadata) =>
      asRequest(options, async () => {
        if (!isSandboxName(id)) return undefined;
        return await options.changes.change(address(id), ({ record }, draft) => {
          if (record === undefined) return Promise.resolve(undefined);
          const next = { ...record, term: { ...record.term, metadata } };
          draft.update(next);
          return Promise.resolve(termInfo(id, next));
        });
      }),
    list: (query) => asRequest(options, () => list(tenant, query, options)),
    restart: (id, contextId) =>
      asRequest(options, () => restartContext(options, address(id), contextId)),
  };
}

async function list(
  tenant: string,
  { metadata, ...query }: TermQuery,
  options: OperationOptions,
): Promise<TermList> {
  const labels = Object.entries(metadata);
  const { entries, last } = await listedAfter(
    options,
    tenant,
    pageOf(tenant, query),
    ({ term }) => labels.every(([name, value]) => term?.metadata[name] === value),
  );
  return {
    sandboxes: entries.map(([id, record]) => termInfo(id, record)),
    ...(last === undefined ? {} : { cursor: cursorAfter(tenant, last) }),
  };
}

function termInfo(id: string, { createdAt, expiresAt, term }: SandboxRecord): TermInfo {
  return { id, startedAt: createdAt, endAt: expiresAt, metadata: term?.metadata ?? {} };
}
