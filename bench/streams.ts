/**
 * Streams of runs: how long a printed line takes to its caller, and what streams that nobody reads
 * cost others. By itself: `deno run --allow-all bench/streams.ts [lines] [streams]`.
 *
 * @module
 */
import { eventsOf } from "../tests/support/run_stream.ts";
import { processorMs, processTree, treeMemory } from "../tests/support/process.ts";
import { SERVICE_LIMITS } from "../tests/support/run_limits.ts";
import { type Service, startService } from "../tests/support/service.ts";
import { pause, until } from "../tests/support/wait.ts";
import { ms, quantile, table } from "./stats.ts";

const LINES = 300;
const STREAMS = 500;
const TENANTS = 40;
const CONNECTIONS = 8;
/** Trivial runs that are measured beside unread streams. */
const CALM_RUNS = 300;
const NDJSON = "application/x-ndjson";

/** Prints the time at each line, and computes for some milliseconds in between. */
const CLOCK = `
import time
for _ in range(${LINES}):
    print(repr(time.time()))
    for _ in range(20_000): pass
`;
/** Some 500 KiB of output. */
const OUTPUT = "for (let i = 0; i < 500; i++) console.log('x'.repeat(1000))";

function post(
  { url }: Service,
  language: string,
  code: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/execute/${language}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ code }),
  });
}

/** Milliseconds from the guest's `print` to the event, line by line. */
async function latencies(service: Service, lines: number): Promise<number[]> {
  const code = CLOCK.replace(String(LINES), String(lines));
  const sample: number[] = [];
  for await (const event of eventsOf(await post(service, "python", code, { accept: NDJSON }))) {
    const now = performance.timeOrigin + performance.now();
    if (event.type === "stdout") sample.push(now - 1_000 * Number(event.text));
  }
  return sample;
}

/** Makes trivial runs on one connection until told to stop. */
async function busy(service: Service, over: AbortSignal): Promise<void> {
  while (!over.aborted) await (await post(service, "python", "6 * 7")).body?.cancel();
}

async function latencyTable(lines: number): Promise<string> {
  await using service = await startService({
    ...SERVICE_LIMITS,
    LANGUAGES: "python",
    ISOLATES: "3",
  });
  await latencies(service, 20);
  const quiet = await latencies(service, lines);
  const over = new AbortController();
  const others = Array.from({ length: CONNECTIONS }, () => busy(service, over.signal));
  await pause(1_000);
  const loaded = await latencies(service, lines);
  over.abort();
  await Promise.all(others);
  return table(["a printed line, to its caller", "p50", "p99"], [
    ["quiet", ms(quantile(quiet, 0.5)), ms(quantile(quiet, 0.99))],
    [
      `beside trivial runs on ${CONNECTIONS} connections`,
      ms(quantile(loaded, 0.5)),
      ms(quantile(loaded, 0.99)),
    ],
  ]);
}

/** Asks for a stream by hand, and reads nothing. */
async function unread({ url }: Service, token: string, code: string): Promise<Deno.Conn> {
  const { hostname, port } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const text = JSON.stringify({ code });
  const head = [
    "POST /execute/javascript HTTP/1.1",
    `Host: ${hostname}`,
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    `Accept: ${NDJSON}`,
    `Content-Length: ${text.length}`,
  ];
  await connection.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n${text}`));
  return connection;
}

async function calm(service: Service): Promise<number[]> {
  const sample: number[] = [];
  for (let i = 0; i < CALM_RUNS; i++) {
    const began = performance.now();
    const answer = await post(service, "javascript", "6 * 7", { authorization: "Bearer calm" });
    await answer.text();
    sample.push(performance.now() - began);
  }
  return sample;
}

/** Waits until the service has nothing to do: all runs have ended. */
async function idle({ pid }: Service): Promise<void> {
  const tree = await processTree(pid);
  await until(async () => {
    const before = await processorMs(tree);
    await pause(1_000);
    return await processorMs(tree) - before < 100;
  });
}

async function unreadTable(streams: number): Promise<string> {
  const tokens = Array.from({ length: TENANTS }, (_, n) => `t${n}:secret${n}`);
  await using service = await startService({
    ...SERVICE_LIMITS,
    LANGUAGES: "javascript",
    ISOLATES: "2",
    TOKENS: ["calm:calm", ...tokens].join(","),
  });
  await calm(service);
  const before = { memory: await treeMemory(service.pid), runs: await calm(service) };
  const connections: Deno.Conn[] = [];
  for (let n = 0; n < streams; n++) {
    connections.push(await unread(service, `secret${n % TENANTS}`, OUTPUT));
  }
  await idle(service);
  const beside = { memory: await treeMemory(service.pid), runs: await calm(service) };
  for (const connection of connections) connection.close();
  await pause(2_000);
  const after = { memory: await treeMemory(service.pid), runs: await calm(service) };
  const row = (name: string, { memory, runs }: typeof before) => [
    name,
    memory.toFixed(0),
    ms(quantile(runs, 0.5)),
    ms(quantile(runs, 0.99)),
  ];
  return table(["", "process tree, MiB", "another tenant's trivial run, p50", "p99"], [
    row("before", before),
    row(`${streams} unread streams of ${TENANTS} tenants`, beside),
    row("once they are closed", after),
  ]);
}

if (import.meta.main) {
  const [lines = LINES, streams = STREAMS] = Deno.args.map(Number);
  const text = `${await latencyTable(lines)}\n\n${await unreadTable(streams)}\n`;
  await Deno.stdout.write(new TextEncoder().encode(text));
}
