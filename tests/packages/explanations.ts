/**
 * Why tests end differently here: what is meant to differ, and what no engine can tell apart.
 *
 * @module
 */
import type { Difference } from "./outcomes.ts";

interface Explanation {
  readonly why: string;
  readonly holds: (difference: Difference) => boolean;
}

const NO_CTYPES =
  /No module named '_?ctypes'|module 'ctypes' has no attribute|'NoneType' object has no attribute 'c_void_p'/;

const EXPLANATIONS: readonly Explanation[] = [
  {
    why: "there is no ctypes: a guest could call any function of the process with it",
    holds: ({ here }) => NO_CTYPES.test(here?.reason ?? ""),
  },
];

/** Why a test ends differently; undefined when that is not known. */
export function explanationOf(difference: Difference): string | undefined {
  return EXPLANATIONS.find(({ holds }) => holds(difference))?.why;
}
