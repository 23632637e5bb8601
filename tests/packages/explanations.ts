/**
 * The known reasons why tests end differently in Belljar.
 *
 * @module
 */
import type { Difference } from "./outcomes.ts";

interface Explanation {
  readonly why: string;
  readonly holds: (difference: Difference) => boolean;
}

const NO_FOREIGN_FUNCTIONS =
  /foreign functions and libraries are not available|`ctypes\.pythonapi` required|_missing_ctypes|function '\w+' not found/;

/** The limit on the size of a file: docs/contract.md#limits. */
const LARGE_FILE = /OSError: \d+ requested and \d+ written/;

const EXPLANATIONS: readonly Explanation[] = [
  {
    why: "ctypes has no foreign functions: a guest could call any function of the process",
    holds: ({ here }) => NO_FOREIGN_FUNCTIONS.test(here?.reason ?? ""),
  },
  {
    why: "files have at most 4 MiB",
    holds: ({ here }) => LARGE_FILE.test(here?.reason ?? ""),
  },
  {
    why: "a run has one warning, with a text of its own, of all characters that no font has",
    holds: ({ test, here }) =>
      test.endsWith("::test_mathtext_ticks") && /DID NOT WARN/.test(here?.reason ?? ""),
  },
  {
    why: "modules that only CPython's own tests need are left out",
    holds: ({ here }) => /_testbuffer is not available/.test(here?.reason ?? ""),
  },
  {
    why:
      "asyncio runs here; in the published engine it needs a host that calls Python asynchronously",
    holds: ({ here, stock }) =>
      here?.outcome === "passed" && /Cannot stack switch/.test(stock?.reason ?? ""),
  },
];

/** Why a test ends differently; undefined when that is not known. */
export function explanationOf(difference: Difference): string | undefined {
  return EXPLANATIONS.find(({ holds }) => holds(difference))?.why;
}
