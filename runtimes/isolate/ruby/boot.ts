/**
 * Makes the Ruby engine's baseline image: an interpreter with the driver and the libraries that
 * common programs use, taken before any guest code ran. Boots are the same, byte for byte, in
 * every process: clocks stand still and random bytes are fixed, so hash seeds are too.
 *
 * @module
 */
import { BootError } from "../boot_error.ts";
import { STOPPED_TIME } from "../clock.ts";
import { captureRanges, type MemoryImage } from "../image.ts";
import { usedSpans } from "../used_spans.ts";
import { WasiHost } from "../wasi/host.ts";
import { WASM_PAGE_BYTES } from "../wasm_page.ts";
import { UNLIMITED_FUEL } from "../fuel.ts";
import type { ImageHead } from "./instance.ts";
import { startProcessorClock } from "./processor_clock.ts";
import { STACK_TOP } from "./ruby_abi.ts";
import { limitStack } from "./stack_limit.ts";
import { RubyVm } from "./ruby_vm.ts";

/** A file of the driver. */
export interface RubySource {
  readonly name: string;
  readonly text: string;
}

/** Heap that a run finds free before its memory must grow, which costs the instance. */
const SPARE_BYTES = 24 * 1024 * 1024;
const RANDOM_BYTE = 0x5a;
/** UTF-8 for everything, and an empty program. */
const COMMAND_LINE = ["ruby", "-EUTF-8", "-e", ""];
/**
 * Stacks of fibers, in bytes: what enumerators that are asked for one element at a time run on.
 * Frames are padded, so they need more than Ruby gives them by default.
 */
const ENVIRONMENT = new Map([["RUBY_FIBER_MACHINE_STACK_SIZE", String(512 * 1024)]]);

/** Evaluates a file; frames of a file with such a name are not shown to programs. */
function load(vm: RubyVm, { name, text }: RubySource): void {
  const source = new TextEncoder().encode(text).toBase64();
  const file = `<internal:belljar/${name}>`;
  check(
    vm,
    `RubyVM::InstructionSequence.compile("${source}".unpack1("m").force_encoding("UTF-8"), ` +
      `"${file}", nil, 1).eval`,
    name,
  );
}

function check(vm: RubyVm, code: string, what: string): number {
  const { value, state } = vm.evaluate(code);
  if (state === 0) return value;
  const told = vm.evaluate("$!.full_message(highlight: false)");
  const text = told.state === 0 ? new TextDecoder().decode(vm.stringBytes(told.value)) : "";
  throw new BootError(`${what}: ${text}`);
}

/** Boots the metered module, its data included, and takes the image. */
export function bootImage(
  module: WebAssembly.Module,
  sources: readonly RubySource[],
  library: readonly (readonly [path: string, bytes: Uint8Array])[],
): MemoryImage<ImageHead> {
  const host = new WasiHost({
    time: STOPPED_TIME,
    random: (into) => void into.fill(RANDOM_BYTE),
    charge: () => undefined,
    env: ENVIRONMENT,
  });
  host.files.addReadOnly(library);
  const vm = new RubyVm(module, host);
  vm.fuel.value = UNLIMITED_FUEL;
  vm.start(COMMAND_LINE);
  limitStack(vm);
  startProcessorClock(vm);
  for (const source of sources) load(vm, source);
  const driver = check(vm, "Belljar", "driver");
  const run = vm.intern("run");
  const stoppedAt = vm.intern("stopped_at");
  check(vm, "Belljar.settle_down", "driver");
  vm.reserve(SPARE_BYTES);
  vm.bytes.fill(0, 0, STACK_TOP); // at rest nothing on the stack is in use
  return {
    head: {
      globals: Object.fromEntries([...vm.globals].map(([name, { value }]) => [name, value])),
      driver,
      run,
      stoppedAt,
    },
    pages: vm.bytes.length / WASM_PAGE_BYTES,
    ranges: captureRanges(vm.bytes, usedSpans(vm.bytes)),
  };
}
