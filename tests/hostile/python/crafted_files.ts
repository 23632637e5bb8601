/** Parts of programs that craft files, and how their outcomes are written down. */
import type { HostileCase } from "../cases.ts";

type Outcome = HostileCase["outcome"];

/** Cases by their names. A `value` is True. */
export function named(
  cases: Readonly<Record<string, readonly [Outcome, string]>>,
): readonly HostileCase[] {
  return Object.entries(cases).map(([name, [outcome, code]]) => {
    const results = outcome === "value" ? { results: [{ text: "True" }] } : {};
    return { name, code, outcome, ...results };
  });
}

/** Defines `mutants(data, count)`: copies of bytes, each with some of them changed, cut or repeated. */
export const MUTANTS = `
import io, random
def mutants(data, count):
    chance = random.Random(7)
    for _ in range(count):
        copy = bytearray(data)
        for _ in range(chance.randrange(1, 12)):
            at = chance.randrange(len(copy))
            kind = chance.randrange(4)
            if kind == 0: copy[at] = chance.randrange(256)
            elif kind == 1: copy[at:at + 4] = chance.choice([b"\\xff" * 4, bytes(4), b"\\x7f\\xff\\xff\\xff"])
            elif kind == 2 and len(copy) > 64: del copy[at:at + chance.randrange(1, 40)]
            else: copy[at:at] = copy[at:at + chance.randrange(1, 40)]
        yield bytes(copy)
`;
