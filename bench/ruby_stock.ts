/**
 * Ruby in this process: the built engine, and the same with the published module, which has
 * neither fuel nor padded frames.
 * Usage: `deno run --allow-all bench/ruby_stock.ts [rounds] [part of a name]`
 *
 * @module
 */
import {
  bootRubyImage,
  rubyLibrary,
  rubyModule,
} from "../runtimes/languages/ruby/build/builder.ts";
import { createRubyEngine } from "../runtimes/languages/ruby/create.ts";
import type { RubyEngine } from "../runtimes/languages/ruby/engine.ts";
import { withoutData } from "../wasm/metering/data_segments.ts";
import { builtIsolate } from "../tests/support/built.ts";
import { MEMORY_BYTES, SHARED_LIMITS } from "../shared/limits.ts";
import { RUBY_KINDS, RUBY_PROGRAMS } from "./programs.ts";
import { geometricMean, ms, quantile, table } from "./stats.ts";
import { hideEmbeddedFiles } from "../runtimes/languages/ruby/build/embedded_files.ts";
import { unmetered } from "../wasm/metering/unmetered.ts";

const ROUNDS = 9;
/** Warm-up rounds, in which V8 optimizes hot code. */
const WARM_UP_ROUNDS = 4;
const LIMITS = { ...SHARED_LIMITS, fuel: Number.MAX_SAFE_INTEGER, wallMs: 3_600_000 };
const memoryBytes = MEMORY_BYTES.ruby;

/** An engine with the published code, booted from its own module; and the built one. */
async function rubyEngines(): Promise<readonly [plain: RubyEngine, metered: RubyEngine]> {
  const { artifact } = await builtIsolate("ruby");
  const stock = unmetered(hideEmbeddedFiles(await rubyModule()), memoryBytes);
  const library = await rubyLibrary();
  const image = await bootRubyImage({ module: stock, libraries: [library], contexts: false });
  return [
    await createRubyEngine({ ...artifact, module: withoutData(stock), image }),
    await createRubyEngine(artifact),
  ];
}

interface Timed {
  readonly value: string;
  readonly ms: number;
}

/** Runs a program in an instance at its baseline. */
function timedRun(engine: RubyEngine, code: string): Timed {
  engine.reset();
  const { ending, durationMs } = engine.run(
    { code, env: new Map(), typescript: false, limits: LIMITS },
    () => true,
  );
  if (ending.kind !== "text") throw new Error(`The program ended with ${JSON.stringify(ending)}`);
  return { value: ending.text, ms: durationMs };
}

/** One row for each program, and the geometric mean of the ratios. */
async function stockTable(rounds: number, part: string): Promise<string> {
  const [plain, metered] = await rubyEngines();
  const ratios: number[] = [];
  const programs = Object.entries({ ...RUBY_KINDS, ...RUBY_PROGRAMS })
    .filter(([name]) => name.includes(part));
  const rows = programs.map(([name, code]) => {
    const before: number[] = [];
    const after: number[] = [];
    for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
      const [first, second] = [timedRun(plain, code), timedRun(metered, code)];
      if (first.value !== second.value) throw new Error(`${name}: the metered value differs`);
      if (round < 0) continue;
      before.push(first.ms);
      after.push(second.ms);
    }
    const [published, ours] = [quantile(before, 0.5), quantile(after, 0.5)];
    ratios.push(ours / published);
    return [name, ms(published), ms(ours), (ours / published).toFixed(2)];
  });
  const mean = ["**geometric mean**", "", "", geometricMean(ratios).toFixed(2)];
  return table(["ruby", "published, ms", "engine, ms", "ratio"], [...rows, mean]);
}

if (import.meta.main) {
  const [rounds = ROUNDS, part = ""] = Deno.args;
  const text = await stockTable(Number(rounds), part);
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
