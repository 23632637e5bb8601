/**
 * The request of a notification, signed as in Standard Webhooks (docs/calls.md#notifications).
 *
 * @module
 */
import { isoTimestamp } from "../shared/clock.ts";
import { notifyKey } from "../shared/notify_schema.ts";
import type { Notice, NoticeName } from "./run_notices.ts";

/** A request that tells of a run. */
export interface NoticeRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Makes the request. It names the run and has nothing of its program: who receives it reads the run
 * with a token.
 *
 * @param now when it is sent, in epoch milliseconds
 */
export async function noticeRequest(
  { run, n }: Pick<NoticeName, "run" | "n">,
  { target, state, language, contextId, createdAt, at }: Notice,
  now: number,
): Promise<NoticeRequest> {
  const isOver = state !== "waiting";
  const body = JSON.stringify({
    type: `run.${state}`,
    timestamp: isoTimestamp(() => at),
    data: {
      id: run,
      state,
      language,
      ...(contextId === undefined ? {} : { contextId }),
      createdAt: isoTimestamp(() => createdAt),
      ...(isOver ? { endedAt: isoTimestamp(() => at) } : {}),
    },
  });
  const id = `${run}.${n}`;
  const timestamp = String(Math.floor(now / 1_000));
  const signature = await signed(target.secret, [id, timestamp, body].join("."));
  return {
    url: new URL(target.url),
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`,
    },
    body,
  };
}

/** HMAC with SHA-256, as base64. */
async function signed(secret: string, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = notifyKey(secret) ?? new Uint8Array();
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text));
  return new Uint8Array(signature).toBase64();
}
