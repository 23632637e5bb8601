/**
 * Tells Ruby the size of its stack. A Ruby built for WASI knows where its C stack begins but not
 * where it ends, so its own check for deep stacks is off. Metering pads the frames on that stack by
 * the size of the native ones. With a bound, recursion through blocks and C functions ends in a
 * SystemStackError that programs can rescue, well before V8's stack overflows.
 *
 * @module
 */
import { RubyAbiError, STACK_TOP } from "../host/ruby_abi.ts";
import type { RubyVm } from "../host/ruby_vm.ts";

/** Bytes of stack, padding included. */
const STACK_BYTES = 1_500_000;
/** The earliest start of the heap: just after the stack. */
const SEARCH_FROM = STACK_TOP;
/** Maximum depth of the stack during boot, in bytes. */
const USED_AT_BOOT = 65_536;
/** Fields of the execution context: the start of the stack, its last known end, its size. */
const END_FIELD = 4;
const SIZE_FIELD = 8;

/** Finds the fields in the main thread's execution context and sets the bound. */
export function limitStack(vm: RubyVm): void {
  const { view } = vm;
  const words = new Uint32Array(view.buffer);
  const found: number[] = [];
  for (let at = words.indexOf(STACK_TOP, SEARCH_FROM / 4); at >= 0;) {
    const end = words[at + END_FIELD / 4] ?? 0;
    const used = STACK_TOP - end;
    if (used > 0 && used < USED_AT_BOOT && words[at + SIZE_FIELD / 4] === 0) found.push(at * 4);
    at = words.indexOf(STACK_TOP, at + 1);
  }
  const [context] = found;
  if (context === undefined || found.length > 1) {
    throw new RubyAbiError(`${found.length} places for the bounds of the stack`);
  }
  view.setUint32(context + SIZE_FIELD, STACK_BYTES, true);
}
