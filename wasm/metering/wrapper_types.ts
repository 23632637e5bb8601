/**
 * The types that blocks around whole function bodies need.
 *
 * @module
 */
import type { ByteWriter } from "./byte_writer.ts";
import type { FunctionType } from "./module_layout.ts";
import { Type } from "./opcodes.ts";

/**
 * Block types for the blocks put around whole function bodies. Several results need a type of their
 * own.
 */
export class WrapperTypes {
  readonly #existing: number;
  readonly #indexes = new Map<string, number>();
  readonly #added: FunctionType[] = [];

  constructor(types: readonly FunctionType[]) {
    this.#existing = types.length;
    types.forEach((type, index) => {
      const key = type.resultBytes.join();
      if (type.parameters === 0 && !this.#indexes.has(key)) {
        this.#indexes.set(key, index);
      }
    });
  }

  /** Number of types to append to the type section. */
  get added(): number {
    return this.#added.length;
  }

  /** Writes the block type that gives the results of `type`. */
  writeBlockType(type: FunctionType, out: ByteWriter): void {
    if (type.results === 0) out.u8(Type.empty);
    else if (type.results === 1) out.copy(type.resultBytes);
    else out.s32(this.#index(type));
  }

  /** Writes the appended types. */
  writeAdded(out: ByteWriter): void {
    for (const type of this.#added) {
      out.u8(Type.function);
      out.u32(0);
      out.u32(type.results);
      out.copy(type.resultBytes);
    }
  }

  #index(type: FunctionType): number {
    const key = type.resultBytes.join();
    let index = this.#indexes.get(key);
    if (index === undefined) {
      index = this.#existing + this.#added.length;
      this.#added.push(type);
      this.#indexes.set(key, index);
    }
    return index;
  }
}
