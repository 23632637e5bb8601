/**
 * Spawns a child process that is sealed from outside, before a line of its program runs.
 *
 * It gets none of the service's environment, no files, and no permission except to listen on an
 * ephemeral loopback port. Deno's directory and the home directory are paths that cannot exist, so
 * Deno and the system libraries that it loads cannot store anything there.
 *
 * @module
 */
import { WASM_PAGE_BYTES } from "../../wasm/metering/wasm_page.ts";
import { closedModules } from "./closed_modules.ts";
import { type StackNeed, withStack } from "./native_stack.ts";

/** Maximum pages of the type stripper's own memory. */
const OWN_PAGES = 4096;
/** JavaScript heap of the process in MiB. Guests are outside of it. */
const HEAP_MIB = 256;
/** The young generation's part of that, in MiB. The more V8 may use, the more it keeps. */
const YOUNG_MIB = 4;
/** A path below something that is not a folder. */
const NOWHERE = "/dev/null/none";
/**
 * The same for Deno, which looks for a configuration in the home directory and tolerates no error
 * except that there is none. Nobody can create a folder here.
 */
const NO_HOME = "/proc/none";

/** The complete environment of the child. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  DENO_DIR: NOWHERE,
  // without a directory, Deno would check for updates at every start
  DENO_NO_UPDATE_CHECK: "1",
  NO_COLOR: "1",
  // the C library's own default, which it would raise after the first large buffer: from then on it
  // would keep the memory of large buffers
  MALLOC_TRIM_THRESHOLD_: "131072",
  // system libraries query the user database when HOME is missing
  HOME: NO_HOME,
  XDG_CACHE_HOME: NOWHERE,
  XDG_CONFIG_HOME: NOWHERE,
  XDG_DATA_HOME: NOWHERE,
  // Deno looks for no WebGPU driver, and would find none
  DENO_WEBGPU_BACKEND: "none",
  VK_DRIVER_FILES: NOWHERE,
  VK_ICD_FILENAMES: NOWHERE,
  LIBGL_DRIVERS_PATH: NOWHERE,
  MESA_SHADER_CACHE_DISABLE: "true",
};

/** The flags of V8. */
function v8FlagsFor(memoryBytes: number): readonly string[] {
  const pages = Math.max(memoryBytes / WASM_PAGE_BYTES, OWN_PAGES);
  return [
    `--max-old-space-size=${HEAP_MIB}`,
    `--max-semi-space-size=${YOUNG_MIB}`,
    `--wasm-max-mem-pages=${pages}`,
    "--expose-gc",
    "--disallow-code-generation-from-strings",
  ];
}

/** The flags of Deno. */
function sealedFlags(): readonly string[] {
  return [
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-remote",
    "--no-npm",
    "--cached-only",
    `--import-map=${closedModules()}`,
    "--allow-net=127.0.0.1:0",
  ];
}

/** Spawns a program in the same way as isolates. */
export function spawnSealed(
  program: string,
  memoryBytes: number,
  stack: StackNeed = "usual",
): Deno.ChildProcess {
  const start = withStack(stack, v8FlagsFor(memoryBytes), [...sealedFlags(), program]);
  return new Deno.Command(start.program, {
    args: [...start.args],
    clearEnv: true,
    env: ENVIRONMENT,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}
