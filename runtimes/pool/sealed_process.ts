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
import { type StackNeed, withStack } from "./native_stack.ts";

/** The built-in modules that the isolate program imports. They only compute. */
const NEEDED: readonly string[] = ["buffer", "zlib"];

/**
 * The names of all built-in modules of the supported Deno versions. An import map cannot say "all
 * but these". A test compares the list with that of the running Deno.
 */
const BUILT_IN: readonly string[] = [
  ..."_http_agent _http_client _http_common _http_incoming _http_outgoing _http_proxy".split(" "),
  ..."_http_server _stream_duplex _stream_passthrough _stream_readable".split(" "),
  ..."_stream_transform _stream_writable _tls_common _tls_wrap assert assert/strict".split(" "),
  ..."async_hooks buffer child_process cluster console constants crypto dgram".split(" "),
  ..."diagnostics_channel dns dns/promises domain events ffi fs fs/promises http http2".split(" "),
  ..."https inspector inspector/promises module net os path path/posix path/win32".split(" "),
  ..."perf_hooks process punycode querystring quic readline readline/promises repl".split(" "),
  ..."sea sqlite stream stream/consumers stream/promises stream/web".split(" "),
  ..."string_decoder sys test test/reporters timers timers/promises tls".split(" "),
  ..."trace_events tty url util util/types v8 vm wasi worker_threads zlib".split(" "),
];

/**
 * An import map, as a `data:` URL, that blocks the built-in modules which no isolate needs: for the program
 * of the child and for any later import.
 */
export function closedModules(): string {
  const closed = BUILT_IN.filter((name) => !NEEDED.includes(name));
  const imports = Object.fromEntries(closed.map((name) => [`node:${name}`, null]));
  return `data:application/json,${encodeURIComponent(JSON.stringify({ imports }))}`;
}

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
