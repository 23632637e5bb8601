/**
 * The storage of a durable run without a context. Its history is all that it has: it is stored before
 * the program begins, and its result before that is answered.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import { quotaUsedUp } from "../shared/errors.ts";
import { runNotFound } from "../shared/errors.ts";
import { tenantCounterKey } from "../store/keys.ts";
import type { KvStore } from "../store/kv.ts";
import type { LeaseTable } from "../store/lease.ts";
import { runLeaseKeys } from "../store/run_keys.ts";
import { RunHistory } from "./run_history.ts";
import type { OnNotice } from "./run_notices.ts";
import { type NextShown, RunOutdated, type WaitingProgram } from "./run_terms.ts";
import type { KnownRun, RunBeginning } from "./stored_run.ts";

/** Where runs without a context are stored. */
export interface RunStore {
  readonly kv: KvStore;
  readonly leases: LeaseTable;
  readonly clock: Clock;
  /** Returns a unique id with each call. */
  readonly ids: () => string;
  /** Number of the stored runs of a tenant that have not ended. */
  readonly countRuns: (tenant: string) => Promise<number>;
  /** Quota of a tenant, in bytes. */
  readonly maxTenantBytes: (tenant: string) => number;
  /** Called with the tenant when a notification is stored. */
  readonly onNotice: OnNotice;
}

/** The storage of one run. */
export class StatelessStorage {
  readonly #store: RunStore;
  readonly #run: WaitingProgram;
  readonly #beginning: RunBeginning;
  readonly history: RunHistory;

  /** `known`: of a run that another process began. */
  constructor(
    store: RunStore,
    run: WaitingProgram,
    beginning: RunBeginning,
    known: KnownRun | undefined,
  ) {
    this.#store = store;
    this.#run = run;
    this.#beginning = beginning;
    const { id } = run.terms;
    this.history = new RunHistory({
      ...store,
      run,
      known,
      begin: (shown) => this.#begin(shown),
      turn: {
        keys: runLeaseKeys(id),
        also: [],
        exists: () => true,
        gone: () => runNotFound(id),
      },
    });
  }

  /** Commits the result. Rejects with a {@link RunOutdated} when another process went on with the run. */
  async end(body: string): Promise<void> {
    const transaction = this.history.transaction();
    await this.history.end(transaction, body);
    this.history.lease?.commitWith(transaction);
    if (!await transaction.commit()) throw new RunOutdated();
  }

  async #begin(shown: NextShown): Promise<void> {
    const { kv } = this.#store;
    const { tenant, language, createdAt, notify } = this.#run.terms;
    const maxTenantBytes = this.#store.maxTenantBytes(tenant);
    const transaction = this.history.transaction();
    const { record, versionstamp } = this.history.begin(transaction, {
      beginning: this.#beginning,
      shown,
      keptBytes: 0,
      record: { language, createdAt, ...(notify === undefined ? {} : { notify }) },
    });
    const used = await kv.get<Deno.KvU64>(tenantCounterKey(tenant, "bytes"));
    if (Number(used.value?.value ?? 0n) + record.bytes > maxTenantBytes) {
      throw quotaUsedUp(maxTenantBytes, "tenant bytes");
    }
    if (!await transaction.commit()) throw new RunOutdated();
    await this.history.begun(record, versionstamp());
  }
}
