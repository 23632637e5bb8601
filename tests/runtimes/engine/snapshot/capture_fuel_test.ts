/** The price of a capture: paid by the run that changes much memory, and the same everywhere. */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { type ContextLanguage, EngineBench, SNAPSHOT_LANGUAGES } from "./engine_bench.ts";

interface Programs {
  readonly trivial: string;
  /** Keeps so many megabytes that do not compress. */
  fill(megabytes: number): string;
  /** Frees most of it, so that later data lie in memory that was used before. */
  readonly free: string;
}

const PROGRAMS: { readonly [L in ContextLanguage]: Programs } = {
  javascript: {
    trivial: "var n = 1; n",
    fill: (mb) =>
      `var a = new Uint8Array(1 << 20); for (let i = 0, x = 1; i < 65536; i++) ` +
      `{ x = Math.imul(x, 1103515245) + 12345; a[i] = x >> 16; } ` +
      `for (let at = 65536; at < a.length; at += 65536) a.copyWithin(at, 0, 65536); ` +
      `var kept = Array.from({ length: ${mb} }, () => a.slice()); 1`,
    free: "kept.length = 2; 1",
  },
  python: {
    trivial: "n = 1\nn",
    fill: (mb) =>
      `import random\na = random.Random(1).randbytes(1 << 20)\n` +
      `kept = [bytearray(a) for _ in range(${mb})]\n1`,
    free: "del kept[2:]\n1",
  },
  perl: {
    trivial: "our $n = 1; $n",
    fill: (mb) =>
      `srand(1); our $a = join '', map { chr int rand 256 } 1 .. 65536; ` +
      `our @kept = map { $a x 16 . $_ } 1 .. ${mb}; 1`,
    free: "splice @kept, 2; 1",
  },
  ruby: {
    trivial: "$n = 1",
    fill: (mb) =>
      `$a = Random.new(1).bytes(1 << 20); $kept = (1..${mb}).map { |i| $a + i.to_s }; 1`,
    free: "$kept = $kept.take(2); GC.start; 1",
  },
};

const PAGE_FUEL = 600_000;
/** Ten megabytes have at least so many pages more than a capture takes without a price. */
const LEAST_PRICE = 1_500 * PAGE_FUEL;

for (const language of SNAPSHOT_LANGUAGES) {
  Deno.test(`capture fuel: a step of ${language} pays for the memory that it changes`, async () => {
    const bench = await EngineBench.create(language);
    const { trivial, fill, free } = PROGRAMS[language];
    const first = bench.run(trivial);
    assertLess(first.fuelConsumed, 50_000_000);
    bench.reset();
    const steps = [trivial, fill(10), trivial, free, fill(8), trivial, fill(3), free, fill(9)];
    const resident: number[] = [];
    for (const [at, code] of steps.entries()) {
      const ran = bench.run(code, at === 0 ? {} : { from: "resume" });
      assert(ran.state !== undefined, ran.shown);
      resident.push(ran.fuelConsumed);
    }
    assertGreater(resident[1] ?? 0, LEAST_PRICE);
    for (const at of [2, 5]) assertLess(resident[at] ?? 0, LEAST_PRICE / 10); // what stays is paid
    let from = undefined;
    for (const [at, code] of steps.entries()) {
      bench.reset();
      const ran = bench.run(code, { from });
      assert(ran.state !== undefined, ran.shown);
      // some programs cost a few hundred units more or less, with another seed of their tables
      const difference = Math.abs(ran.fuelConsumed - (resident[at] ?? 0));
      assertLess(difference, PAGE_FUEL / 10, `step ${at}, restored`);
      from = ran.state;
    }
  });
}

Deno.test("capture fuel: a run that cannot pay ends with the limit, before anything is compressed", async () => {
  const bench = await EngineBench.create("python");
  const fuel = 3_000_000_000;
  const { ending, fuelConsumed, state } = bench.run(PROGRAMS.python.fill(40), { limits: { fuel } });
  assertEquals([ending, fuelConsumed, state], [
    { kind: "limit", limit: "fuel", traceback: [] },
    fuel,
    undefined,
  ]);
  const small = bench.run(PROGRAMS.python.fill(3), { limits: { fuel } });
  assert(small.state !== undefined);
});
