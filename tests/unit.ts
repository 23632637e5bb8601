/**
 * Runs the tests that need no built engine and no process of the service: `deno task test:unit`.
 */
import { runGroups, unitGroups } from "./support/test_groups.ts";

const groups = unitGroups();
// all at once, because some tests wait
Deno.exit(await runGroups(groups, { args: Deno.args, jobs: groups.length }));
