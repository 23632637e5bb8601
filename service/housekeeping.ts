/**
 * The leases and the janitor of one process's store.
 *
 * @module
 */
import { Janitor } from "../store/janitor.ts";
import type { KvStore } from "../store/kv.ts";
import { LeaseTable } from "../store/lease.ts";
import type { Maintenance } from "../shared/binding.ts";
import { LEASE_MS } from "../shared/limits.ts";
import { describeCause, type Log } from "../shared/log.ts";
import { StoreUnavailable } from "../shared/store_errors.ts";
import { type Backend, CLOSE_MS } from "./backend.ts";

/** The leases of this process and its janitor, which has not started yet. */
export interface Housekeeping {
  readonly leases: LeaseTable;
  readonly janitor: Janitor;
}

/** Intervals of housekeeping in milliseconds. The service's default for each one that is absent. */
export interface HousekeepingOptions {
  /**
   * Time after which the lease of a dead process is free again. Must be the same in all processes.
   */
  readonly leaseMs?: number;
  /** Pause between the rounds of the janitor. */
  readonly periodMs?: number;
  /** Age from which an unfinished commit counts as dead. */
  readonly intentAgeMs?: number;
  /** Pause between looks at notifications of runs. */
  readonly noticePeriodMs?: number;
}

/** Creates the leases and the janitor of a store. */
export function housekeepingOf(
  kv: KvStore,
  log: Log,
  { leaseMs = LEASE_MS, noticePeriodMs: _, ...ages }: HousekeepingOptions = {},
): Housekeeping {
  const clock = Date.now;
  const owner = crypto.randomUUID();
  const leases = new LeaseTable({ kv, owner, ttlMs: leaseMs, clock });
  const onError = (task: string, thrown: unknown) => {
    if (thrown instanceof StoreUnavailable) return; // logged once already
    log("warn", "janitor", { task, ...describeCause(thrown) });
  };
  return { leases, janitor: new Janitor({ kv, clock, leases, onError, ...ages }) };
}

/** The janitor tasks of a process's runtimes. */
export function maintenanceOf({ runtimes }: Pick<Backend, "runtimes">): readonly Maintenance[] {
  return [...runtimes.values()].flatMap(({ maintenance }) => maintenance ?? []);
}

/** Adds a janitor to the backend of a runtime that is served alone and has no sandboxes. */
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
