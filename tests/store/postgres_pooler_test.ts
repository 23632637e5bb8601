// test: long
/** The store behind PgBouncer in transaction mode, with fewer connections than its callers have. */
import { assertEquals, assertGreater } from "@std/assert";
import { count } from "../support/counts.ts";
import { PgBouncer, poolerTest } from "../support/pgbouncer.ts";
import { PostgresServer } from "../support/postgres.ts";
import { postgresStorm } from "../support/postgres_storm.ts";
import { IN_SUITE, runOnStore } from "../support/postgres_suite.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { pause } from "../support/wait.ts";

poolerTest("pooler: the store and sandboxes work behind PgBouncer as without it", async () => {
  await using server = await PostgresServer.start({ fsync: "off" });
  await using pooler = await PgBouncer.start(server);
  await runOnStore(pooler.url(), [...IN_SUITE, "tests/store/lease_again_test.ts"]);
});

poolerTest("pooler: PgBouncer and its connections end: nothing is lost or done twice", async () => {
  const below = seededBelow(printedSeed("pooler"));
  await using server = await PostgresServer.start();
  await using pooler = await PgBouncer.start(server);
  const restart = async () => {
    await pooler.stop();
    await pause(200);
    await pooler.begin();
  };
  const terminate = () =>
    server.sql(
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity " +
        "WHERE datname = 'belljar' AND pid <> pg_backend_pid()",
    );
  const events = Array.from({ length: count(1, 10) }, () => [restart, terminate]).flat();
  const storm = { url: pooler.url(), below, events, repeats: true };
  const { wrong, answered } = await postgresStorm(storm);
  assertEquals(wrong, []);
  assertGreater(answered, 0);
});
