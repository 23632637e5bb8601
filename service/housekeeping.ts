/**
 * Who may write, and who cleans up, in the store of one process.
 *
 * @module
 */
import { Janitor } from "../store/janitor.ts";
import type { KvStore } from "../store/kv.ts";
import { LeaseTable } from "../store/lease.ts";
import type { Maintenance } from "../wire/binding.ts";
import { LEASE_MS } from "../wire/limits.ts";
import { describeCause, type Log } from "../wire/log.ts";
import { StoreUnavailable } from "../wire/store_errors.ts";
import { type Backend, CLOSE_MS } from "./backend.ts";

/** Leases of this process, and its janitor, which is not started yet. */
export interface Housekeeping {
  readonly leases: LeaseTable;
  readonly janitor: Janitor;
}

/** How a store is kept in order; the service's own where absent. All in milliseconds. */
export interface HousekeepingOptions {
  /** Time after which the lease of a process that died is free again. The same in all processes. */
  readonly leaseMs?: number;
  /** Pause between the rounds of the janitor. */
  readonly periodMs?: number;
  /** Age from which a commit that has not happened is taken for dead. */
  readonly intentAgeMs?: number;
}

/** Makes what keeps a store in order. */
export function housekeepingOf(
  kv: KvStore,
  log: Log,
  { leaseMs = LEASE_MS, ...ages }: HousekeepingOptions = {},
): Housekeeping {
  const clock = Date.now;
  const owner = crypto.randomUUID();
  const leases = new LeaseTable({ kv, owner, ttlMs: leaseMs, clock });
  const onError = (task: string, thrown: unknown) => {
    if (thrown instanceof StoreUnavailable) return; // which is in the log already, once
    log("warn", "janitor", { task, ...describeCause(thrown) });
  };
  return { leases, janitor: new Janitor({ kv, clock, leases, onError, ...ages }) };
}

/** What the runtimes of a process have done from time to time. */
export function maintenanceOf({ runtimes }: Pick<Backend, "runtimes">): readonly Maintenance[] {
  return [...runtimes.values()].flatMap(({ maintenance }) => maintenance ?? []);
}

/** Adds a janitor to the backend of a runtime that is served alone: it has no sandboxes. */
export function withJanitor(backend: Backend, log: Log): Backend {
  const { janitor } = housekeepingOf(backend.store, log);
  for (const task of maintenanceOf(backend)) janitor.register(task);
  janitor.start();
  const close = async () => {
    backend.store.hurry(CLOSE_MS);
    await janitor.close();
    await backend.close();
  };
  return { ...backend, close };
}
