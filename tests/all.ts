/**
 * Runs the suite, or the files and folders that are named: `deno task test [file]`; with `--long`
 * the tests that `deno task test:long` is for. Engines that are missing are built first, unless no
 * named test starts a service. Types are left to `deno check`.
 */
import { groupsOf, runGroups, startServices } from "./support/test_groups.ts";

const SANITIZERS = ["--sanitize-ops", "--sanitize-resources"];
const LONG = "--long";
const flags = Deno.args.filter((arg) => arg.startsWith("-") && arg !== LONG);
const paths = Deno.args.filter((arg) => !arg.startsWith("-"));

async function deno(...args: readonly string[]): Promise<number> {
  return (await new Deno.Command(Deno.execPath(), { args: [...args] }).spawn().status).code;
}

async function build(): Promise<void> {
  const code = await deno("run", "--allow-all", "main.ts", "build");
  if (code !== 0) Deno.exit(code);
}

async function runPaths(): Promise<number> {
  if (startServices(paths)) await build();
  return await deno("test", "--allow-all", "--no-check", ...SANITIZERS, ...flags, ...paths);
}

async function runParts(): Promise<number> {
  await build();
  // one more than there are cores, because some groups wait for processes that start
  const jobs = navigator.hardwareConcurrency + 1;
  const groups = groupsOf(Deno.args.includes(LONG) ? "long" : "suite");
  return await runGroups(groups, { args: [...SANITIZERS, ...flags], jobs });
}

Deno.exit(paths.length > 0 ? await runPaths() : await runParts());
