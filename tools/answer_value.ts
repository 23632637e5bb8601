/**
 * The value of an HTTP answer: JSON is parsed, other text is a string, an empty body is null.
 *
 * @module
 */
import type { JsonValue } from "../client/protocol/types.ts";
import { CALL_LIMITS } from "../shared/call_limits.ts";
import { hasInfinity, isDeep, parseExactJson } from "../shared/exact_json.ts";
import { hasMoreStructure } from "../shared/json_structure.ts";
import type { SecretFilter } from "./secret_filter.ts";

/** A value without secrets, or what is wrong with it. */
export type AnswerValue = { readonly value: JsonValue } | { readonly fault: string };

/** `application/json`, and types with its syntax such as `application/problem+json`. */
const JSON_TYPE = /^[ \t]*(?:application|text)\/(?:[a-z0-9.!#$&^_-]+\+)?json[ \t]*(?:;|$)/i;

/**
 * Reads the body of an answer. Integers keep their digits. `pause` is awaited between the passes over a
 * long body, each of which takes tens of milliseconds.
 */
export async function answerValue(
  { bytes, headers }: { readonly bytes: Uint8Array; readonly headers: Headers },
  secrets: SecretFilter,
  pause: () => Promise<void>,
): Promise<AnswerValue> {
  const text = new TextDecoder().decode(bytes);
  if (text === "") return { value: null };
  if (!isJson(headers.get("content-type"), text)) return { value: secrets.text(text) };
  await pause();
  if (hasMoreStructure(bytes, CALL_LIMITS.answerStructure)) {
    return { fault: `has more than ${CALL_LIMITS.answerStructure} brackets, commas and colons` };
  }
  await pause();
  if (isDeep(text)) return { fault: "is nested too deeply" };
  await pause();
  let value: JsonValue;
  try {
    value = parseExactJson(text);
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return { value: secrets.text(text) };
  }
  await pause();
  if (hasInfinity(value)) return { fault: "has a number that is too large" };
  return { value: secrets.value(value) };
}

/** Without a media type, an object or a list is JSON. */
function isJson(mediaType: string | null, text: string): boolean {
  return mediaType === null ? /^\s*[{[]/.test(text) : JSON_TYPE.test(mediaType);
}
