// test: long
import { assertEquals, assertGreater } from "@std/assert";
import { openStore } from "../../store/open.ts";
import { StoreFailure } from "../../store/store_failures.ts";
import { count } from "../support/counts.ts";
import { PostgresServer, postgresTest } from "../support/postgres.ts";
import { failuresOf, OURS } from "../support/postgres_events.ts";
import { postgresStorm, type PostgresStormReport } from "../support/postgres_storm.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { TcpProxy } from "../support/tcp_proxy.ts";
import { until } from "../support/wait.ts";

/** Prints the figures of a storm, and requires that nothing is lost and nothing is done twice. */
function assertWell(name: string, { wrong, ...figures }: PostgresStormReport): void {
  const line = `${name}: ${JSON.stringify(figures)}\n`;
  Deno.stdout.writeSync(new TextEncoder().encode(line));
  assertEquals(wrong, []);
  assertGreater(figures.answered, 0);
}

for (const repeats of [true, false]) {
  const callers = repeats ? "callers that repeat" : "callers without a key";
  postgresTest(
    `postgres failures: connections and servers end under ${callers}: nothing is lost or done twice`,
    async () => {
      const below = seededBelow(printedSeed(callers));
      await using server = await PostgresServer.start();
      const { terminate, kill, restart } = failuresOf(server);
      const rounds = Array.from({ length: count(1, 10) }, () => [terminate, kill, restart]);
      const events = rounds.flat();
      assertWell(callers, await postgresStorm({ url: server.url(), below, events, repeats }));
    },
  );
}

/** A primary with a synchronous standby, behind an address that can move. */
async function withStandby(
  work: (primary: PostgresServer, standby: PostgresServer) => Promise<void>,
): Promise<void> {
  await using primary = await PostgresServer.start();
  await using standby = await primary.standby("one");
  await primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'one'");
  await primary.sql("SELECT pg_reload_conf()");
  await until(async () =>
    await primary.sql("SELECT sync_state FROM pg_stat_replication") === "sync"
  );
  await work(primary, standby);
}

postgresTest(
  "postgres failures: the primary dies and its synchronous standby takes over: nothing is lost or done twice",
  async () => {
    const below = seededBelow(printedSeed("failover"));
    await withStandby(async (primary, standby) => {
      await using address = new TcpProxy(new URL(primary.url()), below);
      const failover = async () => {
        await primary.stop("immediate");
        await standby.promote();
        address.move(standby.port);
      };
      const nothing = () => Promise.resolve();
      const events = [nothing, failover, ...Array.from({ length: count(1, 10) }, () => nothing)];
      const report = await postgresStorm({ url: address.url, below, events, repeats: true });
      assertWell("failover", report);
    });
  },
);

postgresTest(
  "postgres failures: a standby is refused; a commit whose wait for it is cancelled is unknown",
  async () => {
    await withStandby(async (primary, standby) => {
      await openStore(standby.url()).then(() => {
        throw new Error("a standby was opened");
      }, (thrown) => assertEquals(thrown.message, "the database is a standby"));
      const kv = await openStore(primary.url({ pool: "1" }));
      await kv.set(["before"], 1);
      await standby.stop("immediate");
      const fateOf = async (cancel: "pg_cancel_backend" | "pg_terminate_backend") => {
        const commit = kv.set([cancel], 1).then(() => "done", (thrown) => {
          if (!(thrown instanceof StoreFailure)) throw thrown;
          return thrown.fate;
        });
        const waiting = `${OURS} AND wait_event = 'SyncRep'`;
        const waits = `SELECT count(*) FROM pg_stat_activity WHERE ${waiting}`;
        await until(async () => await primary.sql(waits) === "1");
        await primary.sql(`SELECT ${cancel}(pid) FROM pg_stat_activity WHERE ${waiting}`);
        return await commit;
      };
      assertEquals(await fateOf("pg_cancel_backend"), "unknown");
      assertEquals(await fateOf("pg_terminate_backend"), "unknown");
      await kv.close();
    });
  },
);

postgresTest("postgres failures: a standby that lacks commits gives no version again", async () => {
  await using primary = await PostgresServer.start();
  await using standby = await primary.standby("one");
  const kv = await openStore(primary.url({ pool: "1" }));
  await kv.set(["before"], 1);
  const arrived = "SELECT to_regclass('belljar.entries') IS NOT NULL";
  await until(async () => await standby.sql(arrived) === "t");
  await until(async () => await standby.sql("SELECT count(*) FROM belljar.entries") === "1");
  await standby.stop("fast");
  const lost = new Set<string>();
  for (let n = 0; n < 60; n++) lost.add((await kv.set(["lost", n], n)).versionstamp);
  await kv.close();
  await primary.stop("immediate");
  await standby.begin();
  await standby.promote();
  const after = await openStore(standby.url({ pool: "1" }));
  const again: string[] = [];
  for (let n = 0; n < 60; n++) again.push((await after.set(["new", n], n)).versionstamp);
  assertEquals(again.filter((version) => lost.has(version)), []);
  assertEquals((await Array.fromAsync(after.list({ prefix: ["lost"] }))).length, 0);
  await after.close();
});
