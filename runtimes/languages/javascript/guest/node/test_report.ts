/**
 * The results of tests in the Test Anything Protocol, which Node writes when output is not a
 * terminal.
 *
 * @module
 */
import { inspectWith } from "../inspect/inspect.ts";
import { isSet, type TestNode } from "./test_tree.ts";

const FAILURE = "ERR_TEST_FAILURE";
const INDENT = "    ";
const FRAME = /^\s+at (.*)$/;

/** How many tests there are of each kind. */
export interface Counts {
  tests: number;
  suites: number;
  pass: number;
  fail: number;
  cancelled: number;
  skipped: number;
  todo: number;
}

/** A name and a value as lines of YAML. */
function yaml(name: string, value: unknown, seen: readonly unknown[] = []): readonly string[] {
  if (value === undefined) return [];
  if (value === null) return [`${name}: ~`];
  if (typeof value === "string" && value.includes("\n")) {
    return [`${name}: |-`, ...value.split("\n").map((line) => `  ${line}`)];
  }
  if (typeof value !== "object") return [`${name}: ${inspectWith(value)}`];
  if (seen.includes(value)) return [`${name}: <Circular>`];
  if (value instanceof Date) return [`${name}: ${value.toISOString()}`];
  const lines = Object.entries(value).flatMap(([key, item]) => yaml(key, item, [...seen, value]));
  return [`${name}:`, ...lines.map((line) => `  ${line}`)];
}

function framesOf(stack: unknown): string | undefined {
  const frames = `${stack}`.split("\n").map((line) => FRAME.exec(line)?.[1]);
  const found = frames.filter((frame) => frame !== undefined);
  return found.length === 0 ? undefined : found.join("\n");
}

function errorLines(error: unknown): readonly string[] {
  if (!(error instanceof Error)) {
    const shown = typeof error === "string" ? error : inspectWith(error);
    return [...yaml("error", shown), ...yaml("code", FAILURE)];
  }
  const field = (name: string): unknown => Reflect.get(error, name);
  const isAssertion = field("code") === "ERR_ASSERTION";
  return [
    ...yaml("error", error.message),
    ...yaml("code", field("code") ?? FAILURE),
    ...(error.name === "Error" ? [] : yaml("name", error.name)),
    ...(isAssertion
      ? ["expected", "actual", "operator"].flatMap((name) => yaml(name, field(name)))
      : []),
    ...yaml("stack", framesOf(error.stack)),
  ];
}

function failureLines(node: TestNode): readonly string[] {
  const { failures, place } = node;
  const location = yaml("location", place);
  if (node.failed) {
    return [...location, ...yaml("failureType", "testCodeFailure"), ...errorLines(node.error)];
  }
  if (failures === 0) return [];
  const text = `${failures} subtest${failures === 1 ? "" : "s"} failed`;
  return [
    ...location,
    ...yaml("failureType", "subtestsFailed"),
    ...yaml("error", text),
    ...yaml("code", FAILURE),
  ];
}

function directive({ skip, todo }: TestNode): string {
  const word = (name: string, why: unknown) => ` # ${name}${why === true ? "" : ` ${why}`}`;
  if (isSet(skip)) return word("SKIP", skip);
  return isSet(todo) ? word("TODO", todo) : "";
}

/** Whether a test, or one below it, failed. */
export function hasFailed(node: TestNode): boolean {
  return node.failed || node.failures > 0;
}

/** The lines of one test and of all below it. */
export function reportLines(node: TestNode, number: number): readonly string[] {
  const { children } = node;
  const below = children.flatMap((child, index) => reportLines(child, index + 1));
  const plan = children.length === 0 ? [] : [`1..${children.length}`];
  const details = [
    `duration_ms: ${Number(node.durationMs.toFixed(6))}`,
    ...(node.isSuite ? yaml("type", "suite") : []),
    ...failureLines(node),
  ];
  return [
    `# Subtest: ${node.name}`,
    ...[...below, ...plan].map((line) => INDENT + line),
    `${hasFailed(node) ? "not ok" : "ok"} ${number} - ${node.name}${directive(node)}`,
    "  ---",
    ...details.map((line) => `  ${line}`),
    "  ...",
    ...node.diagnostics.map((text) => `# ${text}`),
  ];
}

/** Adds a test, and all below it, to the counts. */
export function count(node: TestNode, counts: Counts): void {
  for (const child of node.children) count(child, counts);
  if (node.isSuite) {
    counts.suites++;
    return;
  }
  counts.tests++;
  if (isSet(node.skip)) counts.skipped++;
  else if (isSet(node.todo)) counts.todo++;
  else if (hasFailed(node)) counts.fail++;
  else counts.pass++;
}
