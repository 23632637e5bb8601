/** Where the allocations of a boot go, and that the engine works on afterwards. */
import { assert, assertEquals, assertLess } from "@std/assert";
import { quickJsModule } from "../../../runtimes/build/javascript.ts";
import { RunClock, STOPPED_TIME } from "../../../runtimes/isolate/clock.ts";
import { UNLIMITED_FUEL } from "../../../runtimes/isolate/fuel.ts";
import { type Allocations, BootHeap } from "../../../runtimes/isolate/javascript/boot_heap.ts";
import { meterQuickJs } from "../../../runtimes/isolate/javascript/metered_module.ts";
import { EVAL_GLOBAL, INITIAL_PAGES } from "../../../runtimes/isolate/javascript/quickjs_abi.ts";
import { QuickJs } from "../../../runtimes/isolate/javascript/quickjs.ts";
import { MEMORY_BYTES } from "../../../wire/limits.ts";
import { WASM_PAGE_BYTES } from "../../../runtimes/isolate/wasm_page.ts";

/** Leaves something, and allocates, grows and frees much more. */
const LOADED = `
  globalThis.kept = Array.from({ length: 2_000 }, (_, n) => ({ n, text: "number " + n }));
  let passing = [];
  for (let n = 0; n < 20_000; n++) {
    passing.push([n, String(n)]);
    if (n % 3_000 === 0) passing = [];
  }
  globalThis.source = Array.from({ length: 400 }, (_, n) => "function f" + n + "() { return [" + n + "]; }");
  globalThis.functions = (0, eval)(source.join("") + "[f0, f399]");
  delete globalThis.source;
`;
/** Uses what was left, and more memory of all sizes. */
const USED = `
  const mine = Array.from({ length: 3_000 }, (_, n) => "y".repeat(n % 700));
  kept.length = 100;
  [kept[99].text, functions[1]()[0], mine.join("").length, kept.map(({ n }) => n).reduce((a, b) => a + b)].join()
`;
const USED_VALUE = `number 99,399,${sumOfLengths()},4950`;

function sumOfLengths(): number {
  return Array.from({ length: 3_000 }, (_, n) => n % 700).reduce((sum, n) => sum + n);
}

const module = new WebAssembly.Module(meterQuickJs(await quickJsModule()));

interface Boot {
  readonly js: QuickJs;
  readonly allocations: Allocations;
  readonly hasLeftovers: boolean;
  /** Where the last of what was kept begins. */
  readonly heapEnd: number;
}

function boot(expected?: Allocations): Boot {
  const js = new QuickJs(module, {
    clock: new RunClock(STOPPED_TIME),
    maximumPages: MEMORY_BYTES.javascript / WASM_PAGE_BYTES,
    hooks: {
      hostCall: () => 0,
      shouldInterrupt: () => false,
      rejection: () => undefined,
      growing: () => undefined,
      charge: () => undefined,
    },
  });
  js.fuel.value = UNLIMITED_FUEL;
  js.fn.construct();
  js.runtime = js.fn.newRuntime();
  const heap = new BootHeap(js, expected);
  js.context = js.fn.newContext(js.runtime, 0);
  js.strings = { lengthBefore: 24 };
  const value = js.evaluate(LOADED, "loaded", EVAL_GLOBAL);
  assertEquals(js.exception(value), 0);
  js.release(value);
  const allocations = heap.close();
  const last = js.evaluate("kept[1999]", "last", EVAL_GLOBAL);
  const heapEnd = Number(BigInt.asUintN(32, js.bits(last)));
  js.release(last);
  return { js, allocations, hasLeftovers: heap.hasLeftovers, heapEnd };
}

function valueOf(js: QuickJs, code: string): string | undefined {
  const value = js.evaluate(code, "test", EVAL_GLOBAL);
  assertEquals(js.exception(value), 0);
  return js.text(value);
}

Deno.test("boot heap: what a boot frees lies beyond the heap in the next one, and nothing else", () => {
  const first = boot();
  assert(!first.hasLeftovers);
  const second = boot(first.allocations);
  assert(!second.hasLeftovers);
  assertEquals(second.allocations, first.allocations);
  assertLess(second.heapEnd, first.heapEnd);
});

Deno.test("boot heap: the engine works on in its own memory after a boot", () => {
  const { js } = boot(boot().allocations);
  js.bytes.fill(0xff, INITIAL_PAGES * WASM_PAGE_BYTES); // where the freed allocations were
  assertEquals(valueOf(js, USED), USED_VALUE);
});

Deno.test("boot heap: an allocation that outlives what was expected is noticed", () => {
  const { sizes, isFreed } = boot().allocations;
  const survivor = isFreed.lastIndexOf(false);
  const wrong = isFreed.map((freed, number) => freed || number === survivor);
  assert(boot({ sizes, isFreed: wrong }).hasLeftovers);
});

Deno.test("boot heap: allocations of other sizes than expected stay in the heap", () => {
  const { sizes, isFreed } = boot().allocations;
  const other = boot({ sizes: sizes.map((size) => size + 8), isFreed: isFreed.map(() => true) });
  assert(!other.hasLeftovers);
  assertEquals(valueOf(other.js, USED), USED_VALUE);
});
