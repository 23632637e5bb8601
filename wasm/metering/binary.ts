/**
 * The binary format of WebAssembly: reading and writing of sections, types, code and instructions.
 * For tools that rewrite modules; the linker uses it.
 *
 * @module
 */
export { ByteReader } from "./byte_reader.ts";
export { ByteWriter } from "./byte_writer.ts";
export { type FunctionBody, readBodies, readLocals } from "./code_section.ts";
export { InstructionReader } from "./instruction_reader.ts";
export { type Limits, readLimits } from "./limits.ts";
export { MeterError } from "./meter_error.ts";
export { type ModuleLayout, readLayout } from "./module_layout.ts";
export { Extern, hex, Misc, Op, SectionId, Type } from "./opcodes.ts";
export { PREAMBLE_BYTES, type Section } from "./sections.ts";
export { skipValueType } from "./value_type.ts";
export { WASM_PAGE_BYTES } from "./wasm_page.ts";
