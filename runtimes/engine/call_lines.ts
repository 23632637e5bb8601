/**
 * The lines between a guest's driver and the host about calls. A driver writes them to `/dev/call` and
 * reads the answers from it; JavaScript's driver, which opens no files, passes them to the host.
 *
 * The driver writes:
 *
 * - `call NUMBER NAME JSON`: a call. Numbers begin with 1 and have no gap, the JSON is an object in
 *   one line. A line that the host refuses (a name of another form, more than 64 KiB of JSON, 64
 *   pending calls) fails the write with EINVAL, and its number is not used.
 * - `wait CALLS MS`: waits for one answer. CALLS is `-` or a list with commas of numbers of pending
 *   calls, and `input` for a line of standard input. MS is the longest time in whole or broken
 *   milliseconds, or `-`. The write returns when the wait is over.
 *
 * After each wait the driver reads one line:
 *
 * - `value NUMBER JSON`: the value of a call.
 * - `integers NUMBER {"value":…,"integers":…}`: the same for JavaScript, with the places of large
 *   integers ({@link IntegerPlaces}).
 * - `error NUMBER JSON`: its failure, `{"kind":"tool"|"denied"|"expired","message":"…","data":…}`;
 *   `data` may be absent.
 * - `input`: standard input has a line, or has ended.
 * - `elapsed`: the time is over.
 *
 * A language may have the JSON of answers in another form ({@link AnswerText}).
 *
 * @module
 */
import { CALL_LIMITS } from "../../shared/call_limits.ts";
import type { Delivery, IntegerPlaces } from "../../shared/run_calls.ts";
import type { BareWait, ProgramCalls } from "./program_calls.ts";

/** Turns the JSON of an answer, which is valid and in one line, into the driver's form. */
export type AnswerText = (json: string) => string;

/** The most bytes of a line that a driver writes, its newline not counted. */
export const MAX_CALL_LINE_BYTES: number = CALL_LIMITS.argumentBytes + 512;

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const WORD = /^(\w+) (\S+) (.*)$/s;
const NUMBER = /^[1-9]\d{0,8}$/;
const MILLISECONDS = /^\d{1,16}(?:\.\d{1,9})?$/;

/** The outcome of a line: refused, or the line to read next, if there is one. */
export type LineOutcome = { readonly isRefused: boolean; readonly reply?: string };

const REFUSED: LineOutcome = { isRefused: true };
const DONE: LineOutcome = { isRefused: false };

/** Does what one line says. */
export function obeyLine(
  calls: ProgramCalls,
  line: Uint8Array,
  answerText: AnswerText = (json) => json,
): LineOutcome {
  const [, verb, first = "", rest = ""] = WORD.exec(textOf(line)) ?? [];
  if (verb === "call") {
    const at = rest.indexOf(" ");
    if (!NUMBER.test(first) || at < 0) return REFUSED;
    const refusal = calls.call(Number(first), rest.slice(0, at), rest.slice(at + 1));
    return refusal === undefined ? DONE : REFUSED;
  }
  const wait = verb === "wait" ? readWait(first, rest) : undefined;
  const delivery = wait === undefined ? undefined : calls.wait(wait);
  return delivery === undefined
    ? REFUSED
    : { isRefused: false, reply: replyOf(delivery, answerText) };
}

/** Invalid bytes make a line that says nothing. */
function textOf(line: Uint8Array): string {
  try {
    return DECODER.decode(line);
  } catch {
    return "";
  }
}

function readWait(list: string, ms: string): Omit<BareWait, "fuel" | "memoryBytes"> | undefined {
  const words = list === "-" ? [] : list.split(",", CALL_LIMITS.pending + 2);
  const numbers = words.filter((word) => word !== "input");
  if (words.length > CALL_LIMITS.pending + 1 || !numbers.every((word) => NUMBER.test(word))) {
    return undefined;
  }
  if (ms !== "-" && !MILLISECONDS.test(ms)) return undefined;
  return {
    calls: numbers.map(Number),
    input: numbers.length < words.length,
    maxMs: ms === "-" ? null : Math.min(Number(ms), Number.MAX_SAFE_INTEGER),
  };
}

/** Newlines in JSON are only between its parts. */
function inOneLine(json: string): string {
  return json.replace(/[\r\n]/g, " ");
}

function replyOf(delivery: Delivery, answerText: AnswerText): string {
  if ("elapsed" in delivery) return "elapsed\n";
  if ("input" in delivery) return "input\n";
  const { call } = delivery;
  if ("error" in delivery) {
    return `error ${call} ${answerText(JSON.stringify(delivery.error))}\n`;
  }
  const { value, integers } = delivery;
  const json = inOneLine(value);
  return integers === undefined
    ? `value ${call} ${answerText(json)}\n`
    : `integers ${call} ${withPlaces(json, integers)}\n`;
}

function withPlaces(json: string, integers: IntegerPlaces): string {
  return `{"value":${json},"integers":${JSON.stringify(integers)}}`;
}
