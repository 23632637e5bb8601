// test: long
/**
 * A run waits three days, by the clock of the test, over two deploys of another module and of other
 * prices. Each of its answers goes to another process.
 */
import { assert, assertEquals } from "@std/assert";
import type { BundledLanguage as Language } from "../../shared/languages.ts";
import type { Answered } from "../runs/gateway_fixture.ts";
import { markedCache } from "../support/other_build.ts";
import { callJson, startProgram } from "../support/program.ts";

const DAY_MS = 24 * 3_600_000;
/** A random number is in each argument; an iterator, a closure and a file live over the waits. */
const PROGRAMS: { readonly [L in Language]: string } = {
  javascript: `const fs = require("fs");
const drawn = [];
const numbers = (function* () { for (;;) { const r = Math.random(); drawn.push(r); yield r } })();
const add = ((sum) => (n) => sum += n)(40);
fs.writeFileSync("log", "begun");
const days = [];
for (let n = 0; n < 3; n++) {
  const before = Date.now();
  const { value, drawn: sent } = await tools.ask({ n, r: numbers.next().value });
  if (sent !== drawn[n]) throw new Error("another number");
  days.push(Math.round((Date.now() - before) / 86400000 * 10) / 10);
  console.log(n, add(value));
}
[drawn.length, days, fs.readFileSync("log", "utf8")]`,
  python: `import random, time
drawn = []
def draw():
    while True:
        drawn.append(random.random())
        yield drawn[-1]
numbers = draw()
total = 40
open('log', 'w').write('begun')
days = []
for n in range(3):
    before = time.time()
    answer = tools.ask(n=n, r=next(numbers))
    assert answer['drawn'] == drawn[n]
    days.append(round((time.time() - before) / 86400, 1))
    total += answer['value']
    print(n, total)
[len(drawn), days, open('log').read()]`,
  perl: `my (@drawn, @days);
my $total = 40;
my $add = sub { $total += shift };
open(my $out, '>', 'log'); print $out 'begun'; close $out;
for my $n (0 .. 2) {
  my $before = time;
  push @drawn, rand;
  my $answer = Belljar::call('ask', { n => $n, r => "$drawn[$n]" });
  die 'another number' if $answer->{drawn} ne "$drawn[$n]";
  push @days, 0 + sprintf('%.1f', (time - $before) / 86400);
  print $n, ' ', $add->($answer->{value}), "\\n";
}
open(my $in, '<', 'log'); my $text = <$in>;
[scalar @drawn, \\@days, $text]`,
  ruby: `drawn, days = [], []
numbers = Enumerator.new { |y| loop { drawn << rand; y << drawn.last } }
total = 40
File.write('log', 'begun')
3.times do |n|
  before = Time.now
  answer = tools.ask(n: n, r: numbers.next)
  raise 'another number' unless answer['drawn'] == drawn[n]
  days << ((Time.now - before) / 86400).round(1)
  total += answer['value']
  puts "#{n} #{total}"
end
[drawn.length, days, File.read('log')]`,
};

/** A folder of engines whose module and whose prices of the device of calls are others. */
async function otherPrices(folder: string, language: Language, mark: string, price: number) {
  return await markedCache(folder, language, mark, (program) => {
    const changed = program.replace("LINE_WORK = 327680", `LINE_WORK = ${price}`)
      .replace("BYTE_WORK = 8;", "BYTE_WORK = 9;");
    assert(changed !== program, "the prices are written in another way");
    return changed;
  });
}

/** The part of a body that a test reads. */
function answered(body: unknown): Answered {
  return body as Answered;
}

/** `path`: of the run, in a context or without one. */
async function waitsOverDeploys(language: Language, path: string, folder: string): Promise<void> {
  const deploys = [
    { aheadMs: 0, cache: await markedCache(`${folder}/first`, language, "first") },
    { aheadMs: DAY_MS, cache: await otherPrices(`${folder}/second`, language, "second", 300_000) },
    { aheadMs: 2 * DAY_MS, cache: `${folder}/second` },
    {
      aheadMs: 3 * DAY_MS,
      cache: await otherPrices(`${folder}/third`, language, "third", 350_000),
    },
  ];
  let state: Answered | undefined;
  for (const { aheadMs, cache } of deploys) {
    const service = await startProgram({
      module: "tests/support/later_program.ts",
      args: [String(aheadMs)],
      env: {
        LANGUAGES: language,
        KV_PATH: `${folder}/data`,
        CACHE_DIR: cache,
        WAIT_MS: String(5 * DAY_MS),
      },
      stderr: "inherit",
    });
    try {
      const call = async (path: string, body: unknown) => {
        const { status, body: answer } = await callJson(`${service.url}${path}`, body);
        assertEquals(status, 200, JSON.stringify(answer));
        return answered(answer);
      };
      if (state === undefined) {
        state = await call(path, {
          code: PROGRAMS[language],
          tools: [{ name: "ask" }],
          durable: true,
        });
      } else {
        const { run, calls } = state.waiting ?? { run: "", calls: [] };
        const [{ key, arguments: given } = { key: "", arguments: {} }] = calls;
        assertEquals(
          answered(await call(`/runs/${run}/answers`, { answers: [] })).waiting?.calls,
          calls,
        );
        const { r } = Object(given);
        const value = { value: 1, drawn: r };
        state = await call(`/runs/${run}/answers`, { answers: [{ key, value }] });
      }
    } finally {
      await service.end(aheadMs % (2 * DAY_MS) === 0 ? "SIGKILL" : "SIGTERM");
    }
  }
  assert(state !== undefined);
  const { error, logs, results } = Object(state);
  assertEquals([error, logs.stdout], [undefined, ["0 41", "1 42", "2 43"]], JSON.stringify(state));
  const [{ json, text }] = results;
  assertEquals(json ?? text, [3, [1, 1, 1], "begun"], JSON.stringify(results));
}

function inContext(language: Language): string {
  return `/languages/${language}/sandboxes/box/execute`;
}

const RUNS: readonly (readonly [Language, path: string, place: string])[] = [
  ["javascript", inContext("javascript"), "in a context"],
  ["python", inContext("python"), "in a context"],
  ["perl", inContext("perl"), "in a context"],
  ["ruby", "/execute/ruby", "without a context"],
  ["javascript", "/execute/javascript", "without a context"],
];

for (const [language, path, place] of RUNS) {
  Deno.test(`waits over deploys: ${language} ${place} goes on after three days and two upgrades`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      await waitsOverDeploys(language, path, folder);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
