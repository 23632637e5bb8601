/**
 * Positions in the code section: function bodies, and the declarations of their locals.
 *
 * @module
 */
import type { ByteReader } from "./byte_reader.ts";
import { MAX_LOCALS } from "./engine_limits.ts";
import { skipValueType } from "./value_type.ts";

/** Position of one function body in the source, after its length. */
export interface FunctionBody {
  readonly start: number;
  readonly end: number;
}

/** The positions of all function bodies. `reader` is at the beginning of the code section. */
export function readBodies(
  reader: ByteReader,
  functions: number,
): FunctionBody[] {
  const start = reader.pos;
  const count = reader.count("function bodies");
  if (count !== functions) {
    reader.fail(
      `${count} function bodies for ${functions} declared functions`,
      start,
    );
  }
  const bodies: FunctionBody[] = [];
  for (let i = 0; i < count; i++) {
    const length = reader.u32();
    const from = reader.pos;
    reader.skip(length);
    bodies.push({ start: from, end: reader.pos });
  }
  return bodies;
}

/** The declaration of a function's locals. */
export interface Locals {
  /** Number of groups. */
  readonly groups: number;
  /** Offset of the first group. */
  readonly start: number;
  /** Offset after the last group: the first instruction. */
  readonly end: number;
  /** Number of locals, parameters included. */
  readonly count: number;
}

/** `reader` is at the beginning of a function body. */
export function readLocals(reader: ByteReader, parameters: number): Locals {
  const groups = reader.count("groups of locals");
  const start = reader.pos;
  let count = parameters;
  for (let i = 0; i < groups; i++) {
    const at = reader.pos;
    count += reader.u32();
    if (count > MAX_LOCALS) {
      reader.fail(`function has ${count} locals, more than ${MAX_LOCALS}`, at);
    }
    skipValueType(reader);
  }
  return { groups, start, end: reader.pos, count };
}
