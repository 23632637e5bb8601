/**
 * The section `dylink.0` of a side module: how much memory, how many entries of the function table and
 * which libraries the module needs.
 *
 * @module
 */
import { ByteReader, type Section, SectionId } from "@belljar/wasm-metering/binary";

const NAME = "dylink.0";
const MEMORY_INFO = 1;
const NEEDED = 2;
/** The exponent of the largest alignment of memory. */
const MAX_ALIGNMENT = 16;

/** The needs of a side module. */
export interface DylinkInfo {
  /** Bytes of memory. */
  readonly memoryBytes: number;
  /** Alignment of the memory, in bytes. */
  readonly memoryAlignment: number;
  /** Number of entries in the function table. */
  readonly tableSlots: number;
  readonly tableAlignment: number;
  /** File names of the needed libraries. */
  readonly needed: readonly string[];
}

function readAlignment(reader: ByteReader): number {
  const start = reader.pos;
  const exponent = reader.u32();
  if (exponent > MAX_ALIGNMENT) reader.fail(`alignment of 2 to the power of ${exponent}`, start);
  return 2 ** exponent;
}

function readInfo(reader: ByteReader): DylinkInfo {
  let info: DylinkInfo = {
    memoryBytes: 0,
    memoryAlignment: 1,
    tableSlots: 0,
    tableAlignment: 1,
    needed: [],
  };
  const end = reader.limit;
  while (reader.pos < end) {
    const kind = reader.u8();
    const length = reader.u32();
    const start = reader.pos;
    reader.skip(length);
    const part = new ByteReader(reader.bytes, start, reader.pos);
    if (kind === MEMORY_INFO) {
      info = {
        ...info,
        memoryBytes: part.u32(),
        memoryAlignment: readAlignment(part),
        tableSlots: part.u32(),
        tableAlignment: readAlignment(part),
      };
    } else if (kind === NEEDED) {
      const count = part.count("needed libraries");
      info = { ...info, needed: Array.from({ length: count }, () => part.name()) };
    }
  }
  return info;
}

/** Reads the section, which is the first of the module. Undefined when it is missing. */
export function readDylink(
  bytes: Uint8Array,
  sections: readonly Section[],
): DylinkInfo | undefined {
  const [first] = sections;
  if (first?.id !== SectionId.custom) return undefined;
  const reader = new ByteReader(bytes, first.start, first.end);
  return reader.name() === NAME ? readInfo(reader) : undefined;
}
