/**
 * `deno task bench`: measures the service on this machine, peers included, and prints
 * markdown. Every figure in the README comes from here.
 *
 * @module
 */
import { meteringTable } from "./metering.ts";
import { nodeTimes, quickJsTimes, TRIVIAL } from "./peers.ts";
import {
  execute,
  type Service,
  startService,
  timingParts,
  treeMemory,
} from "../tests/support/service.ts";
import { ms, quantile, quantiles, table, times } from "./stats.ts";

const CONNECTIONS = 8;
const LANGUAGE = "javascript";

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n\n`));
}

async function machine(): Promise<string> {
  const info = await Deno.readTextFile("/proc/cpuinfo").catch(() => "");
  const model = /^model name\s*:\s*(.*)$/m.exec(info)?.[1] ?? Deno.build.arch;
  const memory = Math.round(Deno.systemMemoryInfo().total / 2 ** 30);
  return `${navigator.hardwareConcurrency} cores (${model}), ${memory} GiB, Deno ${Deno.version.deno}`;
}

async function roundTrips(service: Service): Promise<void> {
  const parts = new Map<string, number[]>();
  const run = async () => {
    const { timing } = await execute(service.url, LANGUAGE, TRIVIAL);
    for (const [name, value] of timingParts(timing)) {
      parts.set(name, [...(parts.get(name) ?? []), value]);
    }
  };
  await times(500, run);
  parts.clear();
  const whole = await times(2_000, run);
  const rows = [["round trip", whole] as const, ...parts].map(([name, sample]) => {
    const { p50, p95, p99 } = quantiles(sample);
    return [name, ms(p50), ms(p95), ms(p99)];
  });
  print("## A trivial run over keep-alive loopback HTTP");
  print(table(["part", "p50, ms", "p95, ms", "p99, ms"], rows));
  await peers(quantile(whole, 0.5));
}

async function peers(belljar: number): Promise<void> {
  const contenders = [
    ["Belljar over HTTP", belljar],
    ["plain quickjs-emscripten, in process", quantile(await quickJsTimes(500), 0.5)],
    ["`node -e`, a process a run", quantile(await nodeTimes(40), 0.5)],
  ] as const;
  const rows = contenders.map(([name, p50]) => [name, ms(p50), (p50 / belljar).toFixed(1)]);
  print(table(["a trivial run by", "p50, ms", "times Belljar"], rows));
}

async function throughput(service: Service): Promise<void> {
  const runs = 6_000;
  let left = runs;
  const start = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    while (left-- > 0) await execute(service.url, LANGUAGE, TRIVIAL);
  }));
  const seconds = (performance.now() - start) / 1000;
  print(
    `Throughput, ${CONNECTIONS} connections, 2 isolates: **${Math.round(runs / seconds)} runs/s**`,
  );
}

async function memory(): Promise<void> {
  await using service = await startService({ ISOLATES: "2" });
  const run = () => execute(service.url, LANGUAGE, TRIVIAL);
  await times(500, run);
  const early = await treeMemory(service.pid);
  await times(19_500, run);
  const late = await treeMemory(service.pid);
  print(
    `Memory of the process tree: ${early.toFixed(0)} MiB after 500 runs, ${
      late.toFixed(0)
    } MiB after 20,000: × ${(late / early).toFixed(2)}`,
  );
}

async function main(): Promise<void> {
  print(`# Belljar on ${await machine()}`);
  {
    await using service = await startService({ ISOLATES: "2" });
    await roundTrips(service);
    await throughput(service);
  }
  print("## What metering costs");
  print(await meteringTable());
  print("## Memory");
  await memory();
}

if (import.meta.main) await main();
