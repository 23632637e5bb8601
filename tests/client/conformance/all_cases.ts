/** The whole conformance suite. */
import type { ConformanceCase } from "./case.ts";
import { CONTEXT_CASES } from "./context_cases.ts";
import { FILE_CASES } from "./file_cases.ts";
import { RUN_CASES } from "./run_cases.ts";
import { STATELESS_CASES } from "./stateless_cases.ts";

/** Every case. */
export const ALL_CASES: readonly ConformanceCase[] = [
  ...STATELESS_CASES,
  ...CONTEXT_CASES,
  ...RUN_CASES,
  ...FILE_CASES,
];
