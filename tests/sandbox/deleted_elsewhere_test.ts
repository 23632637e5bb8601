/**
 * Contexts and sandboxes that another process deletes at every step of a run.
 */
import { assert, assertEquals } from "@std/assert";
import type { RunStep } from "../../sandbox/operation_options.ts";
import { Caller, fakeRuntimes, keysOf, sandboxProcess, withStore } from "./fixture.ts";

const BEFORE_THE_COMMIT: readonly RunStep[] = ["leased", "read", "ran"];

for (const step of BEFORE_THE_COMMIT) {
  for (const what of ["context", "sandbox"] as const) {
    Deno.test(`deleted elsewhere: a ${what}, when "${step}" is done, is refused and leaves nothing`, () =>
      withStore(async (store) => {
        const runtimes = fakeRuntimes();
        const there = new Caller(sandboxProcess(store, { runtimes }));
        await there.ok("POST", "/env", { envVars: { A: "1" } });
        const id = await there.context({ envVars: { B: "2" } });
        await there.file("write", "f", { content: "1" });
        let asked = 0;
        const here = new Caller(sandboxProcess(store, {
          runtimes,
          onStep: async (done) => {
            if (done !== step || asked++ > 0) return;
            await there.ok("DELETE", what === "context" ? `/contexts/${id}` : "/");
          },
        }));
        const body = { contextId: id, code: "n = 1\nwrite late text" };
        const answer = await here.send("POST", "/execute", body);
        const { code } = await answer.json();
        // from "read" on it is the runtime that no longer knows the context
        const refusal = step === "read" ? [404, "CONTEXT_NOT_FOUND"] : [409, "CONFLICT"];
        assertEquals([answer.status, code, asked], [...refusal, 1]);
        assertEquals(runtimes.PYTHON.stored.size, 0);
        if (what === "sandbox") assertEquals(await keysOf(store), []);
        else {
          assertEquals((await there.ok("GET", "/contexts"))["contexts"], []);
          assert(!(await keysOf(store)).some((key) => key.includes("lease")));
        }
      }));
  }
}
