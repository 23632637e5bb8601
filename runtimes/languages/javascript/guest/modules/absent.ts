/**
 * Modules of Node that do not exist here, and why.
 *
 * @module
 */

const NETWORK = ["http", "https", "http2", "net", "tls", "dgram", "dns", "dns/promises"];
const PROCESSES = ["child_process", "cluster", "worker_threads"];
const OTHERS = [
  ...["async_hooks", "domain", "inspector", "punycode", "repl", "sqlite"],
  ...["trace_events", "v8", "vm", "wasi"],
];

function reasonsFor(names: readonly string[], reason: string): [string, string][] {
  return names.map((name) => [name, reason]);
}

/** Why a package is not found. */
export const NO_PACKAGES =
  "Packages cannot be installed and addresses not fetched here. Modules of Node, files of " +
  "the workspace and packages in its node_modules can be loaded.";

/** Name of a module → why it does not exist. */
export const ABSENT_MODULES: ReadonlyMap<string, string> = new Map([
  ...reasonsFor(NETWORK, "the network is not available here"),
  ...reasonsFor(PROCESSES, "processes and threads are not available here"),
  ...reasonsFor(OTHERS, "this module of Node is not available here"),
]);
