/** Hostile Ruby, by kind. */
import type { HostileCase } from "./cases.ts";
import { ESCAPES, HOST, NETWORK, PROCESSES } from "./ruby/escape_cases.ts";
import { OVERRIDES, RESULTS, STREAMS } from "./ruby/guest_cases.ts";
import { ENDLESS, MEMORY, NUMBERS, OUTPUT, RECURSION, SOURCES } from "./ruby/resource_cases.ts";

export const RUBY_CASES: readonly HostileCase[] = [
  ...ENDLESS,
  ...NUMBERS,
  ...MEMORY,
  ...RECURSION,
  ...SOURCES,
  ...OUTPUT,
  ...PROCESSES,
  ...ESCAPES,
  ...HOST,
  ...NETWORK,
  ...OVERRIDES,
  ...RESULTS,
  ...STREAMS,
];
