/**
 * Outcomes of the tests of a file on one side.
 *
 * @module
 */
import type { Line, Order, Outcome } from "./suite.ts";

/** How a test ended, and why. */
export interface Ended {
  readonly outcome: Outcome;
  readonly reason: string;
}

/** What carries out an order. */
export interface OrderTaker {
  lines(order: Order): AsyncIterable<Line>;
}

/** Exit codes of pytest: all passed, some failed, there were no tests to run. */
const [ALL_PASSED, SOME_FAILED, NO_TESTS] = [0, 1, 5] as const;

/**
 * Outcomes by id of all tests of a file. Where a limit or a crash ends the interpreter, the test that
 * ran is `stopped`, and the file goes on behind it in a fresh one.
 */
export async function outcomesOf(
  taker: OrderTaker,
  order: Order,
): Promise<ReadonlyMap<string, Ended>> {
  const outcomes = new Map<string, Ended>();
  for (;;) {
    const before = outcomes.size;
    const running = await once(taker, { ...order, done: [...outcomes.keys()] }, outcomes);
    if (running === undefined || outcomes.size === before) return outcomes;
  }
}

/** Carries out an order once. Returns the id of the test that ended the interpreter, if one did. */
async function once(
  taker: OrderTaker,
  order: Order,
  outcomes: Map<string, Ended>,
): Promise<string | undefined> {
  let running: string | undefined;
  let code: number | undefined;
  for await (const { started, test, outcome, reason = "", finished, ended } of taker.lines(order)) {
    if (started !== undefined) running = started;
    if (test !== undefined && outcome !== undefined) {
      outcomes.set(test, { outcome, reason });
      running = undefined;
    }
    code = finished ?? code;
    if (ended === undefined || code !== undefined) continue;
    outcomes.set(running ?? order.file, { outcome: "stopped", reason: ended });
    return running ?? order.file;
  }
  if (code === NO_TESTS && outcomes.size === 0 && order.only === undefined) {
    outcomes.set(order.file, { outcome: "skipped", reason: "no tests" });
  } else if (code !== ALL_PASSED && code !== SOME_FAILED && code !== NO_TESTS) {
    outcomes.set(order.file, { outcome: "error", reason: `pytest ended with ${code}` });
  }
  return undefined;
}
