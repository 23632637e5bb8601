/**
 * Numbers of the Wasm binary format: opcodes, sections, types, kinds of exports.
 *
 * @module
 */

/** Opcodes of the Wasm binary format that the rewriter reads by name or writes. */
export const Op = {
  unreachable: 0x00,
  nop: 0x01,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  try: 0x06,
  catch: 0x07,
  throw: 0x08,
  rethrow: 0x09,
  throwRef: 0x0a,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  returnCall: 0x12,
  returnCallIndirect: 0x13,
  callRef: 0x14,
  returnCallRef: 0x15,
  delegate: 0x18,
  catchAll: 0x19,
  drop: 0x1a,
  select: 0x1b,
  selectTyped: 0x1c,
  tryTable: 0x1f,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Load: 0x28,
  i32Store: 0x36,
  i64Store: 0x37,
  f64Mul: 0xa2,
  f64Div: 0xa3,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  i32Eqz: 0x45,
  i32Eq: 0x46,
  i32LtU: 0x49,
  i32GtU: 0x4b,
  i64LtS: 0x53,
  i32Clz: 0x67,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32Mul: 0x6c,
  i32And: 0x71,
  i32Xor: 0x73,
  i32Shl: 0x74,
  i32ShrU: 0x76,
  i64Sub: 0x7d,
  i64Mul: 0x7e,
  i64ShrU: 0x88,
  i64ExtendI32U: 0xad,
  refNull: 0xd0,
  refFunc: 0xd2,
  brOnNull: 0xd5,
  brOnNonNull: 0xd6,
  prefixGc: 0xfb,
  prefixMisc: 0xfc,
  prefixSimd: 0xfd,
  prefixAtomic: 0xfe,
} as const;

/** Sub-opcodes behind the prefix 0xFC that work on a range whose length is on top of the stack. */
export const Misc = {
  lastSaturatingTruncation: 7,
  memoryInit: 8,
  dataDrop: 9,
  memoryCopy: 10,
  memoryFill: 11,
  tableInit: 12,
  elemDrop: 13,
  tableCopy: 14,
  tableGrow: 15,
  tableSize: 16,
  tableFill: 17,
} as const;

/** Value types, and the block type for no value. */
export const Type = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
  funcref: 0x70,
  externref: 0x6f,
  exnref: 0x69,
  refNull: 0x63,
  ref: 0x64,
  empty: 0x40,
  function: 0x60,
} as const;

/** Kinds of imports and exports. */
export const Extern = {
  function: 0,
  table: 1,
  memory: 2,
  global: 3,
  tag: 4,
} as const;

export const SectionId = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
  data: 11,
  dataCount: 12,
  tag: 13,
} as const;

/** An opcode as messages name it. */
export function hex(opcode: number): string {
  return `0x${opcode.toString(16).padStart(2, "0")}`;
}
