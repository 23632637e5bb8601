/**
 * Published modules without metering: for builds, which trust them, and for comparison.
 *
 * @module
 */
import { ByteWriter } from "./byte_writer.ts";
import { readLayout } from "./module_layout.ts";
import { writeModule } from "./module_writer.ts";
import { SectionId } from "./opcodes.ts";
import { WrapperTypes } from "./wrapper_types.ts";
import { WASM_PAGE_BYTES } from "./wasm_page.ts";

/**
 * The published module, with the exports that metering adds but none of its code. `memoryBytes`: the
 * maximum of its memory.
 */
export function unmetered(source: Uint8Array, memoryBytes: number): Uint8Array<ArrayBuffer> {
  const layout = readLayout(source);
  const section = layout.sections.find(({ id }) => id === SectionId.code);
  if (section === undefined) throw new TypeError("The module has no code");
  const code = new ByteWriter(section.end - section.start);
  code.copy(source, section.start, section.end);
  return writeModule(source, layout, {
    code,
    wrappers: new WrapperTypes(layout.types),
    pageBounds: { minimum: 1, maximum: memoryBytes / WASM_PAGE_BYTES },
    ownSize: false,
  }).bytes;
}
