/**
 * Calls of programs: the round trip of a call in an isolate that waits in place, the time to come back
 * to a wait with the answers of an earlier attempt, and the bytes of both.
 *
 * `deno run --allow-all bench/calls.ts [rounds] [languages]`
 *
 * @module
 */
import { BUNDLED_LANGUAGES, type ByBundledLanguage } from "../shared/languages.ts";
import {
  attempt,
  type CallingProgram,
  echo,
  startIsolate,
} from "../tests/support/calling_isolate.ts";
import { encodeDeliveries } from "../runtimes/isolate/deliveries.ts";
import { ms, quantile } from "./stats.ts";

/** Programs that make so many calls, one after the other. */
const PROGRAMS: ByBundledLanguage<(calls: number) => string> = {
  javascript: (calls) => `for (let i = 0; i < ${calls}; i++) await tools.echo({ i });`,
  python: (calls) => `for i in range(${calls}): tools.echo(i=i)`,
  perl: (calls) => `Belljar::call("echo", { i => $_ }) for 1 .. ${calls};`,
  ruby: (calls) => `${calls}.times { |i| tools.echo(i: i) }; nil`,
};
const CALLS = 500;
const RESUMED_AFTER = [1, 100, 1_000];

const [roundsText = "5", ...chosen] = Deno.args;
const rounds = Number(roundsText);
const languages = BUNDLED_LANGUAGES.filter((one) => chosen.length === 0 || chosen.includes(one));

/** Milliseconds of an attempt, and its deliveries. */
async function timed(isolate: Awaited<ReturnType<typeof startIsolate>>, program: CallingProgram) {
  const began = performance.now();
  const { deliveries, end, result } = await attempt(isolate, program);
  if (end !== undefined || result !== "") throw new Error(`${program.language}: ${end} ${result}`);
  return { took: performance.now() - began, deliveries };
}

for (const language of languages) {
  const isolate = await startIsolate(language);
  const programOf = (calls: number): CallingProgram => ({
    language,
    code: PROGRAMS[language](calls),
    script: echo(),
  });
  await timed(isolate, programOf(10));
  const empty: number[] = [];
  const trips: number[] = [];
  const resumed = RESUMED_AFTER.map((): number[] => []);
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    empty.push((await timed(isolate, programOf(0))).took);
    trips.push((await timed(isolate, programOf(CALLS))).took / CALLS);
    for (const [index, calls] of RESUMED_AFTER.entries()) {
      const { deliveries } = await timed(isolate, programOf(calls));
      bytes = encodeDeliveries(deliveries).length / calls;
      const again = { ...programOf(calls), recorded: deliveries };
      resumed[index]?.push((await timed(isolate, again)).took);
    }
  }
  const line = [
    `no call ${ms(quantile(empty, 0.5))}`,
    `round trip ${ms(quantile(trips, 0.5))}`,
    ...RESUMED_AFTER.map((calls, index) =>
      `after ${calls} calls again in ${ms(quantile(resumed[index] ?? [], 0.5))}`
    ),
    `${bytes.toFixed(0)} bytes an answer`,
  ];
  Deno.stdout.writeSync(new TextEncoder().encode(`${language}: ${line.join(", ")}\n`));
  isolate.kill();
  await isolate.ended;
}
