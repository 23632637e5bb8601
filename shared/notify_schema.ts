/**
 * The field `notify` of a request (docs/calls.md#notifications).
 *
 * @module
 */
import { z } from "zod";
import { quoted } from "../client/protocol/text.ts";
import type { NotifyTarget } from "../client/protocol/types.ts";
import { CALL_LIMITS } from "./call_limits.ts";

const { notifyUrlLength, notifySecretLength } = CALL_LIMITS;
/** Marks a secret as base64, as in Standard Webhooks. */
const ENCODED_SECRET = "whsec_";

/** Reads the target of notifications. Whether its host is allowed is checked later. */
export const NOTIFY_SCHEMA: z.ZodType<NotifyTarget, unknown> = z.strictObject({
  url: z.string("notify.url must be a string")
    .max(notifyUrlLength, `notify.url has more than ${notifyUrlLength} characters`)
    .refine(isPlainUrl, "notify.url must be an http or https URL without user info")
    .meta({ format: "uri" }),
  secret: z.string("notify.secret must be a string")
    .min(1, "notify.secret must not be empty")
    .max(notifySecretLength, `notify.secret has more than ${notifySecretLength} characters`)
    .refine(
      (secret) => notifyKey(secret) !== undefined,
      `notify.secret must be base64 after ${ENCODED_SECRET}`,
    ),
}, {
  error: (issue) =>
    issue.code === "unrecognized_keys"
      ? `notify has an unknown field ${quoted(String(issue.keys))}`
      : "notify must be an object with url and secret",
}).describe(
  "Where the service sends a signed request when the run waits and when it is over, if the " +
    "operator allows the host. The run is durable then.",
);

function isPlainUrl(text: string): boolean {
  const url = URL.parse(text);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return isWeb && url.username === "" && url.password === "";
}

/** The key with which notifications are signed; undefined for a damaged secret. */
export function notifyKey(secret: string): Uint8Array<ArrayBuffer> | undefined {
  if (!secret.startsWith(ENCODED_SECRET)) return new TextEncoder().encode(secret);
  try {
    const key = Uint8Array.fromBase64(secret.slice(ENCODED_SECRET.length));
    return key.length === 0 ? undefined : key;
  } catch {
    return undefined;
  }
}
