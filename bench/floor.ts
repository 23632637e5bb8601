/**
 * What no service on this machine can pass, beside what this one takes, in the same run: a loopback
 * round trip of Deno's own server with bodies of the same size, copying the memory that a run in a
 * context captures, and one durable commit of the store. The kinds alternate.
 *
 * `deno run --allow-all bench/floor.ts [calls]`
 *
 * @module
 */
import { startService } from "../tests/support/service.ts";
import { ms, quantile, table } from "./stats.ts";

const CALLS = 300;
const WARM_UP_CALLS = 300;
/** Pages that a trivial step in a context changes; a round number for all languages. */
const COPIED_BYTES = 64 * 4096;

const STATELESS = JSON.stringify({ code: "1 + 1" });
const STEP = JSON.stringify({ code: "globalThis.n = (globalThis.n ?? 0) + 1" });

async function post(url: string, body: string): Promise<number> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body });
  const { byteLength } = await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return byteLength;
}

/** A server of Deno's own that reads a body and answers the number of bytes in its path. */
function echoServer(): Deno.HttpServer<Deno.NetAddr> {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => undefined };
  return Deno.serve(options, async (request) => {
    await request.arrayBuffer();
    return new Response(new Uint8Array(Number(new URL(request.url).pathname.slice(1))));
  });
}

/** Figures of JavaScript, each beside its bound and the ratio. */
export async function floorTable(calls = CALLS): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "belljar-bench-" });
  await using server = echoServer();
  await using service = await startService({
    LANGUAGES: "javascript",
    KV_PATH: `${folder}/data.sqlite3`,
  });
  using store = await Deno.openKv(`${folder}/floor.sqlite3`);
  const run = `${service.url}/execute/javascript`;
  const step = `${service.url}/languages/javascript/sandboxes/floor/execute`;
  const runBytes = await post(run, STATELESS);
  const stepBytes = await post(step, STEP);
  const echo = `http://127.0.0.1:${server.addr.port}`;
  const [from, to] = [new Uint8Array(COPIED_BYTES).fill(1), new Uint8Array(COPIED_BYTES)];
  const kinds: readonly (() => unknown)[] = [
    () => post(run, STATELESS),
    () => post(step, STEP),
    () => post(`${echo}/${runBytes}`, STATELESS),
    () => post(`${echo}/${stepBytes}`, STEP),
    () => to.set(from),
    () => store.set(["floor"], from.subarray(0, stepBytes)),
  ];
  const samples = kinds.map((): number[] => []);
  for (let n = -WARM_UP_CALLS; n < calls; n++) {
    for (const [index, kind] of kinds.entries()) {
      const began = performance.now();
      await kind();
      if (n >= 0) samples[index]?.push(performance.now() - began);
    }
  }
  await Deno.remove(folder, { recursive: true });
  const [stateless = NaN, inContext = NaN, small = NaN, large = NaN, copy = NaN, commit = NaN] =
    samples.map((sample) => quantile(sample, 0.5));
  const row = (name: string, p50: number, bound: number) => [
    name,
    ms(p50),
    ms(bound),
    (p50 / bound).toFixed(1),
  ];
  const figures = table(["p50", "ms", "bound, ms", "ratio"], [
    row("stateless run, JavaScript: a loopback round trip", stateless, small),
    row(
      "context step, JavaScript: round trip, memory copied, durable commit",
      inContext,
      large + copy + commit,
    ),
  ]);
  const parts = table(["part of the bound", "p50, ms"], [
    [`round trip, ${STATELESS.length} bytes there, ${runBytes} back`, ms(small)],
    [`round trip, ${STEP.length} bytes there, ${stepBytes} back`, ms(large)],
    [`${COPIED_BYTES / 1024} KiB copied`, ms(copy)],
    ["one durable commit", ms(commit)],
  ]);
  return `${figures}\n\n${parts}`;
}

if (import.meta.main) {
  const text = await floorTable(...Deno.args.map(Number));
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
