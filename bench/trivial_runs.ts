/**
 * A trivial run in each language over HTTP: its time and phases, the throughput, and the cost of
 * spawning a native interpreter for each run.
 *
 * @module
 */
import type { BundledLanguage as Language } from "../shared/languages.ts";
import { execute, type Service, timingParts } from "../tests/support/service.ts";
import { BOUND_HEAD, type Bounds, exchangeOf } from "./bounds.ts";
import { ms, quantile, quantiles, table, times } from "./stats.ts";

interface Trivial {
  readonly code: string;
  /** Command that runs the same on this machine. */
  readonly native: readonly string[];
  readonly runs: number;
}

/** The program of every contender. */
export const TRIVIAL: { readonly [L in Language]: Trivial } = {
  javascript: { code: "console.log('hello'); 6 * 7", native: ["node", "-e"], runs: 2_000 },
  python: { code: "print('hello')\n6 * 7", native: ["python3", "-c"], runs: 600 },
  perl: { code: 'print "hello\\n"; 6 * 7', native: ["perl", "-e"], runs: 600 },
  ruby: { code: "puts 'hello'\n6 * 7", native: ["ruby", "-e"], runs: 300 },
};

const CONNECTIONS = 8;
const NATIVE_RUNS = 40;

/** Times of spawning a native interpreter, in milliseconds; empty where there is none. */
async function nativeTimes(language: Language): Promise<number[]> {
  const { native: [command = "", ...args], code } = TRIVIAL[language];
  try {
    return await times(
      NATIVE_RUNS,
      () => new Deno.Command(command, { args: [...args, code] }).output(),
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Time and phases of a trivial run, run one after another. Also returns the median. */
export async function roundTrips(
  service: Service,
  language: Language,
): Promise<{ readonly markdown: string; readonly p50: number }> {
  const { code, runs } = TRIVIAL[language];
  const parts = new Map<string, number[]>();
  const run = async () => {
    const { timing } = await execute(service.url, language, code);
    for (const [name, value] of timingParts(timing)) {
      parts.set(name, [...(parts.get(name) ?? []), value]);
    }
  };
  await times(runs / 4, run);
  parts.clear();
  const whole = await times(runs, run);
  const rows = [["round trip", whole] as const, ...parts].map(([name, sample]) => {
    const { p50, p95, p99 } = quantiles(sample);
    return [name, ms(p50), ms(p95), ms(p99)];
  });
  return {
    markdown: table([`${language}`, "p50, ms", "p95, ms", "p99, ms"], rows),
    p50: quantile(whole, 0.5),
  };
}

/** Runs per second with eight connections. */
export async function throughput(service: Service, language: Language): Promise<number> {
  const { code, runs } = TRIVIAL[language];
  let left = runs * 2;
  const start = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    while (left-- > 0) await execute(service.url, language, code);
  }));
  return runs * 2 / (performance.now() - start) * 1000;
}

/** All languages of a service. */
export async function trivialRuns(
  service: Service,
  languages: readonly Language[],
  bounds: Bounds,
  print: (text: string) => void,
): Promise<void> {
  const rows: (string | number)[][] = [];
  const many: (string | number)[][] = [];
  for (const language of languages) {
    const { markdown, p50 } = await roundTrips(service, language);
    print(markdown);
    const { code } = TRIVIAL[language];
    const exchange = await exchangeOf(
      `${service.url}/execute/${language}`,
      JSON.stringify({ code }),
    );
    const bound = await bounds.cells(p50, exchange);
    const perSecond = await throughput(service, language);
    const most = await bounds.perSecond(exchange, CONNECTIONS);
    many.push([language, Math.round(perSecond), Math.round(most), (most / perSecond).toFixed(1)]);
    const native = quantile(await nativeTimes(language), 0.5);
    const times = Number.isNaN(native) ? "–" : (native / p50).toFixed(1);
    const command = `\`${TRIVIAL[language].native.join(" ")}\``;
    rows.push([language, ms(p50), ...bound, command, ms(native), times]);
  }
  print(table(["language", "p50, ms", ...BOUND_HEAD, "native", "ms", "times"], rows));
  print(table([`${CONNECTIONS} connections`, "runs/s", "bound, calls/s", "ratio"], many));
}
