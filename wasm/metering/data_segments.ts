/**
 * Removes the data segments of modules whose images hold the data.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { ByteReader } from "./byte_reader.ts";
import { SectionId } from "./opcodes.ts";

const HEADER_BYTES = 8;

/**
 * A module without its data segments, for engines whose image holds the memory that the data
 * would fill: instantiation takes a millisecond and the module a fraction of the space.
 * Compiling the result fails if the code refers to the segments.
 */
export function withoutData(module: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const reader = new ByteReader(module, HEADER_BYTES, module.length);
  const rest: Uint8Array[] = [module.subarray(0, HEADER_BYTES)];
  while (reader.pos < module.length) {
    const start = reader.pos;
    const id = reader.u8();
    const size = reader.u32();
    const end = reader.pos + size;
    if (id !== SectionId.data && id !== SectionId.dataCount) rest.push(module.subarray(start, end));
    reader.pos = end;
  }
  return new Uint8Array(Buffer.concat(rest));
}
