/**
 * The janitor's task for notifications that no service delivers, such as those of a service whose operator
 * switches notifications off.
 *
 * @module
 */
import type { Maintenance } from "../shared/binding.ts";
import type { Clock } from "../shared/clock.ts";
import type { KvStore } from "../store/kv.ts";
import { runNoticesSelector } from "../store/run_keys.ts";
import { Transaction } from "../store/transaction.ts";
import { isGivenUp, readNotice, removeNotice } from "./run_notices.ts";

/** Notifications that one round looks at. */
const PER_ROUND = 1_000;

/** Dependencies of the task. */
export interface NoticeExpiryOptions {
  readonly kv: KvStore;
  readonly clock: Clock;
  /** Returns a unique id with each call. */
  readonly ids: () => string;
}

/** Removes notifications that are given up. */
export function noticeExpiryTask({ kv, clock, ids }: NoticeExpiryOptions): Maintenance {
  return {
    name: "notifications",
    run: async (signal) => {
      let removed = 0;
      for await (const entry of kv.list(runNoticesSelector(), { limit: PER_ROUND })) {
        if (signal.aborted) break;
        const { key: [, tenant, run, n], value, versionstamp } = entry;
        const notice = readNotice(value);
        const isName = typeof tenant === "string" && typeof run === "string" &&
          typeof n === "number";
        if (!isName || notice === undefined || !isGivenUp(notice, clock())) continue;
        const transaction = new Transaction(kv, { writeId: ids(), clock });
        removeNotice(transaction, { tenant, run, n }, { notice, versionstamp });
        if (await transaction.commit()) removed++;
      }
      return removed;
    },
  };
}
