// test: long
/** Reading a Perl file takes time in proportion to its length, whatever it contains. */
import { assert } from "@std/assert";
import { readsItself } from "../../../../runtimes/languages/perl/host/source/prepare.ts";
import { prepareProgram } from "../../../../runtimes/languages/perl/host/source/prepare.ts";
import { ownProcessorMs } from "../../../support/process.ts";

const BYTES = 65_536;
/** Eight times the length may take this many times the time; a square would take 64 times. */
const TIMES = 24;
const TRIES = 40;

/** Texts that are repeated, with a beginning and an end. */
const REPEATED: readonly (readonly [start: string, part: string, end?: string])[] = [
  ["<", "."],
  ["<", ".*"],
  ["<", "a"],
  ["<", "/", "<"],
  ["<$", "a"],
  ["", "<a.", ""],
  ["", "< "],
  ["", "<<"],
  ["<<", " ", "x"],
  ['<<"', "a"],
  ["", '<<"a'],
  ["", "<<'a "],
  ["'", "<<"],
  ['"', "${<<"],
  ["my", " ", "x"],
  ["my Dog", " ", "x"],
  ["my \\", " ", "x"],
  ["my (", "$ ", ""],
  ["", "my ("],
  ["", "my $"],
  ["my ", "a", ""],
  ["", "my "],
  ["", "our @ "],
  ["", "open "],
  ["", "open;", "main_p"],
  ["open", " __FILE", ""],
  ["format", " ", "="],
  ["", "format\n"],
  ["", "format A =\n"],
  ["format A =\n", ".  x\n"],
  ["package ", "a"],
  ["", "package a "],
  ["sub", " ", "x"],
  ["", "sub ("],
  ["sub(", "$", ""],
  ["", "sub x"],
  ["my ", "sub "],
  ["", "CHECK "],
  ["CHECK", " ", "x"],
  ["", "$"],
  ["", "%$"],
  ["", "@{"],
  ["", "{}"],
  ["", "{"],
  ["{}", " ", "x"],
  ["{}", "#\n"],
  ["", "q"],
  ["q", " ", "x"],
  ["", "q'a'"],
  ["", "q'1'_"],
  ["", "a'"],
  ["", "a::"],
  ["s/", "a", ""],
  ["", "s{a}"],
  ["", "/a"],
  ["", "#line 1\n"],
  ["# line 1 ", " ", "x"],
  ["#line 1 ", "a", " x"],
  ["", "=pod\n"],
  ["1\n", "=pod\n\n"],
  ["1 +\n", "=a\n"],
  ["", "\r"],
  ["<<~A\n", "\r", "\n"],
  ["", "0x_"],
  ["", "1e"],
  ["", "1."],
  ["", "a:"],
  ["a", " ", ":"],
  ["", "\n"],
  ["", "-e"],
];

/** The shortest of some measurements, in milliseconds of processor time. */
function leastMs(work: () => void, repeats: number): number {
  return Math.min(...Array.from({ length: repeats }, () => {
    const from = ownProcessorMs();
    work();
    return ownProcessorMs() - from;
  }));
}

/** Whether eight times the text takes about eight times as long, found in one of many tries. */
function isLinear(work: (text: string) => void, text: (bytes: number) => string): boolean {
  const [short, long] = [text(BYTES / 8), text(BYTES)];
  for (let at = 0; at < TRIES; at++) {
    const few = leastMs(() => work(short), 3);
    if (leastMs(() => work(long), 2) < TIMES * Math.max(few, 0.2)) return true;
  }
  return false;
}

Deno.test("perl source: any text of 64 KiB is read in linear time", () => {
  for (const [start, part, end = ""] of REPEATED) {
    const text = (bytes: number) => start + part.repeat(bytes / part.length) + end;
    const named = JSON.stringify([start, part, end]);
    assert(isLinear((code) => void prepareProgram(code), text), named);
    assert(isLinear((code) => void prepareProgram(code, true), text), `${named}, in a context`);
    assert(isLinear((code) => void readsItself(code), text), `${named}, own text`);
  }
});
