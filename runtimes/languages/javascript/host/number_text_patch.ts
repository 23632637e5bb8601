/**
 * The text of powers of two. Below a power of two, doubles are twice as close together as above it. The
 * engine's search for the shortest digits overlooks that: it gives one digit too many for some of
 * them. So the host, whose digits are those of the standard, writes all powers of two.
 *
 * The conversion of doubles to text is a function without a name. Its calls go to another function
 * instead, which takes the place of an exported one that nothing calls.
 *
 * @module
 */
import { encodeIndex, type ModulePatch } from "../../../../wasm/metering/module_patch.ts";
import { Op, Type } from "../../../../wasm/metering/opcodes.ts";

/** The function that gives up its place, and the import that the engine does not use. */
const PLACE = "qjs_get_own_property_descriptor";
/** `(upper half of the double, flags, address, 0, 0) -> length`: writes the text. */
export const NUMBER_TEXT_IMPORT = "host_call";
/** Bytes for the text; the longest has 24. */
const TEXT_BYTES = 32;

/** `(context, double, radix, digits, flags) -> value` */
const PARAMETERS = [Type.i32, Type.f64, Type.i32, Type.i32, Type.i32];
const CALLS = 6;
const PARAMETER = { context: 0, double: 1, radix: 2, digits: 3, flags: 4 } as const;
const RADIX = 10;
/** The flag for text that always has an exponent, and a mask of all others, as `i32.const` has it. */
const WITH_EXPONENT = 4;
const OTHER_FLAGS = 0x7b;
/** Bits of a double above those of its fraction. */
const HEAD_BITS = 12;

const I32_EQ = 0x46;
const I64_EQZ = 0x50;
const I32_EQZ = 0x45;
const I32_AND = 0x71;
const I64_SHL = 0x86;
const I64_SHR_U = 0x88;
const I32_WRAP_I64 = 0xa7;
const I64_REINTERPRET_F64 = 0xbd;
const STACK_POINTER = 0;

const get = (parameter: number) => [Op.localGet, parameter];
const BITS = [...get(PARAMETER.double), I64_REINTERPRET_F64];
const POINTER = [Op.globalGet, STACK_POINTER];

function movePointer(operation: number): number[] {
  return [...POINTER, Op.i32Const, TEXT_BYTES, operation, Op.globalSet, STACK_POINTER];
}

/** Applies the patch. */
export function writePowersOfTwo(patch: ModulePatch): void {
  const convert = patch.functionOfType(PARAMETERS, [Type.i64]);
  const isShortestDecimal = [
    ...[...get(PARAMETER.radix), Op.i32Const, RADIX, I32_EQ],
    ...[...get(PARAMETER.flags), Op.i32Const, OTHER_FLAGS, I32_AND, I32_EQZ, I32_AND],
  ];
  const isPower = [...BITS, Op.i64Const, HEAD_BITS, I64_SHL, I64_EQZ];
  const code = [
    ...[...isShortestDecimal, ...isPower, I32_AND, Op.if, Type.i64],
    ...movePointer(Op.i32Sub),
    ...[...get(PARAMETER.context), ...POINTER],
    ...[...BITS, Op.i64Const, 32, I64_SHR_U, I32_WRAP_I64, ...get(PARAMETER.flags)],
    ...[...POINTER, Op.i32Const, 0, Op.i32Const, 0],
    ...patch.callImport(NUMBER_TEXT_IMPORT),
    ...patch.call("JS_NewStringLen"),
    ...movePointer(Op.i32Add),
    Op.else,
    ...Object.values(PARAMETER).flatMap(get),
    ...[Op.call, ...encodeIndex(convert)],
    Op.end,
  ];
  patch.redirectCalls(convert, PLACE, CALLS);
  patch.retype(PLACE, convert);
  patch.replaceBody(PLACE, code);
}

/** The text of a double with an empty fraction, by its upper half. */
export function powerText(upperHalf: number, flags: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, upperHalf);
  const value = view.getFloat64(0);
  return flags === WITH_EXPONENT ? value.toExponential() : String(value);
}
