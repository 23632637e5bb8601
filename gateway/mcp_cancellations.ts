/**
 * Cancellations of MCP calls by clients of the revisions before 2026-07-28. Such a client leaves the
 * stream of its call open and sends `notifications/cancelled` as a message of its own. The session id
 * of `initialize` connects both: it is no more than the client's part of the name of a call.
 *
 * Only calls in progress are known here, so any session id is accepted, and a restart of the service
 * disturbs no client. A cancellation may overtake its call; it is remembered for as long as the call
 * can still be on its way.
 *
 * @module
 */
import { z } from "zod";
import { BODY_DEADLINE_MS } from "../shared/limits.ts";

/** The header that carries the session id. */
export const SESSION_HEADER = "mcp-session-id";

/** Cancellations of one tenant that are remembered until their calls arrive. */
export const MAX_EARLY_CANCELLATIONS = 64;
/** Longest session id and longest request id, as JSON, whose calls can be cancelled. */
export const MAX_ID_LENGTH = 128;

const CANCELLED = "notifications/cancelled";

const idSchema = z.union([z.string(), z.number()]);
const requestSchema = z.looseObject({ id: idSchema, method: z.string() });
const cancelledSchema = z.looseObject({
  method: z.literal(CANCELLED),
  params: z.looseObject({ requestId: idSchema }),
});

/** The id of a request of JSON-RPC. */
export type RequestId = z.infer<typeof idSchema>;

/** The client that sends a message. */
export interface McpSession {
  readonly tenant: string;
  /** Undefined for a client without one, which cannot cancel by a message. */
  readonly id: string | null;
}

/** The requests of one message, until it is disposed of. */
export interface CancellableCalls extends Disposable {
  /** Fires when a request is cancelled. */
  signalOf(id: RequestId): AbortSignal | undefined;
}

/** Requests in progress, by tenant, session and id. */
export class McpCancellations {
  readonly #now: () => number;
  readonly #calls = new Map<string, Set<AbortController>>();
  /** By tenant: requests that were cancelled before they arrived, and until when that holds. */
  readonly #early = new Map<string, Map<string, number>>();

  /** `now` in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Number of requests and cancellations in memory. */
  get size(): number {
    const early = [...this.#early.values()].reduce((sum, { size }) => sum + size, 0);
    return this.#calls.size + early;
  }

  /** Adds the requests of a message. `onAll` is called once all of them are cancelled. */
  open(session: McpSession, message: unknown, onAll: () => void): CancellableCalls {
    const controllers = new Map<string, AbortController>();
    for (const id of requestIds(message)) {
      const key = keyOf(session, id);
      if (key !== undefined) controllers.set(key, new AbortController());
    }
    let left = controllers.size;
    for (const [key, controller] of controllers) {
      controller.signal.addEventListener("abort", () => --left === 0 && onAll(), { once: true });
      this.#add(key, controller);
      if (this.#takeEarly(session.tenant, key)) controller.abort();
    }
    return {
      signalOf: (id) => controllers.get(keyOf(session, id) ?? "")?.signal,
      [Symbol.dispose]: () => {
        for (const [key, controller] of controllers) this.#remove(key, controller);
      },
    };
  }

  /** Cancels the requests that a message names as cancelled. */
  apply(session: McpSession, message: unknown): void {
    for (const id of cancelledIds(message)) {
      const key = keyOf(session, id);
      if (key === undefined) continue;
      const controllers = this.#calls.get(key);
      if (controllers === undefined) this.#addEarly(session.tenant, key);
      else for (const controller of [...controllers]) controller.abort();
    }
  }

  #add(key: string, controller: AbortController): void {
    const known = this.#calls.get(key);
    if (known === undefined) this.#calls.set(key, new Set([controller]));
    else known.add(controller);
  }

  #remove(key: string, controller: AbortController): void {
    const known = this.#calls.get(key);
    if (known?.delete(controller) === true && known.size === 0) this.#calls.delete(key);
  }

  #addEarly(tenant: string, key: string): void {
    const now = this.#now();
    const early = this.#early.get(tenant) ?? new Map<string, number>();
    for (const [other, until] of early) {
      // the oldest come first
      if (until > now && early.size < MAX_EARLY_CANCELLATIONS) break;
      early.delete(other);
    }
    early.set(key, now + BODY_DEADLINE_MS);
    this.#early.set(tenant, early);
  }

  #takeEarly(tenant: string, key: string): boolean {
    const early = this.#early.get(tenant);
    const until = early?.get(key);
    if (early === undefined || until === undefined) return false;
    early.delete(key);
    if (early.size === 0) this.#early.delete(tenant);
    return until > this.#now();
  }
}

/** Undefined for what cannot be cancelled. */
function keyOf({ tenant, id: session }: McpSession, id: RequestId): string | undefined {
  if (session === null || session === "" || session.length > MAX_ID_LENGTH) return undefined;
  const request = JSON.stringify(id);
  return request.length > MAX_ID_LENGTH ? undefined : JSON.stringify([tenant, session, request]);
}

function messagesIn(message: unknown): readonly unknown[] {
  return Array.isArray(message) ? message : [message];
}

function requestIds(message: unknown): RequestId[] {
  return messagesIn(message).map((one) => requestSchema.safeParse(one).data?.id)
    .filter((id) => id !== undefined);
}

function cancelledIds(message: unknown): RequestId[] {
  return messagesIn(message).map((one) => cancelledSchema.safeParse(one).data?.params.requestId)
    .filter((id) => id !== undefined);
}

/** Whether a message begins a session. */
export function isInitialize(message: unknown): boolean {
  return requestSchema.safeParse(message).data?.method === "initialize";
}
