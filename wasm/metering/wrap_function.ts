/**
 * Puts a function of one's own in the place of a module's: all that called the module's function calls
 * the new one, which can call the other.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";
import { type FunctionBody, readBodies } from "./code_section.ts";
import { MeterError } from "./meter_error.ts";
import { readLayout } from "./module_layout.ts";
import { SectionId } from "./opcodes.ts";
import { PREAMBLE_BYTES } from "./sections.ts";

/**
 * Replaces the body of a defined function. The original body becomes the module's last function, whose
 * index `wrapped` gets, to make the new body: locals and instructions. Both have the same type.
 */
export function wrapFunction(
  source: Uint8Array,
  index: number,
  wrapped: (original: number) => Uint8Array,
): Uint8Array<ArrayBuffer> {
  const layout = readLayout(source);
  const position = index - layout.importedFunctions;
  const type = layout.functionTypes[position];
  const code = layout.sections.find(({ id }) => id === SectionId.code);
  if (type === undefined || code === undefined) throw new MeterError(`no function ${index}`);
  const bodies = readBodies(
    new ByteReader(source, code.start, code.end),
    layout.functionTypes.length,
  );
  const body = wrapped(layout.importedFunctions + bodies.length);
  const out = new ByteWriter(source.length + body.length + 64);
  out.copy(source, 0, PREAMBLE_BYTES);
  for (const { id, header, end } of layout.sections) {
    if (id === SectionId.function) section(out, id, types([...layout.functionTypes, type]));
    else if (id === SectionId.code) section(out, id, codes(source, bodies, { position, body }));
    else out.copy(source, header, end);
  }
  return out.toBytes();
}

function types(all: readonly number[]): ByteWriter {
  const out = new ByteWriter();
  out.u32(all.length);
  for (const type of all) out.u32(type);
  return out;
}

function codes(
  source: Uint8Array,
  bodies: readonly FunctionBody[],
  { position, body }: { readonly position: number; readonly body: Uint8Array },
): ByteWriter {
  const out = new ByteWriter(source.length);
  const original = bodies[position];
  out.u32(bodies.length + 1);
  const append = (bytes: Uint8Array, from: number, to: number) => {
    out.u32(to - from);
    out.copy(bytes, from, to);
  };
  bodies.forEach(({ start, end }, at) => {
    if (at === position) append(body, 0, body.length);
    else append(source, start, end);
  });
  if (original !== undefined) append(source, original.start, original.end);
  return out;
}

function section(out: ByteWriter, id: number, content: ByteWriter): void {
  out.u8(id);
  out.u32(content.length);
  out.append(content);
}
