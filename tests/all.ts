/**
 * Runs the suite, or the files and folders that are named: `deno task test [file]`; with `--long`
 * the tests that `deno task test:long` is for. Types are left to `deno check`.
 */
import { groupsOf, runGroups } from "./support/test_groups.ts";

const SANITIZERS = ["--sanitize-ops", "--sanitize-resources"];
const LONG = "--long";
const flags = Deno.args.filter((arg) => arg.startsWith("-") && arg !== LONG);
const paths = Deno.args.filter((arg) => !arg.startsWith("-"));

async function runPaths(): Promise<number> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["test", "--allow-all", "--no-check", ...SANITIZERS, ...flags, ...paths],
  });
  return (await command.spawn().status).code;
}

const args = [...SANITIZERS, ...flags];
const jobs = navigator.hardwareConcurrency;
const groups = groupsOf(Deno.args.includes(LONG) ? "long" : "suite");
Deno.exit(paths.length > 0 ? await runPaths() : await runGroups(groups, { args, jobs }));
