/**
 * Deno's built-in modules that no isolate needs. An import map blocks them in the child, for its
 * program and for any later import.
 *
 * @module
 */

/** The modules that the isolate program imports. They only compute. */
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

/** The import map that blocks them, as a `data:` URL. */
export function closedModules(): string {
  const closed = BUILT_IN.filter((name) => !NEEDED.includes(name));
  const imports = Object.fromEntries(closed.map((name) => [`node:${name}`, null]));
  return `data:application/json,${encodeURIComponent(JSON.stringify({ imports }))}`;
}
