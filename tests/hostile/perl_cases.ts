/** Hostile Perl, by kind. */
import type { HostileCase } from "./cases.ts";
import { HOST_ACCESS, NETWORK, PROCESSES } from "./perl/escape_cases.ts";
import { BROKEN, HANDLES, RESULTS, SYMBOL_TABLES } from "./perl/guest_cases.ts";
import { ENDLESS, FILES, MEMORY, OUTPUT, RECURSION, WAITING } from "./perl/resource_cases.ts";
import { SOURCES } from "./perl/source_cases.ts";

export const PERL_CASES: readonly HostileCase[] = [
  ...ENDLESS,
  ...MEMORY,
  ...RECURSION,
  ...OUTPUT,
  ...WAITING,
  ...FILES,
  ...HOST_ACCESS,
  ...NETWORK,
  ...PROCESSES,
  ...HANDLES,
  ...RESULTS,
  ...SYMBOL_TABLES,
  ...SOURCES,
  ...BROKEN.map((code) => ({ name: code, code, outcome: "crash" }) as const),
];
