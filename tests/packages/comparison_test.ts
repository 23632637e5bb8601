import { assertEquals } from "@std/assert";
import { compareOrders } from "./comparison.ts";
import { type OrderTaker, outcomesOf } from "./outcomes.ts";
import type { Line, Order, Outcome } from "./suite.ts";

/** A fake interpreter's reaction to a test; `stopped`: it ends there. */
type Acts = Readonly<Record<string, Outcome | ((order: Order) => Outcome)>>;

const ORDER: Order = { files: ["/p/test_a.py", "/p/test_b.py"], options: [], fuel: 1 };

/** Runs tests as the guest does. All orders that it got are in `orders`. */
class FakeTaker implements OrderTaker {
  readonly orders: Order[] = [];

  constructor(readonly acts: Acts, readonly diesWith?: string) {}

  async *lines(order: Order): AsyncGenerator<Line> {
    await Promise.resolve();
    this.orders.push(order);
    const { files, done = [], only } = order;
    if (files.some((file) => file === this.diesWith)) return yield { ended: "died" };
    for (const [test, act] of Object.entries(this.acts)) {
      if (!files.some((file) => file.endsWith(test.slice(0, test.indexOf("::"))))) continue;
      if (done.includes(test) || only?.includes(test) === false) continue;
      yield { started: test };
      const outcome = typeof act === "function" ? act(order) : act;
      if (outcome === "stopped") return yield { ended: "the limit of fuel" };
      yield { test, outcome, reason: "" };
    }
    yield { finished: 0 };
    yield { ended: "none" };
  }
}

async function outcomes(taker: FakeTaker): Promise<Record<string, Outcome>> {
  const ended = [...await outcomesOf(taker, ORDER)];
  return Object.fromEntries(ended.map(([test, { outcome }]) => [test, outcome]));
}

Deno.test("packages: a test that ends the interpreter is stopped, and the rest runs in another", async () => {
  const ends: Readonly<Record<string, Outcome>> = {
    "test_a.py::1": "passed",
    "test_a.py::2": "stopped",
    "test_b.py::3": "failed",
  };
  const taker = new FakeTaker(ends);
  assertEquals(await outcomes(taker), ends);
  assertEquals(taker.orders.length, 2);
});

Deno.test("packages: files are run one by one where the interpreter ends outside of tests", async () => {
  const taker = new FakeTaker(
    { "test_a.py::1": "passed", "test_b.py::2": "passed" },
    "/p/test_b.py",
  );
  assertEquals(await outcomes(taker), { "test_a.py::1": "passed", "/p/test_b.py": "stopped" });
});

Deno.test("packages: a test that differs is run again alone, and that outcome counts", async () => {
  const crowded = ({ only }: Order): Outcome => only === undefined ? "failed" : "passed";
  const here = new FakeTaker({ "test_a.py::1": crowded, "test_b.py::2": "failed" });
  const stock = new FakeTaker({ "test_a.py::1": "passed", "test_b.py::2": "passed" });
  const { counts, differences } = await compareOrders({ here, stock }, [ORDER], () => undefined);
  assertEquals(differences.map(({ test }) => test), ["test_b.py::2"]);
  assertEquals([counts.here.passed, counts.here.failed, counts.stock.passed], [1, 1, 2]);
  assertEquals(here.orders.slice(1).map(({ files, only }) => [files, only]), [
    [["/p/test_a.py"], ["test_a.py::1"]],
    [["/p/test_b.py"], ["test_b.py::2"]],
  ]);
});

Deno.test("packages: a test whose id differs from start to start is compared all the same", async () => {
  const here = new FakeTaker({ "test_a.py::1[0x12]": "passed", "test_a.py::1[0x34]": "failed" });
  const stock = new FakeTaker({ "test_a.py::1[0x56]": "passed", "test_a.py::1[0x78]": "passed" });
  const { differences } = await compareOrders({ here, stock }, [ORDER], () => undefined);
  assertEquals(differences.map(({ test, stock }) => [test, stock?.outcome]), [
    ["test_a.py::1[0x34]", "passed"],
  ]);
});
