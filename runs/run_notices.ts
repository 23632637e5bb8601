/**
 * Notifications of runs that are not delivered. One is stored in the commit that it tells of, so that
 * no crash loses it; the {@link ./notifier.ts} of any process delivers it.
 *
 * @module
 */
import { z } from "zod";
import { type Language, LANGUAGES, type NotifyTarget } from "../client/protocol/types.ts";
import type { Clock } from "../shared/clock.ts";
import { tenantCounterKey } from "../store/keys.ts";
import { runNoticeDueKey, runNoticeKey } from "../store/run_keys.ts";
import type { Transaction } from "../store/transaction.ts";

/** Attempts to deliver a notification end after so long, in milliseconds. */
const DELIVERY_MS = 24 * 3_600_000;
/** Counted for a notification besides its own bytes: keys. */
const KEY_BYTES = 256;

/** The states of runs that are notified. */
const NOTICE_STATES = ["waiting", "ended", "failed", "cancelled"] as const;

/** A state that is notified. */
export type NoticeState = typeof NOTICE_STATES[number];

/** The name of a notification: its run, and its place among the parts of the run. */
export interface NoticeName {
  readonly tenant: string;
  readonly run: string;
  readonly n: number;
}

/** A notification that is not delivered. Times are epoch milliseconds. */
export interface Notice {
  readonly version: 1;
  readonly target: NotifyTarget;
  readonly state: NoticeState;
  readonly language: Language;
  readonly contextId?: string;
  readonly createdAt: number;
  /** When the run got into the state. */
  readonly at: number;
  /** Attempts that have begun. */
  readonly attempts: number;
  /** When the next attempt begins. */
  readonly dueAt: number;
  /** Its part of the bytes of its tenant. */
  readonly bytes: number;
}

const noticeSchema: z.ZodType<Notice> = z.object({
  version: z.literal(1),
  target: z.object({ url: z.string(), secret: z.string() }),
  state: z.enum(NOTICE_STATES),
  language: z.enum(LANGUAGES),
  contextId: z.string().exactOptional(),
  createdAt: z.number(),
  at: z.number(),
  attempts: z.number(),
  dueAt: z.number(),
  bytes: z.number(),
});

/** The run of a notification. */
export interface NoticeRun {
  readonly language: Language;
  readonly contextId?: string;
  readonly createdAt: number;
  /** Absent: it has no notifications. */
  readonly notify?: NotifyTarget;
}

/** Called with the tenant when a notification is stored. Absent: it waits for the next look. */
export type OnNotice = ((tenant: string) => void) | undefined;

/** A notification to store. */
export interface NewNotice extends NoticeName {
  readonly state: NoticeState;
  readonly clock: Clock;
  readonly onNotice: OnNotice;
}

/** Reads a notification; undefined when there is none. */
export function readNotice(value: unknown): Notice | undefined {
  return value === null || value === undefined ? undefined : noticeSchema.parse(value);
}

/** Adds a notification to the commit of its state, if the run has notifications. */
export function putNotice(
  transaction: Transaction,
  { language, contextId, createdAt, notify: target }: NoticeRun,
  { state, clock, onNotice, ...name }: NewNotice,
): void {
  if (target === undefined) return;
  const at = clock();
  const told = {
    state,
    language,
    ...(contextId === undefined ? {} : { contextId }),
    createdAt,
    at,
  };
  const notice = { version: 1, target, ...told, attempts: 0, dueAt: at } as const;
  const bytes = new TextEncoder().encode(JSON.stringify(notice)).length + KEY_BYTES;
  const { tenant, run, n } = name;
  transaction.set(runNoticeKey(tenant, run, n), { ...notice, bytes } satisfies Notice);
  transaction.set(runNoticeDueKey(at, name), true);
  transaction.add(tenantCounterKey(tenant, "bytes"), bytes);
  if (onNotice === undefined) return;
  transaction.attach({
    committing: () => undefined,
    settled: (outcome) => outcome === "refused" ? undefined : onNotice(tenant),
  });
}

/** Adds the removal of a notification to a transaction. */
export function removeNotice(
  transaction: Transaction,
  name: NoticeName,
  { notice: { bytes, dueAt }, versionstamp }: {
    readonly notice: Notice;
    readonly versionstamp: string;
  },
): void {
  const key = runNoticeKey(name.tenant, name.run, name.n);
  transaction.check(key, versionstamp).delete(key).delete(runNoticeDueKey(dueAt, name));
  transaction.add(tenantCounterKey(name.tenant, "bytes"), -bytes);
}

/** Whether it has been tried for so long that it is given up. */
export function isGivenUp({ at }: Notice, now: number): boolean {
  return now >= at + DELIVERY_MS;
}
