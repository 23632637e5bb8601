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

/** Outcomes of a test on both sides; undefined: the side does not have the test. */
export interface Difference {
  readonly test: string;
  readonly here: Ended | undefined;
  readonly stock: Ended | undefined;
}

/** Runs orders. */
export interface OrderTaker {
  lines(order: Order): AsyncIterable<Line>;
}

/** Exit codes of pytest: all passed, some failed, there were no tests to run. */
const USUAL_CODES: readonly (number | undefined)[] = [0, 1, 5];

/** Where an interpreter ended: after all tests, in one of them, or elsewhere. */
type Place = "after" | "in a test" | "outside";

/**
 * Outcomes by id of all tests of an order. If a limit or a crash ends the interpreter, the test that ran
 * is `stopped`, and a fresh interpreter runs the rest.
 */
export async function outcomesOf(
  taker: OrderTaker,
  order: Order,
): Promise<ReadonlyMap<string, Ended>> {
  const outcomes = new Map<string, Ended>();
  for (;;) {
    const place = await once(taker, { ...order, done: [...outcomes.keys()] }, outcomes);
    if (place === "after" || place === "outside" && order.files.length < 2) return outcomes;
    if (place === "in a test") continue;
    for (const file of order.files) {
      const own = await outcomesOf(taker, { ...order, files: [file] });
      for (const [test, ended] of own) outcomes.set(test, ended);
    }
    return outcomes;
  }
}

/** Runs an order in one interpreter. */
async function once(
  taker: OrderTaker,
  order: Order,
  outcomes: Map<string, Ended>,
): Promise<Place> {
  let running: string | undefined;
  let code: number | undefined;
  const [file = ""] = order.files;
  for await (const { started, test, outcome, reason = "", finished, ended } of taker.lines(order)) {
    if (started !== undefined) running = started;
    if (test !== undefined && outcome !== undefined) {
      outcomes.set(test, { outcome, reason });
      running = undefined;
    }
    code = finished ?? code;
    if (ended === undefined || code !== undefined) continue;
    if (running === undefined && order.files.length > 1) return "outside";
    outcomes.set(running ?? file, { outcome: "stopped", reason: ended });
    return running === undefined ? "outside" : "in a test";
  }
  if (!USUAL_CODES.includes(code)) {
    outcomes.set(file, { outcome: "error", reason: `pytest ended with ${code}` });
  }
  return "after";
}
