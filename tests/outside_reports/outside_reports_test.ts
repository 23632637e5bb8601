// test: long
/** Programs from public reports give the right values, each through its own interface of the service. */
import { assertEquals } from "@std/assert";
import { SERVICE_LIMITS } from "../support/run_limits.ts";
import { startService } from "../support/service.ts";
import { runCase } from "./interfaces.ts";
import { differences, reportCases } from "./report_case.ts";

/** Cases that are not right yet. A case of this list that has become right fails the test. */
const NOT_YET: readonly string[] = [];

Deno.test("reports: every program has the expected outcome", async (t) => {
  await using service = await startService({ RUBY_CONTEXTS: "1", ...SERVICE_LIMITS });
  for (const report of reportCases()) {
    await t.step(report.name, async () => {
      const outcomes = await runCase(service.url, report);
      const found = report.expected.flatMap((expected, step) =>
        differences(outcomes[step], expected)
      );
      assertEquals(outcomes.length, report.expected.length);
      if (!NOT_YET.includes(report.name)) return assertEquals(found, []);
      assertEquals(found.length > 0, true, "This case is right: remove it from NOT_YET");
    });
  }
});

Deno.test("reports: the list of known failures has names of cases only", () => {
  const names = reportCases().map(({ name }) => name);
  assertEquals(NOT_YET.filter((name) => !names.includes(name)), []);
});
