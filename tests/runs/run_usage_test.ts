/** The fuel of a run counts for its tenant, whether or not a request lets it go on. */
import { assertEquals } from "@std/assert";
import { type RunOrder, RunTable } from "../../runs/run_table.ts";
import { recordRun, RunAccount, withRunAccount } from "../../shared/run_account.ts";
import { until } from "../support/wait.ts";
import { RunCaller } from "./gateway_fixture.ts";

/** A program that uses so much fuel. */
function using(fuel: number): RunOrder {
  return {
    terms: {
      tenant: "ann",
      language: "python",
      engine: "fake",
      code: "1",
      calls: { interactive: true },
      fuel: 1_000,
    },
    attempt: async (calls, _listener, signal) => {
      const wait = { calls: [], prompt: "", maxMs: 1, fuel, memoryBytes: 65_536 };
      await calls.wait(wait, false, signal);
      recordRun(fuel);
      return { body: "{}", headers: {} };
    },
    failed: (_, thrown) => Promise.reject(thrown),
  };
}

Deno.test("RunTable counts the fuel of a run that goes on without a request for its tenant, once", async () => {
  const used: [tenant: string, fuel: number][] = [];
  const usage = (tenant: string, fuel: number) => void used.push([tenant, fuel]);
  const enter = () => Promise.resolve(() => undefined);
  const onFault = (thrown: unknown) => {
    throw thrown;
  };
  const table = new RunTable({
    clock: Date.now,
    waitMs: 60_000,
    enter,
    onFault,
    recordUsage: usage,
  });
  // as the janitor does with a run that is stored
  const found = table.create(using(7));
  table.wake(found);
  await until(() => found.state === "ended");
  assertEquals(used, [["ann", 7]]);
  // within a request its account counts
  const account = new RunAccount("ann", usage);
  const begun = await withRunAccount(account, () => table.begin(using(9)));
  await until(() => begun.state === "ended");
  assertEquals([used, account.fuel], [[["ann", 7], ["ann", 9]], 9]);
  await table.close();
});

Deno.test("runs: a waiting state has the fuel and the memory of the program", async () => {
  const box = new RunCaller();
  const first = await box.run(["call ping {}"]);
  assertEquals(first["usage"], {
    fuelConsumed: 100,
    fuelLimit: first["usage"] instanceof Object && "fuelLimit" in first["usage"]
      ? first["usage"].fuelLimit
      : undefined,
    memoryBytes: 131_072,
  });
  await box.answer(first.waiting?.run, [{ key: `${first.waiting?.run}/1`, value: 1 }]);
});
