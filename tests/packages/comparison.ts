/**
 * Outcomes here against outcomes in the published engine.
 *
 * @module
 */
import { explanationOf } from "./explanations.ts";
import { type Difference, type Ended, type OrderTaker, outcomesOf } from "./outcomes.ts";
import type { Order, Outcome, Side } from "./suite.ts";

/** How many tests of each side have which outcome, and those that differ. */
export interface Comparison {
  readonly counts: Readonly<Record<Side, Readonly<Record<Outcome, number>>>>;
  readonly differences: readonly Difference[];
  /** Tests that fail here and there alike. */
  readonly failing: readonly Difference[];
}

type Sides<T> = Readonly<Record<Side, T>>;
type Outcomes = Map<string, Ended>;

function counted(outcomes: Outcomes): Record<Outcome, number> {
  const counts = { passed: 0, failed: 0, skipped: 0, error: 0, stopped: 0 };
  for (const { outcome } of outcomes.values()) counts[outcome]++;
  return counts;
}

/** The function of a test, without its parameters. */
function functionOf(test: string): string {
  return test.includes("[") ? test.slice(0, test.indexOf("[")) : test;
}

/**
 * Outcomes test by test. Ids may have addresses, random ids, or the order of a set in them: tests that
 * one side has under another id are taken one after the other, as their function has them.
 */
function bothOf({ here, stock }: Sides<Outcomes>): readonly Difference[] {
  const elsewhere = Map.groupBy(
    [...stock].filter(([test]) => !here.has(test)),
    ([test]) => functionOf(test),
  );
  const own = [...here].map(([test, ended]): Difference => ({
    test,
    here: ended,
    stock: stock.get(test) ?? elsewhere.get(functionOf(test))?.shift()?.[1],
  }));
  const rest = [...elsewhere.values()].flat();
  return [...own, ...rest.map(([test, stock]) => ({ test, here: undefined, stock }))];
}

function differencesIn(outcomes: Sides<Outcomes>): readonly Difference[] {
  return bothOf(outcomes).filter(({ here, stock }) => here?.outcome !== stock?.outcome);
}

function isFine(ended: Ended | undefined): boolean {
  return ended?.outcome === "passed" || ended?.outcome === "skipped";
}

async function bothSides<T>(run: (side: Side) => Promise<T>): Promise<Sides<T>> {
  const [here, stock] = await Promise.all([run("here"), run("stock")]);
  return { here, stock };
}

/** The file of an order that has a test: ids begin with its path, or with the end of it. */
function fileOf({ files }: Order, test: string): readonly string[] {
  const path = test.slice(0, test.indexOf("::"));
  return files.filter((file) => file === path || file.endsWith(`/${path}`));
}

/**
 * Runs some files of tests on both sides. Tests that differ for no known reason are run again, each in
 * a fresh interpreter, and that outcome counts: other tests may have used up memory or fuel.
 */
async function compareOrder(
  takers: Sides<OrderTaker>,
  order: Order,
): Promise<Sides<Outcomes>> {
  const outcomes = await bothSides(async (side) => new Map(await outcomesOf(takers[side], order)));
  const again = differencesIn(outcomes).flatMap((difference) => {
    const { test, here, stock } = difference;
    const canBe = here !== undefined && stock !== undefined && test.includes("::");
    return canBe && explanationOf(difference) === undefined ? [test] : [];
  });
  await bothSides(async (side) => {
    for (const test of again) {
      const alone = await outcomesOf(takers[side], {
        ...order,
        files: fileOf(order, test),
        only: [test],
      });
      const ended = alone.get(test);
      if (ended !== undefined) outcomes[side].set(test, ended);
    }
  });
  return outcomes;
}

/** Adds up the orders of a suite. */
export async function compareOrders(
  takers: Sides<OrderTaker>,
  orders: readonly Order[],
  onOrder: (order: Order) => void,
): Promise<Comparison> {
  const all: Sides<Outcomes> = { here: new Map(), stock: new Map() };
  for (const order of orders) {
    const compared = await compareOrder(takers, order);
    for (const side of ["here", "stock"] as const) {
      for (const [test, ended] of compared[side]) all[side].set(test, ended);
    }
    onOrder(order);
  }
  return {
    counts: { here: counted(all.here), stock: counted(all.stock) },
    differences: differencesIn(all),
    failing: bothOf(all).filter(({ here, stock }) =>
      here?.outcome === stock?.outcome && !isFine(here)
    ),
  };
}
