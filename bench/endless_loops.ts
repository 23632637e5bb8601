/**
 * Measures the time of the default fuel: endless loops in each language, in processor time of a
 * service of its own. The first run of a new isolate is a row of its own, because V8 has not
 * compiled the interpreter with optimization yet, and does not replace a function that runs.
 *
 * Usage: `deno run --allow-all bench/endless_loops.ts [share] [languages]`. Prints Markdown. A loop
 * gets that share of the default fuel, and its time is extrapolated.
 *
 * @module
 */
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
  type ByBundledLanguage as ByLanguage,
} from "../shared/languages.ts";
import { processorMs, processTree } from "../tests/support/process.ts";
import { KILLS_WITHOUT_END } from "../tests/support/run_limits.ts";
import { execute, type Service, startService } from "../tests/support/service.ts";
import { FUEL } from "../shared/limits.ts";
import { table } from "./stats.ts";

/** Endless loops in each language, the commonest first. */
const LOOPS: ByLanguage<readonly [string, ...string[]]> = {
  javascript: ["for (;;);", "while (true) {}", "(() => { for (;;); })()", "for (let n = 0;; n++);"],
  python: [
    "while True: pass",
    "def f():\n  while True: pass\nf()",
    "n = 0\nwhile True: n += 1",
    "import itertools\nfor _ in itertools.repeat(1): pass",
  ],
  perl: ["1 while 1;", "while (1) {}", "for (;;) {}", "my $n = 0; while (1) { $n++ }"],
  ruby: ["loop {}", "while true; end", "n = 0; while true; n += 1; end", "1.step {}"],
};

/** An endless loop in each language. */
export const ENDLESS_LOOPS: ByLanguage<string> = {
  javascript: LOOPS.javascript[0],
  python: LOOPS.python[0],
  perl: LOOPS.perl[0],
  ruby: LOOPS.ruby[0],
};
/** Longer than any loop takes, even on a busy machine. */
const WALL_MS = "300000";
/** Rounds of all loops. The least time counts, because other work on the machine adds to it. */
const ROUNDS = 4;

/** Processor seconds of the default fuel in a loop, and the end of its run. */
async function measure(service: Service, language: Language, code: string, share: number) {
  const pids = await processTree(service.pid);
  const before = await processorMs(pids);
  const fuel = Math.round(FUEL[language] * share);
  const { result } = await execute(service.url, language, code, { fuel });
  const seconds = (await processorMs(pids) - before) / 1_000;
  return { seconds: seconds / share, ending: result.error?.message ?? "a value" };
}

async function rowsOf(language: Language, share: number): Promise<(string | number)[][]> {
  await using service = await startService({
    ...KILLS_WITHOUT_END,
    WALL_MS,
    LANGUAGES: language,
    ISOLATES: "1",
    [`FUEL_${language.toUpperCase()}`]: String(FUEL[language]),
  });
  await execute(service.url, language, "1");
  const first = await measure(service, language, LOOPS[language][0], share);
  const least = new Map(LOOPS[language].map((code) => [code, first]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [code, known] of least) {
      const now = await measure(service, language, code, share);
      if (round === 0 || now.seconds < known.seconds) least.set(code, now);
    }
  }
  return [[`${LOOPS[language][0]}, first run`, first] as const, ...least].map(
    ([code, { seconds, ending }]) => [
      language,
      code.replaceAll("\n", "; "),
      seconds.toFixed(1),
      ending,
    ],
  );
}

if (import.meta.main) {
  const [share = "1", languages = LANGUAGES.join()] = Deno.args;
  const rows: (string | number)[][] = [];
  for (const language of LANGUAGES.filter((id) => languages.split(",").includes(id))) {
    rows.push(...await rowsOf(language, Number(share)));
  }
  const head = ["language", "loop", "processor s of the default fuel", "ended by"];
  Deno.stdout.writeSync(new TextEncoder().encode(`${table(head, rows)}\n`));
}
