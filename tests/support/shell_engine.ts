/**
 * The shell's engine for tests, where `deno task shell build` compiled its module.
 *
 * @module
 */
import type { Ending, RunLimits, RunRequest } from "../../runtimes/engine/engine.ts";
import { hasShellModule } from "../../runtimes/builder/shell_module.ts";
import { createShellEngine } from "../../runtimes/languages/shell/create.ts";
import type { ShellEngine } from "../../runtimes/languages/shell/engine.ts";
import { SHARED_LIMITS } from "../../shared/limits.ts";
import { ALL_CONTEXTS, builtIsolate } from "./built.ts";
import { clientTest } from "./test_clients.ts";

const CACHE = new URL("../../.belljar/cache", import.meta.url).pathname;

/** Whether the project's cache has the module. */
export const HAS_SHELL: boolean = hasShellModule(CACHE);

/** Registers a test that needs the module. Without it the test is skipped. */
export function shellTest(name: string, body: (t: Deno.TestContext) => Promise<void> | void): void {
  const reason = HAS_SHELL ? "" : " (needs deno task shell build)";
  Deno.test({ name: `shell: ${name}${reason}`, ignore: !HAS_SHELL, fn: body });
}

/** Registers a test of the shell with clients of others. */
export function shellClientTest(
  name: string,
  needs: Parameters<typeof clientTest>[1],
  body: (t: Deno.TestContext) => Promise<void>,
): void {
  if (HAS_SHELL) clientTest(name, needs, body);
  else Deno.test({ name: `${name} (needs deno task shell build)`, ignore: true, fn: body });
}

/** Limits of runs. */
export const SHELL_LIMITS: RunLimits = { ...SHARED_LIMITS, fuel: 10_000_000_000 };

let engine: Promise<ShellEngine> | undefined;

/** An engine that all tests of a file share. */
export function shellEngine(): Promise<ShellEngine> {
  return engine ??= anotherShell();
}

/** Another engine. */
export async function anotherShell(): Promise<ShellEngine> {
  const { artifact } = await builtIsolate("shell", ALL_CONTEXTS);
  return await createShellEngine({ ...artifact, image: artifact.image.slice() });
}

/** The outcome of a run, with its output as text. */
export interface ShellRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly ending: Ending;
  /** Absent when the run was ended. */
  readonly exitCode: number | undefined;
  readonly fuel: number;
}

/** Runs a program on the state that the engine has. */
export function runShell(
  shell: ShellEngine,
  code: string,
  more: Partial<RunRequest> = {},
): ShellRun {
  const written = [1, 2].map(() => new Array<number>());
  const request = { code, env: new Map(), typescript: false, limits: SHELL_LIMITS, ...more };
  const { ending, fuelConsumed } = shell.run(request, (stream, bytes) => {
    const into = written[stream - 1];
    for (const byte of bytes) into?.push(byte);
    return true;
  });
  const [stdout = "", stderr = ""] = written
    .map((bytes) => new TextDecoder().decode(Uint8Array.from(bytes)));
  const exitCode = ending.kind === "none" ? ending.exitCode : undefined;
  return { stdout, stderr, ending, exitCode, fuel: fuelConsumed };
}
