/**
 * Removes unfinished uploads to which no piece came for long.
 *
 * @module
 */
import type { Maintenance } from "../shared/binding.ts";
import { UPLOAD_IDLE_MS } from "../shared/limits.ts";
import { type DueSandbox, listDue } from "../store/expiry.ts";
import type { OperationOptions } from "./operation_options.ts";
import { dropUpload, isOver, uploadsOf } from "./upload_record.ts";

/** Sandboxes of one round of the janitor. */
const PER_ROUND = 1_000;
/** Uploads of one commit. */
const PER_COMMIT = 8;

/** The task. */
export function uploadExpiryTask(options: OperationOptions): Maintenance {
  return {
    name: "unfinished uploads",
    run: async (signal) => {
      let removed = 0;
      const index = "upload_expiry";
      for (const due of await listDue(options.kv, options.clock, PER_ROUND, { index })) {
        for (let last = PER_COMMIT; last === PER_COMMIT && !signal.aborted; removed += last) {
          last = await removeOver(options, due);
        }
      }
      return removed;
    },
  };
}

/** Removes uploads that are over, as many as a commit takes. Returns how many. */
async function removeOver(
  options: OperationOptions,
  { tenant, id, lifetime }: DueSandbox,
): Promise<number> {
  const { kv, clock, changes, limits } = options;
  return await changes.change({ tenant, id }, async ({ record }, draft) => {
    if (record?.lifetime !== lifetime || record.uploads === undefined) return 0;
    const now = clock();
    const uploads = await uploadsOf(kv, lifetime, limits.uploads);
    const over = uploads.filter((upload) => isOver(upload.record, now)).slice(0, PER_COMMIT);
    const left = uploads.filter((upload) => !over.includes(upload));
    let next = record;
    for (const upload of over) next = dropUpload(draft, next, upload);
    const until = Math.min(...left.map((upload) => upload.record.at)) + UPLOAD_IDLE_MS;
    draft.asMaintenance();
    draft.update(
      next.uploads === undefined ? next : {
        ...next,
        uploads: { ...next.uploads, until: Number.isFinite(until) ? until : now + UPLOAD_IDLE_MS },
      },
    );
    return over.length;
  });
}
