import { assert } from "@std/assert";
import { postgresTest } from "../support/postgres.ts";
import { IN_SUITE, runOnPostgres, storeTestFiles } from "../support/postgres_suite.ts";

postgresTest("postgres: leases, processes and runs of sandboxes work as in memory", async () => {
  const files = storeTestFiles();
  for (const path of IN_SUITE) assert(files.includes(path), path);
  await runOnPostgres(IN_SUITE);
});
