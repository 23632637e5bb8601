/**
 * Runs all tests, or the files and folders that are named: `deno task test [file]`. Types are left
 * to `deno check`.
 */
import { allGroups, runGroups } from "./support/test_groups.ts";

const SANITIZERS = ["--sanitize-ops", "--sanitize-resources"];
const flags = Deno.args.filter((arg) => arg.startsWith("-"));
const paths = Deno.args.filter((arg) => !arg.startsWith("-"));

async function runPaths(): Promise<number> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["test", "--allow-all", "--no-check", ...SANITIZERS, ...flags, ...paths],
  });
  return (await command.spawn().status).code;
}

const args = [...SANITIZERS, ...flags];
const jobs = navigator.hardwareConcurrency;
Deno.exit(paths.length > 0 ? await runPaths() : await runGroups(allGroups(), { args, jobs }));
