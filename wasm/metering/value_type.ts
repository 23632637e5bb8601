/**
 * Value types in the binary.
 *
 * @module
 */
import type { ByteReader } from "./byte_reader.ts";
import { hex, Type } from "./opcodes.ts";

const PLAIN: ReadonlySet<number> = new Set([
  Type.i32,
  Type.i64,
  Type.f32,
  Type.f64,
  Type.v128,
  Type.funcref,
  Type.externref,
  Type.exnref,
]);

/** Skips a value type and returns its first byte. */
export function skipValueType(reader: ByteReader): number {
  const start = reader.pos;
  const first = reader.u8();
  if (first === Type.refNull || first === Type.ref) reader.skipLeb32();
  else if (!PLAIN.has(first)) {
    reader.fail(`unsupported value type ${hex(first)}`, start);
  }
  return first;
}
