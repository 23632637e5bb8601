/**
 * Several services on one KV server: steps in contexts of sandboxes of which few are popular (the
 * n-th is asked for as often as 1/n), sent to any service, or each sandbox to one of them.
 *
 * `KV_SERVER=denokv deno run --allow-all bench/services.ts [seconds] [sandboxes] [callers]`, where
 * `KV_SERVER` is the binary of the KV server (docs/operating.md#several-services-on-one-kv-server).
 *
 * @module
 */
import { type Service, startService } from "../tests/support/service.ts";
import { withKvServer } from "./kv_server.ts";
import { ms, quantile, table } from "./stats.ts";

const SERVICES = [1, 2, 4];
const STEP = JSON.stringify({ code: "globalThis.n = (globalThis.n ?? 0) + 1" });

interface Load {
  readonly seconds: number;
  readonly sandboxes: number;
  readonly callers: number;
}

/** The result of a load. */
interface Outcome {
  readonly times: number[];
  /** Answers that are not 200, by their status. */
  readonly refused: Map<number, number>;
}

/** A number from 0 on; the n-th comes as often as 1/(n+1). */
function popular(shares: readonly number[]): number {
  const at = Math.random() * (shares.at(-1) ?? 0);
  return shares.findIndex((share) => at < share);
}

function sharesOf(count: number): readonly number[] {
  let sum = 0;
  return Array.from({ length: count }, (_, n) => sum += 1 / (n + 1));
}

async function loaded(
  services: readonly Service[],
  isRouted: boolean,
  { seconds, sandboxes, callers }: Load,
): Promise<Outcome> {
  const shares = sharesOf(sandboxes);
  const outcome: Outcome = { times: [], refused: new Map() };
  const end = performance.now() + seconds * 1_000;
  const caller = async () => {
    while (performance.now() < end) {
      const n = popular(shares);
      const at = isRouted ? n : Math.floor(Math.random() * services.length);
      const url = services[at % services.length]?.url;
      const began = performance.now();
      const answer = await fetch(`${url}/languages/javascript/sandboxes/box-${n}/execute`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: STEP,
      });
      await answer.body?.cancel();
      if (answer.ok) outcome.times.push(performance.now() - began);
      else outcome.refused.set(answer.status, (outcome.refused.get(answer.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return outcome;
}

async function main(): Promise<void> {
  const [seconds = 20, sandboxes = 200, callers = 8] = Deno.args.map(Number);
  const binary = Deno.env.get("KV_SERVER");
  if (binary === undefined) throw new Error("KV_SERVER must name the binary of a KV server");
  const rows: (string | number)[][] = [];
  await withKvServer(binary, async ({ env }) => {
    for (const count of SERVICES) {
      const services: Service[] = [];
      try {
        for (let n = 0; n < count; n++) {
          services.push(await startService({ ...env, LANGUAGES: "javascript" }));
        }
        for (const isRouted of count === 1 ? [true] : [false, true]) {
          const { times, refused } = await loaded(services, isRouted, {
            seconds,
            sandboxes,
            callers,
          });
          const answers = [...refused].map(([status, times]) => `${times} × ${status}`);
          rows.push([
            count,
            isRouted ? "one for each sandbox" : "any",
            (times.length / seconds).toFixed(1),
            ms(quantile(times, 0.5)),
            ms(quantile(times, 0.99)),
            answers.join(", ") || "none",
          ]);
        }
      } finally {
        await Promise.all(services.map((service) => service[Symbol.asyncDispose]()));
      }
    }
  });
  const [load = NaN] = Deno.loadavg();
  const head = ["services", "sent to", "runs/s", "p50 ms", "p99 ms", "refused"];
  const title = `${sandboxes} sandboxes, ${callers} callers, load ${load.toFixed(1)}`;
  await Deno.stdout.write(new TextEncoder().encode(`${title}\n\n${table(head, rows)}\n`));
}

await main();
