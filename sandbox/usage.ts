/**
 * The use of the service by each tenant: its answered runs and their fuel, in counters of the store,
 * so that they last and several services add up.
 *
 * Runs are gathered and written once a second and at the end, so that no run waits for it. A process
 * that is killed loses what it had not written. A write whose outcome is unknown is settled by its
 * number, so nothing counts twice.
 *
 * @module
 */
import { z } from "zod";
import { isoTimestamp } from "../shared/clock.ts";
import type { Clock } from "../shared/clock.ts";
import { systemTimers, type Timers } from "../shared/timers.ts";
import type { Maintenance } from "../shared/binding.ts";
import type { KvStore } from "../store/kv.ts";
import {
  tenantsWithSandboxes,
  USAGE_SINCE_KEY,
  usageKey,
  usagePrefix,
  usageWriterKey,
  usageWritersPrefix,
} from "../store/store_keys.ts";
import { countIn } from "../store/transaction.ts";
import { tenantCounts } from "./store_survey.ts";

/** The use by one tenant. */
export interface UsageReport {
  readonly tenant: string;
  /** When the counts began, as ISO 8601. */
  readonly since: string;
  readonly runs: number;
  readonly fuelConsumed: number;
  readonly sandboxes: number;
  /** Stored bytes. */
  readonly bytes: number;
}

const FLUSH_MS = 1_000;
/** After so long without a write, a process has ended, or counts on with a new record. */
const WRITER_MS = 24 * 60 * 60 * 1000;
/** The last write of a process. */
const writerSchema = z.object({ number: z.number(), writtenAt: z.number() });
/** Tenants of one write: two counters each. */
const TENANTS_PER_WRITE = 100;

interface Count {
  runs: number;
  fuel: number;
}

/** Counts runs, and reads the counts. */
export class UsageMeter {
  readonly #kv: KvStore;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #writer: Deno.KvKey = usageWriterKey(crypto.randomUUID());
  #pending = new Map<string, Count>();
  /** A write that is under way, or whose outcome is not known. */
  #batch: readonly (readonly [string, Count])[] = [];
  #number = 0;
  #version: string | null = null;
  #flushing: Promise<void> = Promise.resolve();
  #begun: Promise<unknown> = Promise.resolve();
  #cancel: (() => void) | undefined;
  #closed = false;

  constructor(kv: KvStore, clock: Clock, timers: Timers = systemTimers) {
    this.#kv = kv;
    this.#clock = clock;
    this.#timers = timers;
  }

  /** Adds an answered run. */
  record(tenant: string, fuel: number): void {
    const count = this.#pending.get(tenant) ?? { runs: 0, fuel: 0 };
    count.runs++;
    count.fuel += fuel;
    this.#pending.set(tenant, count);
    this.#schedule();
  }

  /** The use by one tenant, with all runs that this process has answered. */
  async read(tenant: string): Promise<UsageReport> {
    await this.flush();
    const [since, runs, fuel] = await this.#kv.getMany<unknown[]>([
      USAGE_SINCE_KEY,
      usageKey(tenant, "runs"),
      usageKey(tenant, "fuel"),
    ]);
    const counts = await tenantCounts(this.#kv, tenant);
    const began = typeof since?.value === "number" ? since.value : await this.begin();
    return {
      tenant,
      since: isoTimestamp(() => began),
      runs: runs === undefined ? 0 : countIn(runs),
      fuelConsumed: fuel === undefined ? 0 : countIn(fuel),
      ...counts,
    };
  }

  /** The use by every tenant that ran something or has sandboxes, in order of their names. */
  async readAll(): Promise<readonly UsageReport[]> {
    await this.flush();
    const tenants = new Set<string>();
    for (const prefix of [usagePrefix(), tenantsWithSandboxes()]) {
      for await (const { key } of this.#kv.list({ prefix })) tenants.add(String(key[1]));
    }
    const all: UsageReport[] = [];
    for (const tenant of [...tenants].sort()) all.push(await this.read(tenant));
    return all;
  }

  /** Notes when the counts begin, unless it is noted already. Returns it, in epoch milliseconds. */
  begin(): Promise<number> {
    const begun = this.#begin();
    this.#begun = begun.catch(() => undefined);
    return begun;
  }

  async #begin(): Promise<number> {
    const now = this.#clock();
    const absent = { key: USAGE_SINCE_KEY, versionstamp: null };
    await this.#kv.atomic().check(absent).set(USAGE_SINCE_KEY, now).commit();
    const { value } = await this.#kv.get(USAGE_SINCE_KEY);
    return typeof value === "number" ? value : now;
  }

  /** Writes what is pending. Rejects when the store fails; then a later one writes it. */
  flush(): Promise<void> {
    const flushed = this.#flushing.catch(() => undefined).then(() => this.#flushAll());
    this.#flushing = flushed;
    flushed.catch(() => undefined);
    return flushed;
  }

  /** Removes the records of processes that were killed. */
  get maintenance(): Maintenance {
    return {
      name: "records of use by ended processes",
      run: async (signal) => {
        let removed = 0;
        for await (
          const { key, value, versionstamp } of this.#kv.list({ prefix: usageWritersPrefix() })
        ) {
          signal.throwIfAborted();
          const last = writerSchema.safeParse(value).data?.writtenAt ?? 0;
          if (this.#clock() - last < WRITER_MS) continue;
          const { ok } = await this.#kv.atomic().check({ key, versionstamp }).delete(key).commit();
          if (ok) removed++;
        }
        return removed;
      },
    };
  }

  /** Writes the rest, if the store answers. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    const end = this.flush().then(() => this.#kv.delete(this.#writer));
    await Promise.allSettled([end, this.#begun]);
  }

  #schedule(): void {
    if (this.#closed || this.#cancel !== undefined) return;
    this.#cancel = this.#timers.after(FLUSH_MS, () => {
      this.#cancel = undefined;
      this.flush().catch(() => this.#schedule());
    }, true);
  }

  async #flushAll(): Promise<void> {
    for (;;) {
      if (this.#batch.length === 0) {
        this.#batch = [...this.#pending].slice(0, TENANTS_PER_WRITE);
        if (this.#batch.length === 0) return;
        for (const [tenant] of this.#batch) this.#pending.delete(tenant);
        this.#number++;
      }
      await this.#write();
    }
  }

  /** Writes the batch once, also when an earlier attempt may have written it. */
  async #write(): Promise<void> {
    const check = { key: this.#writer, versionstamp: this.#version };
    const atomic = this.#kv.atomic().check(check).set(this.#writer, {
      number: this.#number,
      writtenAt: this.#clock(),
    });
    for (const [tenant, { runs, fuel }] of this.#batch) {
      atomic.sum(usageKey(tenant, "runs"), BigInt(runs)).sum(
        usageKey(tenant, "fuel"),
        BigInt(fuel),
      );
    }
    const done = await atomic.commit();
    if (done.ok) this.#version = done.versionstamp;
    else {
      const { value, versionstamp } = await this.#kv.get(this.#writer);
      this.#version = versionstamp;
      if (writerSchema.safeParse(value).data?.number !== this.#number) return; // the next attempt has the right version
    }
    this.#batch = [];
  }
}
