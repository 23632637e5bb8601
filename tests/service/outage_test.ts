// test: long
/**
 * A store that goes away and comes back, again and again, under mixed load.
 */
import { assert, assertEquals, assertLess } from "@std/assert";
import { MAX_WAIT_MS, type OutageReport, runOutages } from "../support/outage_run.ts";
import { printedSeed } from "../support/random.ts";

const OUTAGES = 12;
/** Longest request: the wait, the run and its cleanup, on a busy machine. */
const LIMIT_MS = MAX_WAIT_MS + 10_000;
/** A KV server, as in `KV_TEST_URL=http://127.0.0.1:4512`, with `DENO_KV_ACCESS_TOKEN`. */
const KV_TEST_URL = Deno.env.get("KV_TEST_URL");

function assertWell({ wrong, answered, stateless, longestMs, log }: OutageReport): void {
  assertEquals(wrong, []);
  assert(answered > 0 && stateless > 0);
  assertLess(longestMs, LIMIT_MS);
  assertLess(log.filter((event) => event === "request failed").length, 1, log.join());
}

Deno.test("outages: answered changes exist once, refused ones do not exist", async () => {
  const report = await runOutages({ outages: OUTAGES, seed: printedSeed("outages") });
  assertWell(report);
});

Deno.test({
  name: `outages: the same with a KV server${KV_TEST_URL ? "" : " (KV_TEST_URL is not set)"}`,
  ignore: KV_TEST_URL === undefined,
  fn: async () => {
    const seed = printedSeed("outages of a server");
    assertWell(await runOutages({ outages: OUTAGES, seed, kvUrl: KV_TEST_URL }));
  },
});
