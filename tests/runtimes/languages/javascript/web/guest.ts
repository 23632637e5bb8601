/**
 * The real engine for tests of the guest's web interfaces, and Node for comparison.
 *
 * @module
 */
import { builtIsolate, TEST_STACK_BYTES } from "../../../../support/built.ts";
import type { RunOutcome } from "../../../../../runtimes/engine/engine.ts";
import { createJavaScriptEngine } from "../../../../../runtimes/languages/javascript/create.ts";
import type { JavaScriptEngine } from "../../../../../runtimes/languages/javascript/engine.ts";
import { MEMORY_BYTES } from "../../../../../shared/limits.ts";

const OUTCOMES = new URL("./outcomes.mjs", import.meta.url);
const NODE_DRIVER = new URL("./node_outcomes.mjs", import.meta.url).pathname;
const MIB = 1024 * 1024;
const GENEROUS_FUEL = 1e12;

let building: Promise<JavaScriptEngine> | undefined;

async function build(): Promise<JavaScriptEngine> {
  const { artifact } = await builtIsolate("javascript");
  return await createJavaScriptEngine({
    ...artifact,
    memoryBytes: MEMORY_BYTES.javascript,
    stackBytes: TEST_STACK_BYTES,
  });
}

/** The outcome of a program. */
export interface ProgramOutcome extends RunOutcome {
  /** Both streams, in the order of writing. */
  readonly output: string;
}

/** Runs a program in a fresh guest. */
export async function runProgram(code: string, fuel = GENEROUS_FUEL): Promise<ProgramOutcome> {
  building ??= build();
  const engine = await building;
  const decoder = new TextDecoder();
  let output = "";
  const outcome = engine.run({
    code,
    env: new Map(),
    typescript: false,
    limits: {
      fuel,
      outputBytes: MIB,
      outputLines: 10_000,
      resultBytes: 32 * MIB,
      tracebackBytes: 65_536,
      displayBytes: 1 << 20,
      wallMs: 10_000,
    },
  }, (_stream, bytes) => {
    output += decoder.decode(bytes);
    return true;
  });
  engine.reset();
  return { ...outcome, output };
}

/** The program's value as JSON; fails when there is none. */
export async function valueOf(code: string): Promise<unknown> {
  const { ending, output } = await runProgram(code);
  if (ending.kind === "json") return JSON.parse(ending.json);
  if (ending.kind === "text") return ending.text;
  throw new Error(`The program ended with ${JSON.stringify(ending)} ${output}`);
}

/** Outcomes of expressions in the guest, as text. */
export async function outcomesInGuest(sources: readonly string[]): Promise<unknown> {
  const code = (await Deno.readTextFile(OUTCOMES)).replace("export ", "");
  return await valueOf(`${code}\nawait outcomes(${JSON.stringify(sources)})`);
}

/** Outcomes of expressions in Node, as text. */
export async function outcomesInNode(sources: readonly string[]): Promise<unknown> {
  const child = new Deno.Command("node", {
    args: [NODE_DRIVER],
    env: { TZ: "UTC", NODE_NO_WARNINGS: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(sources)));
  await writer.close();
  const { stdout } = await child.output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Major version of the installed Node; 0 for none. */
export function nodeMajor(): number {
  try {
    const { stdout } = new Deno.Command("node", { args: ["--version"] }).outputSync();
    return Number(/^v(\d+)/.exec(new TextDecoder().decode(stdout))?.[1] ?? 0);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return 0;
    throw cause;
  }
}
