/**
 * Gives the module room to unwind deep stacks.
 *
 * Ruby's C code was transformed by Asyncify: to scan locals for the garbage collector, to throw,
 * and to record a jump target (`setjmp`), it unwinds the native stack into a buffer of 24 KiB. That
 * buffer is full after about sixty nested block calls, and is then written past its end. This patch
 * replaces the buffers by others that the C stack does not reach:
 *
 * - The two static buffers, for scans and for throws, become one. Their uses never overlap.
 * - Other unwound data of the main stack are kept as a stack themselves. Each has an entry with the
 *   stack pointer at that time, the buffer's owner, and the end of its data. An entry whose stack
 *   pointer is not above the current one belongs to a frame that no longer exists, and is dropped.
 *
 * Fibers unwind into their own buffers, which are unchanged. A stack that does not fit traps,
 * because Asyncify checks the bounds after unwinding.
 *
 * @module
 */
import { ByteReader } from "../../../../wasm/metering/byte_reader.ts";
import { ByteWriter } from "../../../../wasm/metering/byte_writer.ts";
import {
  type FunctionBody,
  readBodies,
  readLocals,
} from "../../../../wasm/metering/code_section.ts";
import { type ModuleLayout, readLayout } from "../../../../wasm/metering/module_layout.ts";
import { Extern, Op, SectionId } from "../../../../wasm/metering/opcodes.ts";
import { findStackPointer } from "../../../../wasm/metering/stack_pointer.ts";
import { ASYNCIFY_EXPORTS, FIBER_LEFT, RubyAbiError, STACK_TOP } from "../host/ruby_abi.ts";
import { startRewindCode, startUnwindCode, type UnwindPlaces } from "./asyncify_code.ts";

/** The collector's scan buffer and the throw buffer. */
const STATIC_BUFFERS = 2;

/** The module with its buffers moved. */
export function moveUnwindBuffers(
  source: Uint8Array,
  places: UnwindPlaces,
): Uint8Array<ArrayBuffer> {
  const layout = readLayout(source);
  const section = layout.sections.find(({ id }) => id === SectionId.code);
  if (section === undefined) throw new RubyAbiError("the module has no code");
  const bodies = readBodies(
    new ByteReader(source, section.start, section.end),
    layout.functionTypes.length,
  );
  const startUnwind = exportedFunction(layout, ASYNCIFY_EXPORTS.startUnwind);
  const startRewind = exportedFunction(layout, ASYNCIFY_EXPORTS.startRewind);
  const code = source.subarray(section.start, section.end);
  const buffers = {
    places,
    statics: staticBuffers(code, startUnwind),
    stackPointer: findStackPointer(source, layout, bodies, "auto"),
    stackTop: STACK_TOP,
    fiberLeft: FIBER_LEFT,
  };
  const prologues = new Map([
    [startUnwind - layout.importedFunctions, startUnwindCode(buffers)],
    [startRewind - layout.importedFunctions, startRewindCode(buffers)],
  ]);
  const out = new ByteWriter(source.length + 1_024);
  out.copy(source, 0, section.header);
  out.u8(SectionId.code);
  const content = codeSection(source, bodies, prologues);
  out.u32(content.length);
  out.copy(content);
  out.copy(source, section.end);
  return out.toBytes();
}

function exportedFunction(layout: ModuleLayout, name: string): number {
  const found = layout.exportsByName.get(name);
  if (found?.kind !== Extern.function) throw new RubyAbiError(`no function ${name}`);
  return found.index;
}

/** The constants that `asyncify_start_unwind` is called with: addresses of static buffers. */
function staticBuffers(code: Uint8Array, startUnwind: number): readonly number[] {
  const call = new ByteWriter();
  call.u8(Op.call);
  call.u32(startUnwind);
  const pattern = call.toBytes();
  const found = new Set<number>();
  for (let at = code.indexOf(Op.call); at >= 0; at = code.indexOf(Op.call, at + 1)) {
    if (!pattern.every((byte, index) => code[at + index] === byte)) continue;
    const value = constantBefore(code, at);
    if (value !== undefined) found.add(value);
  }
  if (found.size !== STATIC_BUFFERS) {
    throw new RubyAbiError(`${found.size} static buffers of Asyncify`);
  }
  return [...found];
}

/** The operand of an `i32.const`, of a large number, that ends just before an offset. */
function constantBefore(code: Uint8Array, end: number): number | undefined {
  for (const length of [4, 5]) {
    if (code[end - length - 1] !== Op.i32Const) continue;
    const reader = new ByteReader(code, end - length, end);
    const value = reader.s32();
    if (reader.pos === end) return value;
  }
  return undefined;
}

function codeSection(
  source: Uint8Array,
  bodies: readonly FunctionBody[],
  prologues: ReadonlyMap<number, Uint8Array>,
): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(source.length);
  out.u32(bodies.length);
  bodies.forEach(({ start, end }, index) => {
    const prologue = prologues.get(index);
    if (prologue === undefined) {
      out.u32(end - start);
      out.copy(source, start, end);
    } else {
      const locals = readLocals(new ByteReader(source, start, end), 1);
      if (locals.groups > 0) throw new RubyAbiError("a function of Asyncify has locals");
      out.u32(prologue.length + end - locals.end);
      out.copy(prologue);
      out.copy(source, locals.end, end);
    }
  });
  return out.toBytes();
}
