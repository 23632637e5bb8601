/**
 * Outcomes here against outcomes in the published engine.
 *
 * @module
 */
import { type Ended, type OrderTaker, outcomesOf } from "./outcomes.ts";
import type { Order, Outcome, Side } from "./suite.ts";

/** Outcomes of a test on both sides; undefined: the side does not have the test. */
export interface Difference {
  readonly test: string;
  readonly here: Ended | undefined;
  readonly stock: Ended | undefined;
}

/** How many tests of each side have which outcome, and those that differ. */
export interface Comparison {
  readonly counts: Readonly<Record<Side, Readonly<Record<Outcome, number>>>>;
  readonly differences: readonly Difference[];
  /** Tests that a limit or a crash ended on this side, or that differed, and so were run again alone. */
  readonly runAlone: number;
}

type Sides<T> = Readonly<Record<Side, T>>;
type Outcomes = Map<string, Ended>;

function counted(outcomes: Outcomes): Record<Outcome, number> {
  const counts = { passed: 0, failed: 0, skipped: 0, error: 0, stopped: 0 };
  for (const { outcome } of outcomes.values()) counts[outcome]++;
  return counts;
}

function differingIn({ here, stock }: Sides<Outcomes>): readonly string[] {
  const names = new Set([...here.keys(), ...stock.keys()]);
  return [...names].filter((name) => here.get(name)?.outcome !== stock.get(name)?.outcome);
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
 * Runs some files of tests on both sides. Tests that differ are run again, each in a fresh interpreter,
 * and that outcome counts: memory and fuel that other tests of the files took are not theirs.
 */
async function compareOrder(
  takers: Sides<OrderTaker>,
  order: Order,
): Promise<{ readonly outcomes: Sides<Outcomes>; readonly runAlone: number }> {
  const outcomes = await bothSides(async (side) => new Map(await outcomesOf(takers[side], order)));
  const again = differingIn(outcomes).filter((test) =>
    outcomes.here.has(test) && outcomes.stock.has(test) && test.includes("::")
  );
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
  return { outcomes, runAlone: again.length };
}

/** Adds up the orders of a suite. */
export async function compareOrders(
  takers: Sides<OrderTaker>,
  orders: readonly Order[],
  onOrder: (order: Order) => void,
): Promise<Comparison> {
  const all: Sides<Outcomes> = { here: new Map(), stock: new Map() };
  let runAlone = 0;
  for (const order of orders) {
    const compared = await compareOrder(takers, order);
    runAlone += compared.runAlone;
    for (const side of ["here", "stock"] as const) {
      for (const [test, ended] of compared.outcomes[side]) all[side].set(test, ended);
    }
    onOrder(order);
  }
  const differences = differingIn(all).map((test) => ({
    test,
    here: all.here.get(test),
    stock: all.stock.get(test),
  }));
  return {
    counts: { here: counted(all.here), stock: counted(all.stock) },
    differences,
    runAlone,
  };
}
