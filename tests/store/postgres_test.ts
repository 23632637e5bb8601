import { assert, assertEquals, assertGreater, assertRejects } from "@std/assert";
import { copyStore } from "../../store/copy.ts";
import { openStore } from "../../store/open.ts";
import { openPostgres } from "../../store/postgres/mod.ts";
import { StoreFailure } from "../../store/store_failures.ts";
import { count } from "../support/counts.ts";
import { FlightCounter } from "../support/flight_counter.ts";
import { PostgresServer, postgresTest } from "../support/postgres.ts";
import { pause } from "../support/wait.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { ContendedCommits } from "./contended.ts";
import { withMemory } from "./fixture.ts";
import { contentsOf, fillStore } from "./store_contents.ts";

postgresTest("postgres: the store in a server", async (test) => {
  await using server = await PostgresServer.start();

  await test.step("a service of each version can share a schema, unless a later one forbids it", async () => {
    const url = server.url({ schema: "versions", pool: "1" });
    await (await openStore(url)).close();
    await server.sql("UPDATE versions.about SET version = 7");
    const later = await openStore(url);
    assert((await later.atomic().set(["a"], 1).commit()).ok);
    await later.close();
    await server.sql("UPDATE versions.about SET oldest = 7");
    const message = "the schema versions needs a later version of Belljar: it has version 7";
    await assertRejects(() => openStore(url), Error, message);
    assertEquals(await server.sql("SELECT version FROM versions.about"), "7");
  });

  await test.step("services that start at once make one schema", async () => {
    const url = server.url({ schema: "at_once", pool: "1" });
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(url)));
    await Promise.all(stores.map((store) => store.atomic().sum(["n"], 2n).commit()));
    assertEquals((await stores[0]?.get<Deno.KvU64>(["n"]))?.value?.value, 10n);
    assertEquals(await server.sql("SELECT count(*) FROM at_once.about"), "1");
    await Promise.all(stores.map((store) => store.close()));
  });

  for (const pooler of ["0", "1"]) {
    await test.step(`every operation is one round trip (pooler=${pooler})`, async () => {
      await using counter = new FlightCounter(server.port);
      const url = new URL(server.url({ schema: "flights", pool: "1", pooler }));
      url.port = String(counter.port);
      const kv = await openPostgres(url.href);
      const operations: readonly (() => Promise<unknown>)[] = [
        () => kv.set(["a"], "x".repeat(50_000)),
        () => kv.atomic().check({ key: ["b"], versionstamp: null }).set(["b"], 1).commit(),
        () => kv.atomic().delete(["b"]).sum(["c"], 1n).set(["d"], new Uint8Array(9)).commit(),
        () => kv.get(["a"]),
        () => kv.getMany([["a"], ["b"], ["c"]]),
        () => Array.fromAsync(kv.list({ prefix: [] })),
        () => kv.delete(["a"]),
      ];
      for (let round = 0; round < 3; round++) {
        for (const operation of operations) {
          const before = counter.flights;
          await operation();
          assertEquals([String(operation), counter.flights - before], [String(operation), 1]);
        }
      }
      await kv.close();
    });
  }

  await test.step("contended commits of three services are atomic, and their versions grow", async () => {
    const below = seededBelow(printedSeed("contended"));
    const open = () => openPostgres(server.url({ schema: "contended", pool: "4" }));
    const stores = await Promise.all([open(), open(), open()]);
    const figures = await new ContendedCommits(stores, below).work(count(300, 10_000));
    assertEquals(figures.wrong, []);
    assertEquals([figures.unknown, figures.undone], [0, 0]);
    assertGreater(Math.min(figures.refused, figures.exclusive), 0);
    await Promise.all(stores.map((store) => store.close()));
  });

  await test.step("commits stay right while the server ends connections", async () => {
    const below = seededBelow(printedSeed("terminated"));
    const open = () => openPostgres(server.url({ schema: "terminated", pool: "4" }));
    const stores = await Promise.all([open(), open(), open()]);
    const work = new ContendedCommits(stores, below).work(count(300, 3_000));
    const over = work.then(() => true, () => true);
    let ended = 0;
    while (!await Promise.race([over, pause(200)])) {
      ended += Number(
        await server.sql(
          "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity " +
            "WHERE application_name = 'belljar' ORDER BY random() LIMIT 3) AS chosen",
        ),
      );
    }
    const figures = await work;
    assertEquals(figures.wrong, []);
    assertGreater(ended, 0);
    await Promise.all(stores.map((store) => store.close()));
  });

  await test.step("an entry that expires is gone after the time, and not before", async () => {
    const kv = await openStore(server.url({ schema: "expiry", pool: "1" }));
    await kv.set(["short"], 1, { expireIn: 60_000 });
    await kv.set(["replaced"], 1, { expireIn: 60_000 });
    await kv.set(["replaced"], 2);
    const due = "SELECT count(*) FROM expiry.entries WHERE expires_at <= now() + interval '60 s'";
    assertEquals(await server.sql(due), "1");
    assertEquals((await kv.get(["short"])).value, 1);
    await kv.close();
  });

  await test.step("a copy from memory and back has every entry and counter", async () => {
    await withMemory(async (from) => {
      await fillStore(from);
      const kv = await openStore(server.url({ schema: "copy", pool: "2" }));
      await copyStore(from, kv, { clock: Date.now });
      assertEquals(await contentsOf(kv), await contentsOf(from));
      await withMemory(async (back) => {
        await copyStore(kv, back, { clock: Date.now });
        assertEquals(await contentsOf(back), await contentsOf(from));
      });
      await kv.close();
    });
  });

  await test.step("settings that could lose or hide a commit are refused", async () => {
    for (
      const [setting, message] of [
        ["synchronous_commit = off", "synchronous_commit is off"],
        [
          "default_transaction_isolation = 'repeatable read'",
          "default_transaction_isolation is not read committed",
        ],
      ] as const
    ) {
      await server.sql(`ALTER DATABASE belljar SET ${setting}`);
      const thrown = await assertRejects(
        () => openStore(server.url({ schema: "refused" })),
        StoreFailure,
        message,
      );
      assertEquals(thrown.fate, "undone");
      await server.sql(`ALTER DATABASE belljar RESET ${setting.split(" ")[0]}`);
    }
  });

  await test.step("a server that stops leaves a failure with a fate, and is used again when it is back", async () => {
    const kv = await openStore(server.url({ schema: "stopped", pool: "2" }));
    await kv.set(["a"], 1);
    await server.stop("immediate");
    const during = await assertRejects(() => kv.set(["a"], 2), StoreFailure);
    assert(during.fate !== "locked", during.fate);
    const after = await assertRejects(() => kv.set(["a"], 3), StoreFailure);
    assertEquals(after.fate, "undone");
    await server.begin();
    assertEquals((await kv.get(["a"])).value, 1);
    await kv.set(["a"], 4);
    assertEquals((await kv.get(["a"])).value, 4);
    await kv.close();
  });
});
