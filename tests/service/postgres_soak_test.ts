// test: long
/** The soak on PostgreSQL, one short round: `deno task soak:postgres 30` is the long one. */
import { assertEquals, assertGreater } from "@std/assert";
import { soakPostgres } from "../soak/postgres.ts";
import { postgresTest } from "../support/postgres.ts";
import { printedSeed } from "../support/random.ts";

/** One of each kind. */
const FAILURES = 4;

postgresTest(
  "postgres soak: connections, server and services are killed: nothing is lost or done twice",
  async () => {
    const { wrong, answered, failures } = await soakPostgres(0, printedSeed("soak"), FAILURES);
    assertEquals([wrong, failures], [[], FAILURES]);
    assertGreater(answered, 0);
  },
);
