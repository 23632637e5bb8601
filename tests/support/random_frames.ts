/**
 * Random writes into the device of calls: lines that nearly are those of a driver, in parts and
 * together, too long, with names and numbers of all kinds, and bytes that are no text.
 *
 * @module
 */
import type { Below } from "./random_answers.ts";

/** One step of a hostile program. */
export interface DeviceStep {
  /** The bytes as hexadecimal digits, written so many times in one write. */
  readonly hex: string;
  readonly times: number;
  /** Lengths of the reads that follow. */
  readonly reads: readonly number[];
  /** Before the write. */
  readonly before: "nothing" | "reopen" | "seek" | "call" | "flush";
}

const NAMES: readonly string[] = [
  "echo",
  "crm.find",
  "a..b",
  ".a",
  "1a",
  "__proto__",
  "naïve",
  "n".repeat(128),
  "n".repeat(129),
  "n".repeat(70_000),
];

const ARGUMENTS: readonly string[] = [
  "{}",
  '{"a":1}',
  '{ "a": [1, {"b": "\\u0000"}] }',
  "[]",
  "null",
  "{",
  '{"a":1}}',
  '{"a":1}\t{"b":2}',
  "",
  "[".repeat(2_000),
  `{"a":${"[".repeat(2_000)}${"]".repeat(2_000)}}`,
  `{"a":"${"x".repeat(65_000)}"}`,
  `{"a":"${"x".repeat(65_536)}"}`,
];

const LISTS: readonly string[] = ["-", "1", "1,2", "input", "1,input", "1,1", ",", "0", "99", "-1"];
const TIMES: readonly string[] = [
  "-",
  "0",
  "5",
  "0.5",
  "1e9",
  "9999999999999999",
  "99999999999999999999",
  "-1",
  "NaN",
  "",
];

/** Steps of a program; the numbers of its calls are mostly right. */
export function randomSteps(below: Below, count: number): readonly DeviceStep[] {
  let calls = 0;
  const line = (): string => {
    switch (below(8)) {
      case 0:
      case 1:
      case 2: {
        const isNext = below(4) > 0;
        if (isNext) calls++;
        const number = isNext ? calls : pick(below, [0, calls, calls + 7, 999_999_999, 1e21]);
        return `call ${number} ${pick(below, NAMES)} ${pick(below, ARGUMENTS)}\n`;
      }
      case 3:
        calls++;
        return `call ${calls} echo {}\n`;
      case 4:
        return `wait ${calls} -\n`;
      case 5:
        return `wait ${pick(below, [...LISTS, longList(below)])} ${pick(below, TIMES)}\n`;
      case 6:
        return pick(below, [
          "\n",
          "call\n",
          "wait 1\n",
          "call 1 \n",
          "reset 1 2\n",
          "\u0000\n",
          " ",
        ]);
      default:
        return `${"z".repeat(below(200_000))}${pick(below, ["", "\n"])}`;
    }
  };
  return Array.from({ length: count }, () => {
    const text = Array.from({ length: 1 + below(3) }, line).join("");
    const times = below(15) === 0 ? below(40) : 1;
    const bytes = cut(new TextEncoder().encode(text), below);
    return {
      // many copies of a long line are more than a program can hold
      hex: bytes.subarray(0, times > 1 ? 4_000 : 80_000).toHex(),
      times,
      reads: Array.from({ length: below(3) }, () => pick(below, [1, 7, 64, 65_536])),
      before: pick(below, ["nothing", "nothing", "nothing", "reopen", "seek", "call", "flush"]),
    };
  });
}

/** The bytes, of which the end is missing at times, or one is another. */
function cut(bytes: Uint8Array<ArrayBuffer>, below: Below): Uint8Array<ArrayBuffer> {
  if (below(5) === 0) return bytes.slice(0, below(bytes.length + 1));
  if (below(5) === 0 && bytes.length > 0) bytes[below(bytes.length)] = below(256);
  return bytes;
}

function longList(below: Below): string {
  return Array.from({ length: below(200) }, (_, index) => index + 1).join(",");
}

function pick<T>(below: Below, items: readonly T[]): T {
  const item = items[below(items.length)];
  if (item === undefined) throw new RangeError("nothing to choose from");
  return item;
}
