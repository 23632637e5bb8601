/**
 * Finds which global of a module is the stack pointer.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { type FunctionBody, readLocals } from "./code_section.ts";
import { InstructionReader } from "./instruction_reader.ts";
import { MeterError } from "./meter_error.ts";
import type { ModuleLayout } from "./module_layout.ts";
import { Extern, Op, Type } from "./opcodes.ts";

const NAME = "__stack_pointer";

/** Index of the stack pointer of a module. `wanted` is an index, or "auto" to look for it. */
export function findStackPointer(
  source: Uint8Array,
  layout: ModuleLayout,
  bodies: readonly FunctionBody[],
  wanted: number | "auto",
): number {
  if (wanted === "auto") {
    const found = byName(layout) ?? byUse(source, layout, bodies) ??
      onlyCandidate(layout);
    if (found === undefined) {
      throw new MeterError(
        "no stack pointer found: name the global in stackPadding.global",
      );
    }
    return found;
  }
  if (!isCandidate(layout, wanted)) {
    throw new MeterError(
      `stack pointer: global ${wanted} is not a mutable i32`,
    );
  }
  return wanted;
}

function isCandidate(layout: ModuleLayout, index: number): boolean {
  const global = layout.globals[index];
  return global !== undefined && global.mutable && global.type === Type.i32;
}

function byName(layout: ModuleLayout): number | undefined {
  const imported = layout.globals.findIndex((global) => global.importedAs === NAME);
  if (imported >= 0 && isCandidate(layout, imported)) return imported;
  for (const [index, name] of layout.exports.get(Extern.global) ?? []) {
    if (name === NAME && isCandidate(layout, index)) return index;
  }
  return undefined;
}

/**
 * The global most functions begin with, in the way compilers open a frame: get, constant, subtract.
 */
function byUse(
  source: Uint8Array,
  layout: ModuleLayout,
  bodies: readonly FunctionBody[],
): number | undefined {
  const reader = new ByteReader(source);
  const instruction = new InstructionReader(reader);
  const votes = new Map<number, number>();
  for (const body of bodies) {
    reader.pos = body.start;
    reader.limit = body.end;
    readLocals(reader, 0);
    if (!readNext(instruction, Op.globalGet)) continue;
    const global = instruction.immediate;
    if (
      !readNext(instruction, Op.i32Const) || !readNext(instruction, Op.i32Sub)
    ) continue;
    if (isCandidate(layout, global)) {
      votes.set(global, (votes.get(global) ?? 0) + 1);
    }
  }
  let best: number | undefined;
  for (const [global, count] of votes) {
    if (best === undefined || count > (votes.get(best) ?? 0)) best = global;
  }
  return best;
}

function readNext(instruction: InstructionReader, wanted: number): boolean {
  instruction.next();
  return instruction.opcode === wanted;
}

function onlyCandidate(layout: ModuleLayout): number | undefined {
  const candidates = layout.globals.flatMap((_, index) =>
    isCandidate(layout, index) ? [index] : []
  );
  return candidates.length === 1 ? candidates[0] : undefined;
}
