/**
 * Finds out whether a regular expression may take more than linear time: runs it on long texts that
 * are made of its own parts. A text is a beginning, some characters repeated, and an end that lets the
 * match fail.
 *
 * @module
 */
import { ownProcessorMs } from "../support/process.ts";

/** Length of the longest texts. */
export const TEXT_LENGTH = 64 * 1024;
/** Texts that were slowest when short, and are tried at full length. */
const SLOWEST = 8;
/** Repetitions of short texts, in steps that are small where time may be exponential. */
const SHORT = [16, 22, 28, 36, 48, 64, 96, 160, 400, 1_500, 6_000, 20_000];
/** From this length on, only the slowest texts are tried. */
const SHORT_ENOUGH = 1_500;
/** A short text that takes so long is hopeless, in milliseconds. */
const HOPELESS_MS = 150;
/** Time within which a long text is certainly linear, in milliseconds: it is 65,536 characters. */
const LINEAR_MS = 60;
/** Growth of the time from half a text to the whole one; twice is linear, four times quadratic. */
const MOST_GROWTH = 3;
const ROUNDS = 4;

/** A part of a pattern that matches characters. */
const ATOM =
  /\[(?:\\[^]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Z]|\\k<[^>]*>|\(\?<[A-Za-z_$][\w$]*>|\(\?(?:[:=!]|<[=!])|\{\d+(?:,\d*)?\}|\\[^]|[^]/g;
/** Repetitions: unbounded ones, or so many that they matter. */
const REPETITION = /^(?:[*+]|\{\d+,\}|\{(?:\d+,)?\d{2,}\})$/;
const NO_CHARACTERS = /^(?:[()|?*+^$]|\(\?.*|\\[bBk].*|\{\d+(?:,\d*)?\})$/;
const OTHERS = " \t\r\naAzZ019_.,:;-+/\\\"'`<>()[]{}=&@#%$*!?~|é😀\u0000\u2028";

interface Text {
  readonly begin: string;
  readonly repeat: string;
  readonly end: string;
}

function made({ begin, repeat, end }: Text, length: number): string {
  return begin + repeat.repeat(Math.ceil(length / repeat.length)) + end;
}

/** Time of all matches in a text, in milliseconds. */
function timeOf(pattern: RegExp, text: string, rounds = 1): number {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const began = ownProcessorMs();
    if (pattern.global) { for (const _ of text.matchAll(pattern)); }
    else if (pattern.sticky) matchInTurn(pattern, text);
    else pattern.test(text);
    least = Math.min(least, ownProcessorMs() - began);
  }
  return least;
}

function matchInTurn(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  for (let at = -1; pattern.lastIndex > at && pattern.lastIndex <= text.length;) {
    at = pattern.lastIndex;
    if (pattern.exec(text) === null) break;
  }
  pattern.lastIndex = 0;
}

/** Whether a pattern repeats anything so often that its time may be more than linear. */
export function repeats({ source }: RegExp): boolean {
  return source.match(ATOM)?.some((part) => REPETITION.test(part)) ?? false;
}

/** A text on which the time of a pattern grows faster than its length; undefined: none was found. */
export function slowText(pattern: RegExp): string | undefined {
  let texts = textsFor(pattern);
  for (const length of SHORT) {
    const times: Timed[] = [];
    for (const text of texts) {
      const ms = timeOf(pattern, made(text, length));
      if (ms > HOPELESS_MS && timeOf(pattern, made(text, length), ROUNDS) > HOPELESS_MS) {
        return shown(text, length);
      }
      times.push({ text, ms });
    }
    if (length < SHORT_ENOUGH) continue;
    const exact = slowest(times, 4 * SLOWEST)
      .map(({ text }) => ({ text, ms: timeOf(pattern, made(text, length), ROUNDS) }));
    texts = slowest(exact, SLOWEST).map(({ text }) => text);
  }
  const slow = texts.find((text) => !isLinear(pattern, text));
  return slow === undefined ? undefined : shown(slow, TEXT_LENGTH);
}

interface Timed {
  readonly text: Text;
  readonly ms: number;
}

function slowest(times: readonly Timed[], count: number): readonly Timed[] {
  return times.toSorted((one, other) => other.ms - one.ms).slice(0, count);
}

function isLinear(pattern: RegExp, text: Text): boolean {
  const whole = timeOf(pattern, made(text, TEXT_LENGTH), 2);
  if (whole < LINEAR_MS) return true;
  const half = timeOf(pattern, made(text, TEXT_LENGTH / 2), ROUNDS);
  return timeOf(pattern, made(text, TEXT_LENGTH), ROUNDS) < MOST_GROWTH * half;
}

function shown({ begin, repeat, end }: Text, length: number): string {
  return `${JSON.stringify(begin)} + ${JSON.stringify(repeat)} … ${length} + ${
    JSON.stringify(end)
  }`;
}

function textsFor(pattern: RegExp): readonly Text[] {
  const parts: readonly string[] = pattern.source.match(ATOM) ?? [];
  const flags = pattern.flags.replace(/[gy]/g, "");
  const matchers = parts.map((part) => matcherOf(part, flags));
  const letters = differing(parts, matchers);
  const begins = new Set([""]);
  parts.forEach((part, index) => {
    if (!REPETITION.test(part)) return;
    const opened = Math.max(0, ...["(", "|"].map((sign) => parts.lastIndexOf(sign, index - 2)));
    for (const from of [0, opened]) {
      for (const to of [index - 1, index + 1]) {
        begins.add(sample(matchers.slice(from, to), letters));
      }
    }
  });
  const pairs = letters.flatMap((one) => letters.map((other) => one + other));
  const words = [...begins].flatMap((begin) => [begin, `${begin} `]);
  const repeated = new Set([...letters, ...pairs, ...words]);
  repeated.delete("");
  const ends = ["", "\u0000", "!\n"];
  return [...begins].flatMap((begin) =>
    [...repeated].flatMap((repeat) => ends.map((end) => ({ begin, repeat, end })))
  );
}

function matcherOf(part: string, flags: string): RegExp | undefined {
  if (NO_CHARACTERS.test(part)) return undefined;
  return new RegExp(`^(?:${part})$`, flags);
}

/** Characters of which no two match the same parts; at most a dozen. */
function differing(
  parts: readonly string[],
  matchers: readonly (RegExp | undefined)[],
): readonly string[] {
  const own = parts.flatMap((part, index) => matchers[index] === undefined ? [] : [...part]);
  const found = new Map<string, string>();
  for (const letter of new Set([...own, ...OTHERS])) {
    const matched = matchers.map((matcher) => matcher?.test(letter) === true ? 1 : 0).join("");
    if (!found.has(matched)) found.set(matched, letter);
  }
  return [...found.values()].slice(0, 12);
}

/** A text that the parts match one after the other, each once. */
function sample(
  matchers: readonly (RegExp | undefined)[],
  letters: readonly string[],
): string {
  return matchers.map((matcher) => letters.find((letter) => matcher?.test(letter)) ?? "").join("");
}
