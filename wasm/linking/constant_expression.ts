/**
 * Constant expressions of 32 bits: addresses, and indexes in the function table.
 *
 * @module
 */
import { ByteReader, hex, InstructionReader, Op } from "@belljar/wasm-metering/binary";
import type { ModuleParts, Range } from "./module_parts.ts";

/**
 * The value of an expression. `globalValue` returns the value of a global. Throws a MeterError when
 * the expression is not one of 32 bits.
 */
export function evaluate(
  { bytes }: ModuleParts,
  [from, to]: Range,
  globalValue: (index: number) => number,
): number {
  const reader = new ByteReader(bytes, from, to);
  const instruction = new InstructionReader(reader);
  const stack: number[] = [];
  const pop = () => stack.pop() ?? reader.fail("expression without a value", from);
  for (;;) {
    instruction.next();
    switch (instruction.opcode) {
      case Op.i32Const:
        stack.push(instruction.immediate);
        break;
      case Op.globalGet:
        stack.push(globalValue(instruction.immediate));
        break;
      case Op.i32Add:
        stack.push((pop() + pop()) | 0);
        break;
      case Op.i32Sub: {
        const right = pop();
        stack.push((pop() - right) | 0);
        break;
      }
      case Op.end:
        return pop();
      default:
        reader.fail(`constant expression with ${hex(instruction.opcode)}`, from);
    }
  }
}
