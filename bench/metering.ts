/**
 * The cost of metering: runs the same programs in the same loader, alternately with the published
 * and the metered module.
 *
 * @module
 */
import variant from "@jitl/quickjs-ng-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
} from "quickjs-emscripten";
import { quickJsModule } from "../runtimes/build/javascript.ts";
import { meterQuickJs } from "../runtimes/isolate/javascript/metered_module.ts";
import { JAVASCRIPT_PROGRAMS } from "./programs_javascript.ts";
import { geometricMean, ms, quantile, table } from "./stats.ts";

const ROUNDS = 9;
/** Warm-up rounds, in which V8 optimizes hot code. */
const WARM_UP_ROUNDS = 4;
/** Maximum of the memory that the package's loader makes. */
const PACKAGE_PAGES = 32_768;
type Evaluate = (code: string) => string;

/** The package's default export, which its types do not describe. */
function baseVariant(): QuickJSSyncVariant {
  const inner: unknown = Reflect.get(variant, "default") ?? variant;
  return inner as QuickJSSyncVariant;
}

async function evaluator(bytes: Uint8Array<ArrayBuffer>): Promise<Evaluate> {
  const wasmModule = await WebAssembly.compile(bytes);
  const module = await newQuickJSWASMModuleFromVariant(newVariant(baseVariant(), { wasmModule }));
  return (code) => {
    const context = module.newContext();
    try {
      const value = context.unwrapResult(context.evalCode(code));
      const text = String(context.dump(value));
      value.dispose();
      return text;
    } finally {
      context.dispose();
    }
  };
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
  const metered = await evaluator(meterQuickJs(source, PACKAGE_PAGES));
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
