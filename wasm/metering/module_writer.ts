/**
 * Writes a metered module: its sections in their order, changed and unchanged.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";
import { type AddedExport, addedExports } from "./added_exports.ts";
import { type PageBounds, writeLoweredLimits } from "./limits.ts";
import type { ModuleLayout } from "./module_layout.ts";
import { Op, SectionId, Type } from "./opcodes.ts";
import { PREAMBLE_BYTES, type Section, sectionRank } from "./sections.ts";
import type { WrapperTypes } from "./wrapper_types.ts";

/** 2^62 - 1 as a signed LEB128: enough until the host sets the fuel, and far from overflow. */
const INITIAL_FUEL_LEB = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f);

export interface ModuleChanges {
  /** Content of the new code section. */
  readonly code: ByteWriter;
  readonly wrappers: WrapperTypes;
  readonly pageBounds: PageBounds | undefined;
  /** The guest sees a size of its own of the first memory. */
  readonly ownSize: boolean;
}

export interface WrittenModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Names of the exports added. */
  readonly exports: readonly string[];
}

/** Writes the new module: changed sections, and all others byte for byte. */
export function writeModule(
  source: Uint8Array,
  layout: ModuleLayout,
  changes: ModuleChanges,
): WrittenModule {
  const added = addedExports(layout, changes.ownSize);
  const writer = new ModuleWriter(source, layout, changes, added);
  return { bytes: writer.write(), exports: added.map(({ name }) => name) };
}

class ModuleWriter {
  readonly #source: Uint8Array;
  readonly #layout: ModuleLayout;
  readonly #changes: ModuleChanges;
  readonly #exports: readonly AddedExport[];
  readonly #out: ByteWriter;

  constructor(
    source: Uint8Array,
    layout: ModuleLayout,
    changes: ModuleChanges,
    exports: readonly AddedExport[],
  ) {
    this.#source = source;
    this.#layout = layout;
    this.#changes = changes;
    this.#exports = exports;
    this.#out = new ByteWriter(source.length + changes.code.length);
  }

  write(): Uint8Array<ArrayBuffer> {
    this.#out.copy(this.#source, 0, PREAMBLE_BYTES);
    // Adds the two required sections if the source lacks them.
    const missing = [SectionId.global, SectionId.export].filter((id) => !this.#has(id));
    for (const section of this.#layout.sections) {
      while (
        missing[0] !== undefined &&
        sectionRank(section.id) > sectionRank(missing[0])
      ) {
        this.#section(missing[0], undefined);
        missing.shift();
      }
      this.#section(section.id, section);
    }
    for (const id of missing) this.#section(id, undefined);
    return this.#out.toBytes();
  }

  #has(id: number): boolean {
    return this.#layout.sections.some((section) => section.id === id);
  }

  #section(id: number, section: Section | undefined): void {
    if (section !== undefined && this.#isCodeMetadata(section)) return;
    const content = this.#content(id, section);
    if (content !== undefined) {
      this.#out.u8(id);
      this.#out.u32(content.length);
      this.#out.append(content);
    } else if (section !== undefined) {
      this.#out.copy(this.#source, section.header, section.end);
    }
  }

  /** Sections with hints for code offsets, which change. */
  #isCodeMetadata({ id, start, end }: Section): boolean {
    if (id !== SectionId.custom) return false;
    return new ByteReader(this.#source, start, end).name().startsWith("metadata.code.");
  }

  /** New content of a section, or undefined if it is unchanged. */
  #content(id: number, section: Section | undefined): ByteWriter | undefined {
    switch (id) {
      case SectionId.type:
        return this.#changes.wrappers.added === 0
          ? undefined
          : this.#extended(section, this.#changes.wrappers.added, (out) =>
            this.#changes.wrappers.writeAdded(out));
      case SectionId.import:
        return this.#withLimits(section, this.#changes.pageBounds);
      case SectionId.memory:
        return this.#withLimits(section, withoutMinimum(this.#changes.pageBounds));
      case SectionId.global:
        return this.#extended(section, this.#changes.ownSize ? 2 : 1, (out) => {
          writeFuelGlobal(out);
          if (this.#changes.ownSize) this.#writePagesGlobal(out);
        });
      case SectionId.export:
        return this.#extended(
          section,
          this.#exports.length,
          (out) => this.#writeExports(out),
        );
      case SectionId.code:
        return this.#changes.code;
      default:
        return undefined;
    }
  }

  /** The entries of a section, and `count` more that `write` appends. */
  #extended(
    section: Section | undefined,
    count: number,
    write: (out: ByteWriter) => void,
  ): ByteWriter {
    const out = new ByteWriter();
    if (section === undefined) {
      out.u32(count);
    } else {
      const reader = new ByteReader(this.#source, section.start, section.end);
      out.u32(reader.u32() + count);
      out.copy(this.#source, reader.pos, section.end);
    }
    write(out);
    return out;
  }

  /** The section with the limits of the memories in it lowered. */
  #withLimits(
    section: Section | undefined,
    bounds: PageBounds | undefined,
  ): ByteWriter | undefined {
    if (bounds === undefined || section === undefined) return undefined;
    const out = new ByteWriter();
    let copied = section.start;
    for (const limits of this.#layout.memories) {
      if (limits.start < section.start || limits.start >= section.end) continue;
      out.copy(this.#source, copied, limits.start);
      writeLoweredLimits(limits, bounds, out);
      copied = limits.end;
    }
    out.copy(this.#source, copied, section.end);
    return out;
  }

  /** An imported memory may be larger at first: then the host sets the global. */
  #writePagesGlobal(out: ByteWriter): void {
    out.u8(Type.i32);
    out.u8(1);
    out.u8(Op.i32Const);
    out.s32(this.#layout.memories[0]?.minimum ?? 0);
    out.u8(Op.end);
  }

  #writeExports(out: ByteWriter): void {
    for (const { name, kind, index } of this.#exports) {
      out.name(name);
      out.u8(kind);
      out.u32(index);
    }
  }
}

function withoutMinimum(bounds: PageBounds | undefined): PageBounds | undefined {
  return bounds && { ...bounds, minimum: undefined };
}

function writeFuelGlobal(out: ByteWriter): void {
  out.u8(Type.i64);
  out.u8(1);
  out.u8(Op.i64Const);
  out.copy(INITIAL_FUEL_LEB);
  out.u8(Op.end);
}
