/**
 * Small WebAssembly modules for the linker: an interpreter, and side modules made from text.
 *
 * @module
 */
import binaryen from "binaryen";
import type { SideModule } from "../../wasm/linking/side_module.ts";
import { leb, name, PREAMBLE, section } from "../wasm/metering/module_builder.ts";

/** The contents of the section `dylink.0` of a side module. */
export interface DylinkSpec {
  /** @default {16} */
  readonly memoryBytes?: number;
  /** Power of two. @default {4} */
  readonly memoryAlignment?: number;
  /** @default {2} */
  readonly tableSlots?: number;
  readonly needed?: readonly string[];
}

/** Heap base of the interpreter, and the address of the word that holds it. */
export const HEAP_BASE = 2048;
export const HEAP_WORD = 64;
/** Slots of the interpreter's function table; `add` is in the one of {@link ADD_SLOT}. */
export const TABLE_SLOTS = 4;
export const ADD_SLOT = 1;
/** Address of the interpreter's variable `answer`, which is 42. */
export const ANSWER_ADDRESS = 512;

function word(value: number): string {
  return [0, 8, 16, 24].map((shift) => `\\${(value >>> shift & 255).toString(16).padStart(2, "0")}`)
    .join("");
}

const INTERPRETER = `(module
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1 100)
  (table (export "__indirect_function_table") ${TABLE_SLOTS} funcref)
  (global $sp (export "__stack_pointer") (mut i32) (i32.const 1024))
  (global (export "answer") i32 (i32.const ${ANSWER_ADDRESS}))
  (tag (export "__cpp_exception") (param i32))
  (data (i32.const ${HEAP_WORD}) "${word(HEAP_BASE)}")
  (data (i32.const ${ANSWER_ADDRESS}) "${word(42)}")
  (elem (i32.const ${ADD_SLOT}) func $add)
  (func $add (export "add") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
  (func (export "emscripten_get_sbrk_ptr") (result i32) (i32.const ${HEAP_WORD}))
  (func (export "write") (result i32)
    (call $fd_write (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)))
  (func (export "call") (param $slot i32) (result i32) (call_indirect (result i32) (local.get $slot)))
)`;

/** Those of Emscripten's modules, and what is refused. */
const FEATURES = binaryen.Features.MutableGlobals | binaryen.Features.BulkMemory |
  binaryen.Features.BulkMemoryOpt | binaryen.Features.ExceptionHandling |
  binaryen.Features.ReferenceTypes | binaryen.Features.Multivalue | binaryen.Features.Atomics;

/** Assembles text that Binaryen understands; nothing of it is validated. */
export function assembleModule(text: string): Uint8Array<ArrayBuffer> {
  const module = binaryen.parseText(text);
  try {
    module.setFeatures(FEATURES);
    return new Uint8Array(module.emitBinary());
  } finally {
    module.dispose();
  }
}

/** The module that side modules are linked to. */
export function interpreterModule(): Uint8Array<ArrayBuffer> {
  return assembleModule(INTERPRETER);
}

/** The section `dylink.0`. */
export function dylinkSection(spec: DylinkSpec): readonly number[] {
  const { memoryBytes = 16, memoryAlignment = 4, tableSlots = 2, needed = [] } = spec;
  const sizes = [memoryBytes, memoryAlignment, tableSlots, 0].flatMap(leb);
  const libraries = [...leb(needed.length), ...needed.flatMap(name)];
  return section(0, [...name("dylink.0"), ...section(1, sizes), ...section(2, libraries)]);
}

/** Puts a section in front of all others. */
export function withSection(
  bytes: Uint8Array,
  content: readonly number[],
): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([...PREAMBLE, ...content, ...bytes.subarray(PREAMBLE.length)]);
}

/** Imports that nearly all side modules have. */
export const USUAL_IMPORTS = `
  (import "env" "memory" (memory 0))
  (import "env" "__indirect_function_table" (table 0 funcref))
  (import "env" "__memory_base" (global $memory i32))
  (import "env" "__table_base" (global $table i32))`;

/** A side module of a wheel, with the usual imports in front of its text. */
export function sideModule(
  library: string,
  text: string,
  { group = "w.whl", ...dylink }: DylinkSpec & { readonly group?: string } = {},
): SideModule {
  const bytes = assembleModule(`(module ${USUAL_IMPORTS} ${text})`);
  return sideOf(library, withSection(bytes, dylinkSection(dylink)), group);
}

/** The same of bytes. */
export function sideOf(
  library: string,
  bytes: Uint8Array<ArrayBuffer>,
  group = "w.whl",
): SideModule {
  return { label: `${group}: ${library}`, library, group, entry: "PyInit_a", bytes };
}
