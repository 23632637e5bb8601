/**
 * The frame of a module: preamble, sections, and their order.
 *
 * @module
 */
import type { ByteReader } from "./byte_reader.ts";
import { SectionId } from "./opcodes.ts";

/**
 * Version 1 of the core format: `\0asm` and a 32-bit number. A component has another number here.
 */
const PREAMBLE = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
export const PREAMBLE_BYTES: number = PREAMBLE.length;

/** The order the format prescribes; custom sections may stand anywhere. */
const ORDER: readonly number[] = [
  SectionId.type,
  SectionId.import,
  SectionId.function,
  SectionId.table,
  SectionId.memory,
  SectionId.tag,
  SectionId.global,
  SectionId.export,
  SectionId.start,
  SectionId.element,
  SectionId.dataCount,
  SectionId.code,
  SectionId.data,
];

export interface Section {
  readonly id: number;
  /** Offset of the id byte. */
  readonly header: number;
  /** Offsets of the content. */
  readonly start: number;
  readonly end: number;
}

/** Position of a section in the prescribed order. */
export function sectionRank(id: number): number {
  return ORDER.indexOf(id);
}

/** Splits a module into its sections and checks the preamble, the lengths and the order. */
export function readSections(reader: ByteReader): Section[] {
  for (const [offset, byte] of PREAMBLE.entries()) {
    if (reader.u8() !== byte) {
      reader.fail("not a core WebAssembly module of version 1", offset);
    }
  }
  const sections: Section[] = [];
  let rank = -1;
  while (reader.pos < reader.limit) {
    const section = readSection(reader);
    sections.push(section);
    if (section.id === SectionId.custom) continue;
    const next = sectionRank(section.id);
    if (next < 0) reader.fail(`unknown section ${section.id}`, section.header);
    if (next <= rank) {
      reader.fail(
        `section ${section.id} is repeated or out of order`,
        section.header,
      );
    }
    rank = next;
  }
  return sections;
}

function readSection(reader: ByteReader): Section {
  const header = reader.pos;
  const id = reader.u8();
  const length = reader.u32();
  const start = reader.pos;
  if (length > reader.limit - start) {
    reader.fail(
      `section ${id} claims ${length} bytes, more than there are`,
      header,
    );
  }
  reader.pos = start + length;
  return { id, header, start, end: reader.pos };
}
