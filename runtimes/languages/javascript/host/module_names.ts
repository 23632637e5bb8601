/**
 * The modules of Node that programs can load here, and why others do not exist.
 *
 * @module
 */

/** Modules that exist, without `node:`. */
export const PRESENT_MODULES: readonly string[] = [
  ...["assert", "assert/strict", "buffer", "console", "crypto", "diagnostics_channel", "events"],
  ...["fs", "fs/promises", "module", "os", "path", "path/posix", "perf_hooks", "process"],
  ...["querystring", "readline", "readline/promises", "stream", "stream/consumers"],
  ...["stream/promises", "stream/web", "string_decoder", "sys", "test", "timers"],
  ...["timers/promises", "tty", "url", "util", "util/types", "zlib"],
];

/** Modules that need a network. */
export const NETWORK_MODULES: readonly string[] = [
  ...["http", "https", "http2", "net", "tls", "dgram", "dns", "dns/promises"],
];
const PROCESSES = ["child_process", "cluster", "worker_threads"];
const OTHERS = [
  ...["async_hooks", "domain", "inspector", "punycode", "repl", "sqlite"],
  ...["trace_events", "v8", "vm", "wasi"],
];

function reasonsFor(names: readonly string[], reason: string): [string, string][] {
  return names.map((name) => [name, reason]);
}

/** Name of a module → why it does not exist. */
export const ABSENT_MODULES: ReadonlyMap<string, string> = new Map([
  ...reasonsFor(NETWORK_MODULES, "the network is not available here"),
  ...reasonsFor(PROCESSES, "processes and threads are not available here"),
  ...reasonsFor(OTHERS, "this module of Node is not available here"),
]);
