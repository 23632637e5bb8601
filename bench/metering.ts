/**
 * The cost of metering: runs the same programs in the same loader, alternately with the published
 * and the metered module.
 *
 * @module
 */
import { QuickJS } from "quickjs-wasi";
import { quickJsModule } from "../runtimes/languages/javascript/build/builder.ts";
import { meterQuickJs } from "../runtimes/languages/javascript/build/metered_module.ts";
import { JAVASCRIPT_PROGRAMS } from "./programs.ts";
import { geometricMean, ms, quantile, table } from "./stats.ts";

const ROUNDS = 9;
/** Warm-up rounds, in which V8 optimizes hot code. */
const WARM_UP_ROUNDS = 4;
type Evaluate = (code: string) => string;

/** Evaluates scripts with the package's own loader, each in a scope of its own. */
async function evaluator(bytes: Uint8Array<ArrayBuffer>): Promise<Evaluate> {
  const wasm = await WebAssembly.compile(bytes);
  const engine = await QuickJS.create({ wasm });
  return (code) => engine.evalCode(`{ ${code} }`).consume((value) => value.toString());
}

function timed(evaluate: Evaluate, code: string): number {
  const start = performance.now();
  evaluate(code);
  return performance.now() - start;
}

/** One row for each program, and the geometric mean. */
export async function meteringTable(): Promise<string> {
  const source = await quickJsModule();
  const plain = await evaluator(source);
  const metered = await evaluator(meterQuickJs(source));
  const ratios: number[] = [];
  const rows = Object.entries(JAVASCRIPT_PROGRAMS).map(([name, code]) => {
    if (plain(code) !== metered(code)) throw new Error(`${name}: the metered value differs`);
    const before: number[] = [];
    const after: number[] = [];
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      const [first, second] = [timed(plain, code), timed(metered, code)];
      if (round < 0) continue;
      before.push(first);
      after.push(second);
    }
    const ratio = quantile(after, 0.5) / quantile(before, 0.5);
    ratios.push(ratio);
    return [name, ms(quantile(before, 0.5)), ms(quantile(after, 0.5)), ratio.toFixed(2)];
  });
  const mean = ["**geometric mean**", "", "", geometricMean(ratios).toFixed(2)];
  return table(["program", "plain, ms", "metered, ms", "ratio"], [...rows, mean]);
}
