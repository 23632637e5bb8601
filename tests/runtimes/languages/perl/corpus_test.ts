// test: long
/**
 * Ordinary programs must print what they print under a native perl. The expected output is recorded
 * with `tests/corpus/perl/record.ts`.
 *
 * @module
 */
import { assertEquals, assertGreater } from "@std/assert";
import { type Ran, run } from "./perl.ts";

const CORPUS = new URL("../../../corpus/perl/", import.meta.url);

/** The exit status that a process would have. */
function status({ ending }: Ran): number {
  if (ending.kind !== "error") return ending.kind === "limit" || ending.kind === "crash" ? -1 : 0;
  const exited = /^exit status (\d+)$/.exec(ending.error.message)?.[1];
  return ending.error.name === "SystemExit" && exited !== undefined ? Number(exited) : 255;
}

async function programs(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(CORPUS)) if (name.endsWith(".pl")) names.push(name);
  return names.sort();
}

function printed(ran: Ran): string {
  const end = ran.out === "" || ran.out.endsWith("\n") ? "" : "\n";
  return `${ran.out}${end}exit status ${status(ran)}\n`;
}

Deno.test("perl corpus: ordinary programs print what they print natively", async () => {
  const names = await programs();
  assertGreater(names.length, 80);
  const wrong: string[] = [];
  for (const name of names) {
    const code = await Deno.readTextFile(new URL(name, CORPUS));
    const expected = await Deno.readTextFile(new URL(name.replace(/\.pl$/, ".out"), CORPUS));
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
  const code = await Deno.readTextFile(new URL("sorting.pl", CORPUS));
  const expected = await Deno.readTextFile(new URL("sorting.out", CORPUS));
  const faulty = await run(code.replace("$a->{age} <=> $b->{age}", "$b->{age} <=> $a->{age}"));
  assertEquals(printed(faulty) === expected, false);
});
