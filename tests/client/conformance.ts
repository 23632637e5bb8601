/**
 * The contract's section A against any service: the same cases for bindings in the process, for
 * `connect()`, for the fake and for the real service.
 */
import { ALL_CASES } from "./conformance/all_cases.ts";
import type { ConformanceCase, ConformanceEnv } from "./conformance/case.ts";

/** An environment, and what has to be ended after a case. */
export interface OpenEnv extends AsyncDisposable {
  readonly env: ConformanceEnv;
}

/** Registers a test for each case; `open` gives the environment that it runs in. */
export function clientConformance(
  label: string,
  open: () => Promise<OpenEnv>,
  cases: readonly ConformanceCase[] = ALL_CASES,
): void {
  for (const { name, run } of cases) {
    Deno.test(`client, ${label}: ${name}`, async () => {
      await using opened = await open();
      await run(opened.env);
    });
  }
}

/** An environment that nothing has to be ended of. */
export function opened(env: ConformanceEnv): Promise<OpenEnv> {
  return Promise.resolve({ env, [Symbol.asyncDispose]: () => Promise.resolve() });
}
