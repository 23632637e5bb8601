/**
 * Makes the Ruby engine's baseline image: an interpreter with the driver and the libraries that
 * common programs use, before any guest code runs. A boot gives the same bytes in every process,
 * because clocks stand still and random bytes are fixed, and therefore hash seeds too.
 *
 * @module
 */
import { BootError } from "../../../engine/boot_error.ts";
import { STOPPED_TIME } from "../../../engine/clock.ts";
import type { PackedFile } from "../../../engine/packed_library.ts";
import { captureRanges, type MemoryImage } from "../../../engine/image.ts";
import { usedSpans } from "../../../engine/used_spans.ts";
import { WasiHost } from "../../../files/wasi/host.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { UNLIMITED_FUEL } from "../../../engine/fuel.ts";
import { firstHeapChunk } from "./heap_start.ts";
import type { ContextsHead, ImageHead } from "../host/instance.ts";
import { startProcessorClock } from "./processor_clock.ts";
import { STACK_TOP } from "../host/ruby_abi.ts";
import { limitStack } from "./stack_limit.ts";
import { RubyVm } from "../host/ruby_vm.ts";

/** A file of the driver. */
export interface RubySource {
  readonly name: string;
  readonly text: string;
}

/**
 * Bytes at the end of the heap that are free at the start of a run. Most programs need no more, and
 * every reset compares them.
 */
const SPARE_BYTES = 2 * 1024 * 1024;
const RANDOM_BYTE = 0x5a;
/** Command line: UTF-8 for everything, and an empty program. */
const COMMAND_LINE = ["ruby", "-EUTF-8", "-e", ""];
/**
 * Sizes of fiber stacks, in bytes. External enumerators run on fibers. Frames are padded, so they
 * need more than Ruby's default.
 */
const ENVIRONMENT = new Map([["RUBY_FIBER_MACHINE_STACK_SIZE", String(512 * 1024)]]);

/** Evaluates a file. Its name hides its frames from programs. */
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

function contextCalls(vm: RubyVm): Omit<ContextsHead, "firstChunk"> {
  return {
    prepare: vm.intern("prepare_context"),
    run: vm.intern("run_context"),
    finish: vm.intern("finish_context"),
  };
}

/** Dependencies of a boot. */
export interface BootParts {
  /** The metered module, its data included. */
  readonly module: WebAssembly.Module;
  /** The driver's files, in load order. */
  readonly sources: readonly RubySource[];
  /** Read-only files. */
  readonly library: readonly PackedFile[];
  /** Whether the sources hold the driver's part for contexts. */
  readonly contexts: boolean;
}

/** Boots the module and takes the image. */
export function bootImage(
  { module, sources, library, contexts }: BootParts,
): MemoryImage<ImageHead> {
  const host = new WasiHost({
    time: STOPPED_TIME,
    random: (into) => void into.fill(RANDOM_BYTE),
    charge: () => undefined,
    alarm: () => undefined,
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
  const flushFiles = vm.intern("flush_files");
  const stoppedAt = vm.intern("stopped_at");
  const askRepr = vm.intern("ask_repr");
  const beginCalls = vm.intern("begin_calls");
  const calls = contexts ? contextCalls(vm) : undefined;
  check(vm, "Belljar.settle_down", "driver");
  vm.reserve(SPARE_BYTES);
  vm.bytes.fill(0, 0, STACK_TOP); // between calls nothing on the stack is in use
  return {
    head: {
      globals: Object.fromEntries([...vm.globals].map(([name, { value }]) => [name, value])),
      driver,
      run,
      flushFiles,
      stoppedAt,
      askRepr,
      beginCalls,
      ...(calls === undefined
        ? {}
        : { contexts: { ...calls, firstChunk: firstHeapChunk(vm.bytes) } }),
    },
    pages: vm.bytes.length / WASM_PAGE_BYTES,
    ranges: captureRanges(vm.bytes, usedSpans(vm.bytes)),
  };
}
