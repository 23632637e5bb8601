// test: long
/**
 * Ordinary programs must print what they print under a native perl. The expected output is recorded
 * with `tests/corpus/perl/record.ts`.
 *
 * @module
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { readArchive } from "../../../corpus/archive.ts";
import { type Ran, run } from "./perl.ts";

const CORPUS = readArchive("perl");

/** The exit status that a process would have. */
function status({ ending }: Ran): number {
  if (ending.kind !== "error") return ending.kind === "limit" || ending.kind === "crash" ? -1 : 0;
  const exited = /^exit status (\d+)$/.exec(ending.error.message)?.[1];
  return ending.error.name === "SystemExit" && exited !== undefined ? Number(exited) : 255;
}

/** A program, and what it prints natively. */
function programNamed(name: string): { readonly code: string; readonly expected: string } {
  const code = CORPUS.get(`${name}.pl`);
  const expected = CORPUS.get(`${name}.out`);
  assert(code !== undefined && expected !== undefined, name);
  return { code, expected };
}

function printed(ran: Ran): string {
  const end = ran.out === "" || ran.out.endsWith("\n") ? "" : "\n";
  return `${ran.out}${end}exit status ${status(ran)}\n`;
}

Deno.test("perl corpus: ordinary programs print what they print natively", async () => {
  const names = [...CORPUS.keys()].filter((name) => name.endsWith(".pl"))
    .map((name) => name.slice(0, -3));
  assertGreater(names.length, 80);
  const wrong: string[] = [];
  for (const name of names) {
    const { code, expected } = programNamed(name);
    const ran = await run(code);
    const got = printed(ran);
    if (got !== expected) wrong.push(`${name}: ${firstDifference(got, expected)}\n${ran.err}`);
  }
  assertEquals(wrong, []);
});

function firstDifference(got: string, expected: string): string {
  const [left, right] = [got.split("\n"), expected.split("\n")];
  const line = left.findIndex((text, index) => text !== right[index]);
  return `line ${line + 1}: ${JSON.stringify(left[line])}, natively ${JSON.stringify(right[line])}`;
}

Deno.test("perl corpus: a planted fault is found", async () => {
  const { code, expected } = programNamed("sorting");
  const faulty = await run(code.replace("$a->{age} <=> $b->{age}", "$b->{age} <=> $a->{age}"));
  assertEquals(printed(faulty) === expected, false);
});
