/** Hostile Python, by kind. */
import type { HostileCase } from "./cases.ts";
import { ESCAPES, HOST_ACCESS, NETWORK } from "./python/escape_cases.ts";
import { BROKEN } from "./python/broken_interpreter_cases.ts";
import { OVERRIDES, RESULTS } from "./python/guest_cases.ts";
import {
  BOMBS,
  C_LOOPS,
  ENDLESS,
  MEMORY,
  NUMBERS,
  OUTPUT,
  RECURSION,
  SOURCES,
  WAITING,
} from "./python/resource_cases.ts";

export const PYTHON_CASES: readonly HostileCase[] = [
  ...ENDLESS,
  ...C_LOOPS,
  ...NUMBERS,
  ...MEMORY,
  ...RECURSION,
  ...BOMBS,
  ...SOURCES,
  ...OUTPUT,
  ...WAITING,
  ...HOST_ACCESS,
  ...ESCAPES,
  ...NETWORK,
  ...OVERRIDES,
  ...RESULTS,
  ...BROKEN.map((code) => ({ name: code, code, outcome: "crash" }) as const),
];
