/**
 * Processes whose runs are told: their sandboxes and their notifiers.
 *
 * @module
 */
import { createHmac } from "node:crypto";
import { assertEquals } from "@std/assert";
import type { NoticeRequest } from "../../runs/notice_request.ts";
import { type NoticeOutcome, Notifier } from "../../runs/notifier.ts";
import type { Sandboxes } from "../../sandbox/sandboxes.ts";
import type { KvStore } from "../../store/kv.ts";
import { fakeRuntimes, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { ManualTime } from "../store/fixture.ts";
import { ContextCaller } from "./context_caller.ts";
import { callingRuntime, RunCaller } from "./gateway_fixture.ts";

/** The target of the tests. */
export const NOTIFY = { url: "https://hooks.test/a?b", secret: "canary-4711" };

/** A received notification. */
export interface Told {
  readonly id: string;
  readonly run: string;
  readonly state: string;
}

/** A target, which says how each attempt ends. */
export class Receiver {
  readonly requests: NoticeRequest[] = [];
  readonly told: Told[] = [];
  outcome: (told: Told) => NoticeOutcome | Promise<NoticeOutcome> = () => "delivered";

  /** Takes a request, whose signature must be right. */
  async take(request: NoticeRequest): Promise<NoticeOutcome> {
    this.requests.push(request);
    const told = verified(request, NOTIFY.secret);
    const outcome = await this.outcome(told);
    if (outcome === "delivered") this.told.push(told);
    return outcome;
  }

  /** The states that arrived of a run, in order. */
  statesOf(run: string | undefined): string[] {
    return this.told.filter((told) => told.run === run).map(({ state }) => state);
  }
}

/** Checks the signature of a request as Standard Webhooks says. */
export function verified({ headers, body }: Pick<NoticeRequest, "headers" | "body">, key: string) {
  const id = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  assertEquals(headers["webhook-signature"], `v1,${signature}`);
  const { type, data } = JSON.parse(body);
  assertEquals(type, `run.${data.state}`);
  return { id, run: String(data.id), state: String(data.state) };
}

/** A process, and callers of it. */
export interface Process {
  readonly sandboxes: Sandboxes;
  readonly notifier: Notifier;
  readonly box: ContextCaller;
  readonly gateway: RunCaller;
}

/** The parts that the processes of a test share. */
export interface Together {
  readonly store: KvStore;
  readonly time: ManualTime;
  readonly receiver: Receiver;
  /** Starts a process; `hasNotifier`: it delivers. */
  start(options?: { readonly kv?: KvStore; readonly hasNotifier?: boolean }): Process;
}

/** Does `work` with a store in memory. All processes end with it. */
export function together(work: (parts: Together) => Promise<void>): Promise<void> {
  return withStore(async (store) => {
    const time = new ManualTime(() => true);
    const receiver = new Receiver();
    const started: Process[] = [];
    const runtimes = fakeRuntimes();
    const start: Together["start"] = ({ kv = store, hasNotifier = true } = {}) => {
      const { clock } = time;
      const notifier = new Notifier({
        kv,
        clock,
        timers: time,
        ids: () => crypto.randomUUID(),
        log: () => undefined,
        isAllowed: ({ hostname }) => hostname === "hooks.test",
        send: (request) => receiver.take(request),
      });
      const onNotice = hasNotifier ? (tenant: string) => notifier.wake(tenant) : () => undefined;
      const mayNotify = ({ hostname }: URL) => hostname === "hooks.test";
      const notify = { mayNotify, onNotice };
      const sandboxes = sandboxProcess(kv, { runtimes, clock, notify });
      const stateless = new Map([["PYTHON", callingRuntime().binding]]);
      const alone = sandboxProcess(kv, { bindings: stateless, clock, notify });
      const box = new ContextCaller(sandboxes);
      const process = {
        sandboxes,
        notifier,
        box,
        gateway: new RunCaller({}, { sandboxes: alone }),
      };
      started.push(process, { ...process, sandboxes: alone });
      return process;
    };
    try {
      await work({ store, time, receiver, start });
    } finally {
      await Promise.all(started.map(async ({ sandboxes, notifier }) => {
        await sandboxes.runs.close();
        await notifier.close();
      }));
    }
  });
}
