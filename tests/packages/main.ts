/**
 * Runs the test suites of packages with native code in Belljar's Python and in Pyodide from npm, with
 * the same wheels. Prints a table as Markdown, and the tests that end differently with the reason.
 * The exit code is 1 if a difference has no known reason.
 *
 * Usage: `deno task test:packages [suite, or part of its name] [part of a file's name]`.
 *
 * @module
 */
import { table } from "../../bench/stats.ts";
import { compareOrders, type Comparison } from "./comparison.ts";
import { explanationOf } from "./explanations.ts";
import type { Difference } from "./outcomes.ts";
import { packagesIn, suiteWheels } from "./sources.ts";
import type { Order } from "./suite.ts";
import { filesOf, type Suite, SUITES } from "./suites.ts";
import { WorkerProcess } from "./worker_process.ts";

/** Files for one interpreter. The published engine takes seconds to start. */
const FILES_PER_ORDER = 12;
/** Fuel for so many files: some minutes of work. */
const FUEL = 1_000_000_000_000;
/** Modules that are imported before any test, and are in the image here. */
const PRELOADED = ["numpy", "numpy.random", "pydantic", "pytest"];
const OUTCOMES = ["passed", "failed", "skipped", "error", "stopped"] as const;
const SHOWN_REASON = 200;

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

function note(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}

async function compareSuite(
  suite: Suite,
  wheels: string,
  part: string,
): Promise<Comparison> {
  const { files, workspace } = await filesOf(suite, wheels);
  const packages = packagesIn(wheels);
  const preload = PRELOADED.filter((name) => packages.has(name.split(".")[0] ?? ""));
  await using here = new WorkerProcess({ side: "here", wheels, preload });
  await using stock = new WorkerProcess({ side: "stock", wheels, preload });
  const chosen = files.filter((file) => file.includes(part));
  // By default the root is the folder of the first file, and fixtures above it are not found.
  const root = workspace === undefined ? [] : ["--rootdir=/workspace"];
  const options = [...suite.options, ...root];
  const orders: Order[] = [];
  for (let at = 0; at < chosen.length; at += FILES_PER_ORDER) {
    const some = chosen.slice(at, at + FILES_PER_ORDER);
    orders.push({ files: some, options, workspace, extended: suite.tests.extends, fuel: FUEL });
  }
  let done = 0;
  return await compareOrders({ here, stock }, orders, (order) => {
    done += order.files.length;
    note(`${suite.name} ${done}/${chosen.length}: ${order.files.at(-1)}`);
  });
}

function rowOf(name: string, { counts: { here, stock }, differences }: Comparison): string[] {
  const cells = OUTCOMES.map((outcome) =>
    here[outcome] === stock[outcome]
      ? String(here[outcome])
      : `${here[outcome]} / ${stock[outcome]}`
  );
  return [name, ...cells, String(differences.length)];
}

/** Prints the tests that end differently, by their reason. Returns those without one. */
function explain(differences: readonly Difference[]): readonly Difference[] {
  const groups = Map.groupBy(differences, explanationOf);
  const unknown = groups.get(undefined) ?? [];
  for (const [why, tests] of groups) {
    if (why === undefined) continue;
    print(`\n${tests.length}: ${why}`);
    for (const { test } of tests) print(`- ${test}`);
  }
  if (unknown.length > 0) print(`\n${unknown.length} without a known reason:`);
  for (const { test, here, stock } of unknown) {
    const [ours, theirs] = [here, stock].map((ended) =>
      ended === undefined ? "not there" : `${ended.outcome} ${ended.reason.slice(0, SHOWN_REASON)}`
    );
    print(`- ${test}\n  here: ${ours}\n  stock: ${theirs}`);
  }
  return unknown;
}

/** Prints the tests that fail in both, with the reason that the published engine gives. */
function printFailing(failing: readonly Difference[]): void {
  if (failing.length > 0) print(`\n${failing.length} fail in both:`);
  for (const { test, stock } of failing) {
    const [last = ""] = stock?.reason.trim().split("\n").slice(-1) ?? [];
    print(`- ${test}: ${stock?.outcome}, ${last.slice(0, SHOWN_REASON)}`);
  }
}

if (import.meta.main) {
  const [name = "", part = ""] = Deno.args;
  const rows: string[][] = [];
  const differences: Difference[] = [];
  const failing: Difference[] = [];
  const named = SUITES.filter((suite) => suite.name === name);
  const suites = named.length > 0 ? named : SUITES.filter((suite) => suite.name.includes(name));
  for (const suite of suites) {
    const wheels = await suiteWheels(suite.wheels ?? "native");
    const packages = packagesIn(wheels);
    const missing = suite.needs.filter((each) => !packages.has(each));
    if (missing.length > 0) {
      print(`${suite.name} is left out: there is no wheel of ${missing.join()}`);
      continue;
    }
    const comparison = await compareSuite(suite, wheels, part);
    rows.push(rowOf(suite.name, comparison));
    differences.push(...comparison.differences);
    failing.push(...comparison.failing);
    note(rows.at(-1)?.join(" | ") ?? "");
  }
  print(table(["tests, here / stock where they differ", ...OUTCOMES, "differ"], rows));
  printFailing(failing);
  Deno.exit(explain(differences).length === 0 ? 0 : 1);
}
