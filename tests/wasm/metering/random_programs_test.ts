// test: slow
import { assert } from "@std/assert";
import { seededBelow } from "../../support/random.ts";
import { type Call, checkMetering } from "./metered_program.ts";
import { printSeed, randomProgram } from "./program_generator.ts";

const PROGRAMS = 400;

function calls(random: (below: number) => number): Call[] {
  return Array.from(
    { length: 6 },
    (_, i) => [`f${i % 3}`, random(100) - 50, random(100) - 50] as const,
  );
}

Deno.test("random programs: results are equal, and fuel equals the naive count, or more with merging", () => {
  const seed = 20_251_121;
  printSeed(seed);
  for (let number = 0; number < PROGRAMS; number++) {
    const random = seededBelow(seed + number);
    const source = randomProgram(random, false);
    assert(WebAssembly.validate(source), `program ${number} is not valid`);
    checkNamed(number, () => checkMetering(source, calls(random)));
  }
});

Deno.test("random programs: with exceptions the results are the same and nothing runs unpaid", () => {
  const seed = 77_001;
  printSeed(seed);
  for (let number = 0; number < PROGRAMS; number++) {
    const random = seededBelow(seed + number);
    const source = randomProgram(random, true);
    assert(WebAssembly.validate(source), `program ${number} is not valid`);
    checkNamed(number, () => checkMetering(source, calls(random), { inexact: true }));
  }
});

function checkNamed(number: number, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw new Error(`program ${number}`, { cause: error });
  }
}
