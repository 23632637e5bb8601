/** Hostile JavaScript and TypeScript, by kind. */
import type { HostileCase } from "./cases.ts";
import { ENDLESS } from "./javascript/endless_cases.ts";
import { ESCAPES, POISON, POISONED, RESULTS, THROWN } from "./javascript/guest_cases.ts";
import {
  HASHING,
  MEMORY,
  OUTPUT,
  RECURSION,
  RECURSION_CAUGHT,
} from "./javascript/resource_cases.ts";
import { SOURCES, TYPESCRIPT } from "./javascript/source_cases.ts";

export const JAVASCRIPT_CASES: readonly HostileCase[] = [
  ...ENDLESS,
  ...OUTPUT,
  ...MEMORY,
  ...HASHING,
  ...RECURSION,
  ...RECURSION_CAUGHT,
  ...SOURCES,
  ...THROWN,
  ...POISON.map((code) => ({ name: code, code: `${code} ({a: 1})`, outcome: "value" }) as const),
  ...POISONED.map((item) => ({ ...item, outcome: "value" }) as const),
  ...RESULTS,
  ...ESCAPES,
  ...TYPESCRIPT,
];
