/**
 * How a child process is spawned: sealed from outside, before a line of its program runs.
 *
 * It gets no environment of the service's, no files, no permission but to listen on an ephemeral
 * loopback port. Deno's directory and the home are paths that cannot exist: what Deno, or a
 * library of the system that it loads, stores without asking has no place to go.
 *
 * @module
 */
import { WASM_PAGE_BYTES } from "../isolate/wasm_page.ts";
import { closedModules } from "./closed_modules.ts";

/** Pages that the type stripper's own memory may take. */
const OWN_PAGES = 4096;
/** JavaScript heap of the process in MiB; guests live outside of it. */
const HEAP_MIB = 256;
/** Of that, for what is young. The more V8 may use, the more it keeps. */
const YOUNG_MIB = 4;
/** Native stack in KiB; guests get a quarter of it at most. */
const STACK_KIB = 4000;
/** A path below something that is no folder. */
const NOWHERE = "/dev/null/none";
/**
 * The same for Deno, which looks for a configuration at home and takes no other error than that
 * there is none. Nobody can make a folder here.
 */
const NO_HOME = "/proc/none";

/** All of the child's environment. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  DENO_DIR: NOWHERE,
  // without a directory, Deno would ask its makers for news at every start
  DENO_NO_UPDATE_CHECK: "1",
  NO_COLOR: "1",
  // libraries of the system ask the user database when no home is named
  HOME: NO_HOME,
  XDG_CACHE_HOME: NOWHERE,
  XDG_CONFIG_HOME: NOWHERE,
  XDG_DATA_HOME: NOWHERE,
  // no kind of WebGPU driver is looked for, and none would be found
  DENO_WEBGPU_BACKEND: "none",
  VK_DRIVER_FILES: NOWHERE,
  VK_ICD_FILENAMES: NOWHERE,
  LIBGL_DRIVERS_PATH: NOWHERE,
  MESA_SHADER_CACHE_DISABLE: "true",
};

/** The command line's flags. */
function sealedFlags(memoryBytes: number): readonly string[] {
  const pages = Math.max(memoryBytes / WASM_PAGE_BYTES, OWN_PAGES);
  const v8Flags = [
    `--max-old-space-size=${HEAP_MIB}`,
    `--max-semi-space-size=${YOUNG_MIB}`,
    `--wasm-max-mem-pages=${pages}`,
    `--stack-size=${STACK_KIB}`,
    "--expose-gc",
    "--disallow-code-generation-from-strings",
  ];
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-remote",
    "--no-npm",
    "--cached-only",
    `--import-map=${closedModules()}`,
    "--allow-net=127.0.0.1:0",
    `--v8-flags=${v8Flags.join()}`,
  ];
}

/** Spawns a program the way isolates are spawned. */
export function spawnSealed(program: string, memoryBytes: number): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [...sealedFlags(memoryBytes), program],
    clearEnv: true,
    env: ENVIRONMENT,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}
