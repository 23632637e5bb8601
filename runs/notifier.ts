/**
 * Delivers notifications of runs, at least once each: those of this process at once, and those that
 * are due in the store, whoever stored them.
 *
 * An attempt first moves the time of the next one, in a commit that only one process can do. So two
 * processes do not send the same at a time, and a process that is lost leaves it to others.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import { describeCause, type Log } from "../shared/log.ts";
import { StoreUnavailable } from "../shared/store_errors.ts";
import type { Timers } from "../shared/timers.ts";
import type { KvStore } from "../store/kv.ts";
import {
  runNoticeDueKey,
  runNoticeDueSelector,
  runNoticeKey,
  runNoticeTenantsSelector,
} from "../store/run_keys.ts";
import { Transaction } from "../store/transaction.ts";
import { type NoticeRequest, noticeRequest } from "./notice_request.ts";
import {
  isGivenUp,
  type Notice,
  type NoticeName,
  readNotice,
  removeNotice,
} from "./run_notices.ts";

/** How an attempt ended. `gone`: the target wants no more. */
export type NoticeOutcome = "delivered" | "failed" | "gone";

/** Dependencies of the notifier. */
export interface NotifierOptions {
  readonly kv: KvStore;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Returns a unique id with each call. */
  readonly ids: () => string;
  readonly log: Log;
  /** Whether the operator allows a URL. */
  readonly isAllowed: (url: URL) => boolean;
  /** Sends a request within {@link SEND_MS}. Never rejects. */
  readonly send: (request: NoticeRequest) => Promise<NoticeOutcome>;
  /** Pause between looks at the store, in milliseconds, varied by half of it either way. */
  readonly periodMs?: number;
}

/** The longest time of an attempt, in milliseconds. */
export const SEND_MS = 10_000;
/** Another process may take an attempt for lost after so long, in milliseconds. */
export const CLAIM_MS: number = SEND_MS + 5_000;
const PERIOD_MS = 10_000;
/** Pause after the first failed attempt, in milliseconds; it doubles with each one. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Attempts at a time, of all tenants and of one. */
const ATTEMPTS = 32;
const ATTEMPTS_OF_TENANT = 8;
/** A notification that is due, by its key. */
interface DueNotice extends NoticeName {
  readonly at: number;
}

/** The notifier of a process. */
export class Notifier {
  readonly #options: NotifierOptions;
  /** By name. */
  readonly #attempts = new Map<string, { readonly tenant: string; readonly done: Promise<void> }>();
  /** Tenants that may have notifications that are due. */
  readonly #tenants = new Set<string>();
  readonly #cancelTimers = new Set<() => void>();
  #isLooking = false;
  #looking: Promise<void> = Promise.resolve();
  #surveying: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** Looks at the notifications of all tenants now, and from time to time. */
  start(): void {
    const { periodMs = PERIOD_MS } = this.#options;
    if (this.#closed) return;
    this.#surveying = this.#report(() => this.#survey());
    this.#later(periodMs * (0.5 + Math.random()), () => this.start());
  }

  /** Looks at the notifications of a tenant now. */
  wake(tenant: string): void {
    if (this.#closed) return;
    this.#tenants.add(tenant);
    if (!this.#isLooking) this.#looking = this.#look();
  }

  /** Begins no more attempts, and waits for those under way. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const cancel of this.#cancelTimers) cancel();
    await Promise.all([this.#surveying, this.#looking]);
    await Promise.all([...this.#attempts.values()].map(({ done }) => done));
  }

  async #survey(): Promise<void> {
    const { kv, clock } = this.#options;
    let after: string | undefined;
    while (!this.#closed) {
      let next: DueNotice | undefined;
      for await (const { key } of kv.list(runNoticeTenantsSelector(after), { limit: 1 })) {
        next = dueOf(key);
      }
      if (next === undefined) return;
      if (next.at <= clock()) this.wake(next.tenant);
      after = next.tenant;
    }
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    for (const tenant of this.#tenants) {
      if (this.#attempts.size >= ATTEMPTS || this.#closed) break;
      this.#tenants.delete(tenant);
      await this.#report(() => this.#lookAt(tenant));
    }
    this.#isLooking = false;
  }

  async #lookAt(tenant: string): Promise<void> {
    const { kv, clock } = this.#options;
    const selector = runNoticeDueSelector(tenant, clock());
    for await (const { key } of kv.list(selector, { limit: 2 * ATTEMPTS_OF_TENANT })) {
      const due = dueOf(key);
      if (due !== undefined && !this.#closed) this.#begin(due);
    }
  }

  /** Begins an attempt, unless it is under way or its tenant has enough of them. */
  #begin(due: DueNotice): void {
    const { tenant, run, n } = due;
    const name = JSON.stringify([tenant, run, n]);
    const own = this.#attempts.values().filter((attempt) => attempt.tenant === tenant);
    if (this.#attempts.has(name) || own.toArray().length >= ATTEMPTS_OF_TENANT) return;
    const done = this.#report(async () => {
      try {
        await this.#attempt(due);
      } finally {
        this.#attempts.delete(name);
      }
      this.wake(tenant); // others may wait for the place
    });
    this.#attempts.set(name, { tenant, done });
  }

  async #attempt({ at, ...name }: DueNotice): Promise<void> {
    const { kv, clock, ids, log, isAllowed, send } = this.#options;
    const { tenant, run, n } = name;
    const { value, versionstamp } = await kv.get(runNoticeKey(tenant, run, n));
    const notice = readNotice(value);
    if (notice === undefined || versionstamp === null || notice.dueAt !== at) {
      return await kv.delete(runNoticeDueKey(at, name));
    }
    const now = clock();
    const transaction = new Transaction(kv, { writeId: ids(), clock });
    if (isGivenUp(notice, now) || !isAllowed(new URL(notice.target.url))) {
      removeNotice(transaction, name, { notice, versionstamp });
      if (await transaction.commit()) log("warn", "notify.abandoned", { tenant, run });
      return;
    }
    const claimed = { ...notice, attempts: notice.attempts + 1, dueAt: now + CLAIM_MS };
    const stored = await this.#move(name, { notice, versionstamp }, claimed);
    if (stored === undefined || this.#closed) return;
    const outcome = await send(await noticeRequest(name, notice, now));
    if (outcome === "failed") return await this.#postpone(name, claimed, stored);
    const removal = new Transaction(kv, { writeId: ids(), clock });
    removeNotice(removal, name, { notice: claimed, versionstamp: stored });
    await removal.commit();
  }

  /** Stores the time of the next attempt after one that failed. */
  async #postpone(name: NoticeName, claimed: Notice, versionstamp: string): Promise<void> {
    const { clock } = this.#options;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (claimed.attempts - 1), LONGEST_PAUSE_MS);
    const next = { ...claimed, dueAt: clock() + pauseMs };
    const moved = await this.#move(name, { notice: claimed, versionstamp }, next);
    if (moved !== undefined) this.#later(pauseMs, () => this.wake(name.tenant));
  }

  /** Stores a notification with another due time. Undefined when another process has changed it. */
  async #move(
    name: NoticeName,
    { notice, versionstamp }: { readonly notice: Notice; readonly versionstamp: string },
    next: Notice,
  ): Promise<string | undefined> {
    const key = runNoticeKey(name.tenant, name.run, name.n);
    const done = await this.#options.kv.atomic().check({ key, versionstamp }).set(key, next)
      .delete(runNoticeDueKey(notice.dueAt, name)).set(runNoticeDueKey(next.dueAt, name), true)
      .commit();
    return done.ok ? done.versionstamp : undefined;
  }

  /** Failures of the store are logged by the store. The next look tries again. */
  async #report(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      if (thrown instanceof StoreUnavailable) return;
      this.#options.log("warn", "notify", describeCause(thrown));
    }
  }

  #later(ms: number, call: () => void): void {
    if (this.#closed) return;
    const cancel = this.#options.timers.after(ms, () => {
      this.#cancelTimers.delete(cancel);
      call();
    }, true);
    this.#cancelTimers.add(cancel);
  }
}

function dueOf([, tenant, at, run, n]: Deno.KvKey): DueNotice | undefined {
  const isName = typeof tenant === "string" && typeof run === "string" && typeof n === "number";
  return isName && typeof at === "number" ? { at, tenant, run, n } : undefined;
}
