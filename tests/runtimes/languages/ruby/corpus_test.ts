// test: long
/**
 * Ordinary programs print here what Debian's `ruby` printed when their expected output was
 * recorded: `ruby program.rb < /dev/null`, with Ruby 3.1; what is newer than
 * that, in `new_in_ruby_3.rb`, was written by hand.
 */
import { assert, assertEquals, assertGreater, assertNotEquals } from "@std/assert";
import { readArchive } from "../../../corpus/archive.ts";
import { run } from "./ruby.ts";

const CORPUS = readArchive("ruby");

interface Program {
  readonly name: string;
  readonly code: string;
  readonly expected: string;
}

function programs(): Program[] {
  return [...CORPUS].filter(([name]) => name.endsWith(".rb")).map(([name, code]) => {
    const expected = CORPUS.get(name.replace(/\.rb$/, ".out"));
    assert(expected !== undefined, name);
    return { name, code, expected };
  });
}

/** How the programs that do not end by themselves end. */
const ENDINGS = new Map([
  ["exit_status.rb", "error"],
  ["uncaught_partial.rb", "error"],
  ["numbers_of_all_kinds.rb", "error"],
  ["streams_and_paths.rb", "error"],
]);

Deno.test("ruby corpus: each program prints what it prints natively", async () => {
  const all = programs();
  assertGreater(all.length, 95);
  for (const { name, code, expected } of all) {
    const ran = await run(code);
    assertEquals(ran.stdout, expected, `${name}: ${JSON.stringify(ran.ending).slice(0, 300)}`);
    assertEquals(ran.ending.kind === "error" ? "error" : "", ENDINGS.get(name) ?? "", name);
  }
});

/** Faults of the kinds an engine could have. */
const FAULTS: readonly (readonly [program: string, fault: string])[] = [
  ["sorting_algorithms.rb", "class Array; def partition = [[], self]; end"],
  ["numbers.rb", "class Integer; def divmod(n) = [0, 0]; end"],
  ["string_methods.rb", "class String; def tr(a, b) = self; end"],
  ["json_data.rb", "require 'json'; def JSON.generate(*) = '{}'"],
  ["times.rb", "class Time; def wday = 9; end"],
  ["fibers_generators.rb", "class Fiber; def resume(*) = 1; end"],
];

Deno.test("ruby corpus: planted faults are noticed", async () => {
  const byName = new Map(programs().map((program) => [program.name, program]));
  for (const [name, fault] of FAULTS) {
    const program = byName.get(name);
    assert(program !== undefined, name);
    const ran = await run(`${fault}\n${program.code}`);
    assertNotEquals(ran.stdout, program.expected, name);
  }
});
