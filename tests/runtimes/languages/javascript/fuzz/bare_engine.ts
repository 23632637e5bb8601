/**
 * The engine's metered module without the guest environment: with a small heap, a collection takes
 * a fraction of a millisecond.
 *
 * @module
 */
import { RunClock, STOPPED_TIME } from "../../../../../runtimes/engine/clock.ts";
import { UNLIMITED_FUEL } from "../../../../../runtimes/engine/fuel.ts";
import { MODULE_STACK_BYTES } from "../../../../../runtimes/languages/javascript/host/instance.ts";
import { QuickJs } from "../../../../../runtimes/languages/javascript/host/quickjs.ts";
import {
  EVAL_GLOBAL,
  isException,
  UNDEFINED,
} from "../../../../../runtimes/languages/javascript/host/quickjs_abi.ts";
import { ByteReader } from "../../../../../wasm/metering/byte_reader.ts";
import { ModulePatch } from "../../../../../wasm/metering/module_patch.ts";
import { Op } from "../../../../../wasm/metering/opcodes.ts";
import { WASM_PAGE_BYTES } from "../../../../../wasm/metering/wasm_page.ts";
import { MEMORY_BYTES } from "../../../../../shared/limits.ts";
import { TEST_STACK_BYTES } from "../../../../support/built.ts";

/** The beginning of `JS_SetGCThreshold(runtime, bytes)`: it stores the bytes at an offset. */
const STORE = [Op.localGet, 0, Op.localGet, 1, Op.i32Store, 2];

/** Where the runtime has the number of bytes at which an allocation collects garbage first. */
export function thresholdOffset(source: Uint8Array): number {
  const code = new Uint8Array(new ModulePatch(source).code("JS_SetGCThreshold"));
  const isStore = STORE.every((byte, index) => code[index] === byte);
  const reader = new ByteReader(code, STORE.length, code.length);
  const offset = reader.u32();
  if (isStore && reader.pos === code.length) return offset;
  throw new Error(`JS_SetGCThreshold is another: ${code}`);
}

/** An engine in which scripts can call `collectSoon()`: the next allocation collects garbage. */
export class BareEngine {
  readonly #js: QuickJs;

  constructor(module: WebAssembly.Module, threshold: number) {
    const clock = new RunClock(STOPPED_TIME);
    const js = new QuickJs(module, {
      clock,
      maximumPages: MEMORY_BYTES.javascript / WASM_PAGE_BYTES,
      hooks: {
        call: () => {
          js.view.setUint32(js.runtime + threshold, 0, true);
          return UNDEFINED;
        },
        shouldInterrupt: () => false,
        rejection: () => {},
        charge: () => {},
      },
    });
    this.#js = js;
    js.fuel.value = UNLIMITED_FUEL;
    js.fn._initialize();
    js.stackPointer.value = js.allocate(MODULE_STACK_BYTES) + MODULE_STACK_BYTES;
    js.runtime = js.fn.JS_NewRuntime();
    js.fn.JS_SetMaxStackSize(js.runtime, TEST_STACK_BYTES);
    js.context = js.fn.JS_NewContext(js.runtime);
    const global = js.fn.JS_GetGlobalObject(js.context);
    js.setProperty(global, "collectSoon", js.newFunction("collectSoon", 0, 1));
  }

  /** Runs a script and its jobs; gives the text of the variable `out` after them. */
  outputOf(script: string): string {
    const js = this.#js;
    this.#evaluate(script);
    const context = js.allocate(4);
    let left = js.fn.JS_ExecutePendingJob(js.runtime, context);
    while (left > 0) left = js.fn.JS_ExecutePendingJob(js.runtime, context);
    return js.text(this.#evaluate("out")) ?? "";
  }

  #evaluate(script: string) {
    const js = this.#js;
    const value = js.evaluate(script, "script.js", EVAL_GLOBAL);
    if (!isException(value)) return value;
    throw new Error(js.text(js.fn.JS_GetException(js.context)));
  }
}
