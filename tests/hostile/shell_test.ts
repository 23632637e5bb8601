// test: long
/** Hostile programs in the shell: each ends by a limit or by itself, and the next run is right. */
import { assert, assertEquals } from "@std/assert";
import { limitOutput } from "../../runtimes/isolate/output.ts";
import { runShell, SHELL_LIMITS, shellEngine, shellTest } from "../support/shell_engine.ts";
import { SHELL_CASES } from "./shell_cases.ts";

const LIMITS = { ...SHELL_LIMITS, fuel: 1_000_000_000 };

shellTest("hostile programs end, and the next run is right", async (t) => {
  const shell = await shellEngine();
  for (const { code, limits } of SHELL_CASES) {
    await t.step(code, () => {
      shell.reset();
      const output = limitOutput(LIMITS, () => undefined);
      const request = { code, env: new Map(), typescript: false, limits: LIMITS };
      const { ending, fuelConsumed } = shell.run(request, output.sink);
      const isRight = ending.kind === "none" ||
        (ending.kind === "limit" && limits.includes(ending.limit));
      assert(isRight, JSON.stringify(ending));
      assert(fuelConsumed <= LIMITS.fuel);
      shell.reset();
      assertEquals(runShell(shell, "echo next; ls").stdout, "next\n");
    });
  }
});
