/**
 * The maximum of a module's memory, changed without metering it again.
 *
 * @module
 */
import { ByteWriter } from "./byte_writer.ts";
import type { Limits } from "./limits.ts";
import { MeterError } from "./meter_error.ts";
import { readLayout } from "./module_layout.ts";

/** Flag of limits that have a maximum. */
const HAS_MAXIMUM = 1;

/**
 * The module with another maximum of its only memory, in pages of 64 KiB. Returns `source` itself when
 * it has that maximum. Throws a MeterError for a module without exactly one memory, and for one that
 * begins with more pages.
 */
export function withMaximumPages(
  source: Uint8Array<ArrayBuffer>,
  pages: number,
): Uint8Array<ArrayBuffer> {
  const { memories: [memory, ...others], sections } = readLayout(source);
  if (memory === undefined || others.length > 0) {
    throw new MeterError("the module does not have exactly one memory", 0);
  }
  if (memory.maximum === pages) return source;
  if (memory.minimum > pages) {
    throw new MeterError(`the memory begins with more than ${pages} pages`, memory.start);
  }
  const section = sections.find(({ start, end }) => start <= memory.start && memory.end <= end);
  if (section === undefined) throw new MeterError("the memory is in no section", memory.start);
  const content = contentWith(source, memory, pages, section);
  const out = new ByteWriter(source.length + content.length);
  out.copy(source, 0, section.header);
  out.u8(section.id);
  out.u32(content.length);
  out.append(content);
  out.copy(source, section.end, source.length);
  return out.toBytes();
}

/** A section with other limits of the memory. */
function contentWith(
  source: Uint8Array,
  { start, end, flags, minimum }: Limits,
  pages: number,
  section: { readonly start: number; readonly end: number },
): ByteWriter {
  const content = new ByteWriter(section.end - section.start);
  content.copy(source, section.start, start);
  content.u8(flags | HAS_MAXIMUM);
  content.u32(minimum);
  content.u32(pages);
  content.copy(source, end, section.end);
  return content;
}
