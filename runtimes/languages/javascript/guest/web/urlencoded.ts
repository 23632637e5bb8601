/**
 * The `application/x-www-form-urlencoded` format of the URL Standard.
 *
 * @module
 */
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

const encodeComponent = encodeURIComponent;
const decodeComponent = decodeURIComponent;

function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/**
 * Decodes each `%xx` of a text, encodes the rest as UTF-8, and decodes the bytes with replacement
 * characters.
 */
export function percentDecode(text: string): string {
  const bytes = encodeUtf8(text);
  const { length } = bytes;
  let count = 0;
  for (let i = 0; i < length; i++) {
    const high = bytes[i] === 0x25 ? hexValue(bytes[i + 1] ?? 0) : -1;
    const low = high < 0 ? -1 : hexValue(bytes[i + 2] ?? 0);
    bytes[count++] = low < 0 ? bytes[i] ?? 0 : high << 4 | low;
    if (low >= 0) i += 2;
  }
  return decodeUtf8(bytes.subarray(0, count));
}

function decodePart(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeComponent(spaced);
  } catch {
    return percentDecode(spaced);
  }
}

/** Alternating names and values. */
export function parseUrlencoded(text: string): string[] {
  const list: string[] = [];
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    list.push(decodePart(equals < 0 ? pair : pair.slice(0, equals)));
    list.push(equals < 0 ? "" : decodePart(pair.slice(equals + 1)));
  }
  return list;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "!": "%21",
  "'": "%27",
  "(": "%28",
  ")": "%29",
  "~": "%7E",
  "%20": "+",
};

function encodePart(text: string): string {
  return encodeComponent(text).replace(/[!'()~]|%20/g, (found) => ESCAPES[found] ?? found);
}

/** The text for alternating names and values, all of them well-formed. */
export function serializeUrlencoded(list: readonly string[]): string {
  let text = "";
  for (let i = 0; i < list.length; i += 2) {
    text += `${i === 0 ? "" : "&"}${encodePart(list[i] ?? "")}=${encodePart(list[i + 1] ?? "")}`;
  }
  return text;
}
