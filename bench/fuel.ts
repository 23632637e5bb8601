/**
 * Measures the time of a unit of fuel: programs that each repeat one operation until their fuel is
 * used up, in processor time of the isolate and of the gateway, relative to an empty endless loop.
 *
 * Usage: `deno run --allow-all bench/fuel.ts [language] [part of a program's name]`
 *
 * @module
 */
import type { BundledLanguage as Language } from "../shared/languages.ts";
import { processorMs, processTree } from "../tests/support/process.ts";
import { type Service, startService } from "../tests/support/service.ts";
import { FUEL } from "../shared/limits.ts";
import { EMPTY_LOOP, FUEL_PROGRAMS } from "./programs_fuel.ts";
import { quantile, table } from "./stats.ts";
import { jsonPost } from "../tests/support/json_post.ts";

/** Share of the default fuel that a run gets; its time is extrapolated. */
const SHARE = Number(Deno.env.get("BENCH_FUEL_SHARE") ?? 0.2);
/**
 * Number of programs after which the empty loop is measured again, because other work on the
 * machine affects it.
 */
const PROGRAMS_PER_LOOP = 4;
/** Maximum allowed ratio to the empty loop. */
const MOST = 2.5;

/** Processor time of one run, in milliseconds. */
interface Cost {
  readonly isolates: number;
  readonly gateway: number;
  readonly fuel: number;
  /** How the run ended, if not by fuel. */
  readonly ending: string;
}

interface Answer {
  readonly error?: { readonly name: string; readonly message: string };
  readonly usage?: { readonly fuelConsumed: number };
  readonly message?: string;
}

async function measure(service: Service, language: Language, code: string): Promise<Cost> {
  const isolates = (await processTree(service.pid)).filter((pid) => pid !== service.pid);
  const spent = async () =>
    [await processorMs(isolates), await processorMs([service.pid])] as const;
  const [isolatesBefore, gatewayBefore] = await spent();
  const response = await fetch(`${service.url}/execute/${language}`, jsonPost({ code }));
  const answer: Answer = await response.json();
  const [isolatesAfter, gatewayAfter] = await spent();
  const { error, usage } = answer;
  const message = error === undefined ? answer.message ?? "ended" : error.message;
  return {
    isolates: isolatesAfter - isolatesBefore,
    gateway: gatewayAfter - gatewayBefore,
    fuel: usage?.fuelConsumed ?? NaN,
    ending: /fuel/i.test(message) ? "" : message.slice(0, 60),
  };
}

/** Nanoseconds for a thousand units of fuel. */
function price({ isolates, gateway, fuel }: Cost): number {
  return (isolates + gateway) * 1e9 / fuel;
}

/** A table for each language, with a row for each program. */
export async function fuelTable(language: Language, filter = ""): Promise<string> {
  const budget = Math.round(FUEL[language] * SHARE);
  await using service = await startService({
    LANGUAGES: language,
    ISOLATES: "1",
    [`FUEL_${language.toUpperCase()}`]: String(budget),
    WALL_MS: "300000",
    OUTPUT_BYTES: String(8 << 20),
    OUTPUT_LINES: "1000000",
  });
  const { [EMPTY_LOOP]: loop = "", ...others } = FUEL_PROGRAMS[language];
  const loops: number[] = [];
  const measureLoop = async () => void loops.push(price(await measure(service, language, loop)));
  await measure(service, language, loop); // compiled with optimization by then
  await measureLoop();
  const rows: (readonly [name: string, cost: Cost])[] = [];
  for (const [name, code] of Object.entries(others)) {
    if (!name.includes(filter)) continue;
    if (rows.length % PROGRAMS_PER_LOOP === 0) await measureLoop();
    await measure(service, language, code); // so that everything that it runs is compiled with optimization
    const cost = await measure(service, language, code);
    rows.push([name, cost]);
    if (Deno.env.has("BENCH_FUEL_TELL")) {
      const ratio = price(cost) / quantile(loops.slice(-5), 0.5);
      const line = [
        language,
        name,
        ratio.toFixed(2),
        cost.isolates,
        cost.gateway,
        cost.fuel,
        cost.ending,
      ];
      Deno.stderr.writeSync(new TextEncoder().encode(`${line.join("\t")}\n`));
    }
  }
  const empty = quantile(loops, 0.5);
  const seconds = (nanoseconds: number) => (nanoseconds * FUEL[language] / 1e12).toFixed(2);
  const lines = rows.map(([name, cost]) => {
    const ratio = price(cost) / empty;
    const gateway = cost.gateway / (cost.gateway + cost.isolates);
    return [
      name,
      seconds(price(cost)),
      `${(gateway * 100).toFixed(0)} %`,
      ratio > MOST ? `**${ratio.toFixed(2)}**` : ratio.toFixed(2),
      cost.ending,
    ];
  });
  return table(
    [language, "s for the default fuel", "of it in the gateway", "to the empty loop", "ended by"],
    [[EMPTY_LOOP, seconds(empty), "", "1.00", ""], ...lines],
  );
}

if (import.meta.main) {
  const [wanted, filter] = Deno.args;
  const languages: Language[] = ["javascript", "python", "perl", "ruby"];
  for (const language of languages) {
    if (wanted !== undefined && wanted !== language) continue;
    const text = await fuelTable(language, filter);
    Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n\n`));
  }
}
