/**
 * Runs programs in the real engine, and in Node for comparison.
 *
 * @module
 */
import type { RunOutcome } from "../../../../../runtimes/engine/engine.ts";
import { createJavaScriptEngine } from "../../../../../runtimes/languages/javascript/create.ts";
import type { JavaScriptEngine } from "../../../../../runtimes/languages/javascript/engine.ts";
import { MEMORY_BYTES } from "../../../../../shared/limits.ts";
import { builtIsolate, TEST_STACK_BYTES } from "../../../../support/built.ts";

/** The version of Node that the console is compared with. */
const NODE_VERSION = /^v20\./;
const LIMITS = {
  fuel: 4e9,
  outputBytes: 1 << 20,
  outputLines: 10_000,
  resultBytes: 1 << 20,
  tracebackBytes: 1 << 16,
  displayBytes: 1 << 20,
  wallMs: 10_000,
};

let starting: Promise<JavaScriptEngine> | undefined;

async function start(): Promise<JavaScriptEngine> {
  const { artifact } = await builtIsolate("javascript");
  return await createJavaScriptEngine({
    ...artifact,
    memoryBytes: MEMORY_BYTES.javascript,
    stackBytes: TEST_STACK_BYTES,
  });
}

/** The engine that the tests of a file share. */
export async function startEngine(): Promise<JavaScriptEngine> {
  return await (starting ??= start());
}

/** The outcome of a program. */
export interface GuestOutcome extends RunOutcome {
  readonly stdout: string;
  readonly stderr: string;
}

/** Options that may differ from run to run. */
export interface GuestOptions {
  readonly env?: ReadonlyMap<string, string>;
  readonly fuel?: number;
}

/** Runs programs one after the other in one guest, as a context does. */
export async function runInTurn(
  programs: readonly string[],
  options: GuestOptions = {},
): Promise<readonly GuestOutcome[]> {
  const engine = await startEngine();
  engine.reset();
  return programs.map((code) => {
    const decoders = { 1: new TextDecoder(), 2: new TextDecoder(), 5: new TextDecoder() };
    const texts = { 1: "", 2: "", 5: "" };
    const outcome = engine.run({
      code,
      env: options.env ?? new Map(),
      typescript: false,
      limits: { ...LIMITS, fuel: options.fuel ?? LIMITS.fuel },
    }, (stream, bytes) => {
      texts[stream] += decoders[stream].decode(bytes, { stream: true });
      return true;
    });
    return { ...outcome, stdout: texts[1], stderr: texts[2] };
  });
}

/** Runs a program in a fresh guest. */
export async function runGuest(code: string, options?: GuestOptions): Promise<GuestOutcome> {
  const [outcome] = await runInTurn([code], options);
  if (outcome === undefined) throw new Error("The program did not run");
  return outcome;
}

/** The value of a program, as text or as JSON text; throws when it failed. */
export async function valueOf(code: string): Promise<string> {
  const { ending } = await runGuest(code);
  switch (ending.kind) {
    case "text":
      return ending.text;
    case "json":
      return ending.json;
    default:
      throw new Error(`The program gave no value: ${JSON.stringify(ending)}`);
  }
}

/** The error a program ended with. */
export async function errorOf(code: string) {
  const { ending } = await runGuest(code);
  if (ending.kind !== "error") throw new Error(`No error: ${JSON.stringify(ending)}`);
  return ending.error;
}

async function node(args: readonly string[]): Promise<Deno.CommandOutput> {
  return await new Deno.Command("node", {
    args: [...args],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
}

async function findNode(): Promise<boolean> {
  try {
    const { stdout } = await node(["--version"]);
    return NODE_VERSION.test(new TextDecoder().decode(stdout));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Whether the version of Node for comparison is installed. */
export const hasNode: boolean = await findNode();

/** The output of a program in Node; its process number is 1. */
export async function runNode(code: string): Promise<{ stdout: string; stderr: string }> {
  const directory = await Deno.makeTempDir();
  const file = `${directory}/main.js`;
  try {
    await Deno.writeTextFile(file, code);
    const { stdout, stderr } = await node([file]);
    const decoder = new TextDecoder();
    const hint = /\(Use `node --trace[^\n]*\n/g;
    const errors = decoder.decode(stderr).replaceAll(/\(node:\d+\)/g, "(node:1)");
    return { stdout: decoder.decode(stdout), stderr: errors.replaceAll(hint, "") };
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** The text of a file of `programs/`. */
export async function program(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(`./programs/${name}.txt`, import.meta.url));
}
