// test: long
import { postgresTest } from "../support/postgres.ts";
import { IN_SUITE, runOnPostgres, storeTestFiles } from "../support/postgres_suite.ts";

postgresTest(
  "postgres: everything of the store, of sandboxes and of runs works as in memory",
  async () => {
    await runOnPostgres(storeTestFiles().filter((path) => !IN_SUITE.includes(path)));
  },
);
