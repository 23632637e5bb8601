/**
 * Warnings of Perl's compiler, which quote the text before an error.
 *
 * @module
 */
import type { OutputSink } from "../../../engine/engine.ts";
import { PREFIX } from "./source/prepare.ts";

const QUOTED = new RegExp(
  `(, near ")(?:[\\w:(){};]*\\n){0,2}${PREFIX.replaceAll(".", "\\.")}[ \\t\\r\\n]*`,
  "g",
);
/** Gives each byte one character. */
const BYTES = new TextDecoder("latin1");

/** Output to standard error, without quotes of the code that the host adds before the program. */
export function withoutPrefix(output: OutputSink): OutputSink {
  return (stream, bytes) => {
    const text = stream === 2 ? BYTES.decode(bytes) : "";
    return output(stream, text.includes(PREFIX) ? withoutQuoted(text, bytes) : bytes);
  };
}

function withoutQuoted(text: string, bytes: Uint8Array): Uint8Array {
  const left = new Uint8Array(bytes.length);
  let [from, length] = [0, 0];
  const keep = (to: number) => {
    left.set(bytes.subarray(from, to), length);
    length += to - from;
  };
  for (const { index, 0: match, 1: before = "" } of text.matchAll(QUOTED)) {
    keep(index + before.length);
    from = index + match.length;
  }
  keep(bytes.length);
  return left.subarray(0, length);
}
