/**
 * Outgoing requests in tests.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { parseAllowedAddress } from "../../outgoing/addresses.ts";
import { Outgoing, type OutgoingOptions, type OutgoingRequest } from "../../outgoing/outgoing.ts";

/** Bytes of a body that {@link send} takes. */
export const MAX_BYTES = 1024;
/** An answer over a connection. */
export const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** undici has one timer for all its time-outs, which goes on for a second after the last of them. */
export const CLOCK = { sanitizeOps: false, sanitizeResources: false } as const;

interface Settings extends Partial<Omit<OutgoingOptions, "allowed">> {
  readonly allowed?: readonly string[];
}

/** Outgoing requests that end with the block. */
export function makeOutgoing({ allowed = ["127.0.0.1"], ...settings }: Settings = {}) {
  const entries = allowed.flatMap((entry) => parseAllowedAddress(entry) ?? []);
  assertEquals(entries.length, allowed.length);
  const log = () => {};
  const outgoing = new Outgoing({ log, clock: Date.now, ...settings, allowed: entries });
  return Object.assign(outgoing, { [Symbol.asyncDispose]: () => outgoing.close() });
}

/** Sends a request and reads its body: status and text, or the failure. */
export async function send(
  outgoing: Outgoing,
  url: string,
  request: Partial<Omit<OutgoingRequest, "url">> = {},
) {
  const { signal = new AbortController().signal } = request;
  const fields = { method: "GET", headers: {}, ...request, signal, url: new URL(url) };
  const outcome = await outgoing.exchange(fields, MAX_BYTES);
  if ("failure" in outcome) return outcome.failure;
  return { status: outcome.status, text: new TextDecoder().decode(outcome.bytes) };
}

/** A name server of one name after the other, and the names that were looked up. */
export function lookUps(...answers: readonly (readonly string[])[]) {
  const names: string[] = [];
  return {
    names,
    lookUp: (name: string) => {
      names.push(name);
      return Promise.resolve(answers[Math.min(names.length, answers.length) - 1] ?? []);
    },
  };
}
