/**
 * Notifications of runs, for the hosts that the operator allows.
 *
 * @module
 */
import { addressesOf, type AllowedHost, mayNameUrl } from "../outgoing/allowed_hosts.ts";
import { Outgoing } from "../outgoing/outgoing.ts";
import type { NoticeRequest } from "../runs/notice_request.ts";
import { type NoticeOutcome, Notifier, SEND_MS } from "../runs/notifier.ts";
import type { NotifyOptions } from "../sandbox/sandboxes.ts";
import type { Log } from "../shared/log.ts";
import { systemTimers } from "../shared/timers.ts";
import type { KvStore } from "../store/kv.ts";

/** Notifications of a service. */
export interface Notifications {
  /** For the runs of the service. */
  readonly options: NotifyOptions;
  /** Delivers notifications until {@link close}. */
  start(): void;
  /** Ends attempts; other processes repeat them, or this one after its next start. */
  close(): Promise<void>;
}

/** Settings of notifications. */
export interface NotificationOptions {
  readonly kv: KvStore;
  readonly log: Log;
  /** Pause between looks at the store, in milliseconds. The service's default when absent. */
  readonly periodMs?: number | undefined;
}

/** Bytes of an answer that are read. Nothing of it matters but its status. */
const ANSWER_BYTES = 64 * 1024;
/** The target exists no more and wants no more requests. */
const GONE = 410;

/** Creates notifications. Undefined without hosts. */
export function notificationsOf(
  hosts: readonly AllowedHost[],
  { kv, log, periodMs }: NotificationOptions,
): Notifications | undefined {
  if (hosts.length === 0) return undefined;
  const outgoing = new Outgoing({ allowed: addressesOf(hosts), log, clock: Date.now });
  const closing = new AbortController();
  const send = async (request: NoticeRequest): Promise<NoticeOutcome> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(SEND_MS)]);
    const outcome = await outgoing.exchange({ ...request, method: "POST", signal }, ANSWER_BYTES);
    if ("failure" in outcome) return "failed";
    if (outcome.status === GONE) return "gone";
    return outcome.status >= 200 && outcome.status < 300 ? "delivered" : "failed";
  };
  const mayNotify = (url: URL) => mayNameUrl(url, hosts);
  const notifier = new Notifier({
    kv,
    log,
    send,
    isAllowed: mayNotify,
    clock: Date.now,
    timers: systemTimers,
    ids: () => crypto.randomUUID(),
    ...(periodMs === undefined ? {} : { periodMs }),
  });
  return {
    options: { mayNotify, onNotice: (tenant) => notifier.wake(tenant) },
    start: () => notifier.start(),
    close: async () => {
      closing.abort();
      await notifier.close();
      await outgoing.close();
    },
  };
}
