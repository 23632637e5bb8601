/**
 * Gives functions that Asyncify has changed a copy for the usual case.
 *
 * Asyncify makes every function ask, before each of its steps, whether the stack is being rewound.
 * A chosen function asks once, when it is entered: if the state is normal, its own body runs, which
 * lacks all that rewinding needs. Otherwise a copy of the original body runs, which is appended to
 * the module. Locals, and what unwinding saves of them, are the same in both. So a call that the
 * one began can be rewound by the other.
 *
 * @module
 */
import { findAsyncify } from "./asyncify.ts";
import {
  foldNormalState,
  isInstrumented,
  readInstructions,
  writeInstructions,
} from "./asyncify_folding.ts";
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";
import { type FunctionBody, readBodies, readLocals } from "./code_section.ts";
import { MeterError } from "./meter_error.ts";
import { type ModuleLayout, readLayout } from "./module_layout.ts";
import { Op, SectionId, Type } from "./opcodes.ts";
import { PREAMBLE_BYTES } from "./sections.ts";

/** A module with copies. */
export interface CopiedModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The function that each appended function is a copy of, by the index of the copy. */
  readonly copies: ReadonlyMap<number, number>;
}

/**
 * Adds copies of the chosen functions, unless Asyncify left them unchanged. `list` holds their
 * indexes: the difference of each to the one before, in base 36, with spaces between. Throws
 * MeterError for a module without Asyncify.
 */
export function copyForNormalState(source: Uint8Array, list: string): CopiedModule {
  const layout = readLayout(source);
  const section = layout.sections.find(({ id }) => id === SectionId.code);
  if (section === undefined) throw new MeterError("the module has no code");
  const bodies = readBodies(
    new ByteReader(source, section.start, section.end),
    layout.functionTypes.length,
  );
  const state = findAsyncify(source, layout, bodies)?.state;
  if (state === undefined) throw new MeterError("the module has no Asyncify");
  return new Copier(source, layout, bodies, state).copy(readIndexes(list));
}

function readIndexes(list: string): ReadonlySet<number> {
  let index = 0;
  return new Set(list.split(/\s+/).filter(Boolean).map((step) => index += parseInt(step, 36)));
}

class Copier {
  readonly #source: Uint8Array;
  readonly #layout: ModuleLayout;
  readonly #bodies: readonly FunctionBody[];
  readonly #state: number;
  /** Positions of the functions that have a copy, in the order of the copies. */
  readonly #copied: number[] = [];

  constructor(
    source: Uint8Array,
    layout: ModuleLayout,
    bodies: readonly FunctionBody[],
    state: number,
  ) {
    this.#source = source;
    this.#layout = layout;
    this.#bodies = bodies;
    this.#state = state;
  }

  copy(chosen: ReadonlySet<number>): CopiedModule {
    const { importedFunctions } = this.#layout;
    const bodies = new ByteWriter(this.#source.length);
    this.#bodies.forEach((body, position) => {
      const copy = chosen.has(importedFunctions + position)
        ? this.#normal(body, position)
        : undefined;
      if (copy === undefined) this.#append(bodies, body);
      else {
        bodies.u32(copy.length);
        bodies.append(copy);
        this.#copied.push(position);
      }
    });
    for (const position of this.#copied) this.#append(bodies, this.#bodies[position]);
    const first = importedFunctions + this.#bodies.length;
    return {
      bytes: this.#write(bodies),
      copies: new Map(
        this.#copied.map((position, at) => [first + at, importedFunctions + position]),
      ),
    };
  }

  /** The body that runs in the normal state, and calls the copy otherwise. */
  #normal(body: FunctionBody, position: number): ByteWriter | undefined {
    const type = this.#layout.types[this.#layout.functionTypes[position] ?? 0];
    if (type === undefined) throw new MeterError(`function ${position} has no type`);
    const reader = new ByteReader(this.#source, body.start, body.end);
    const locals = readLocals(reader, type.parameters);
    const code = readInstructions(reader);
    if (!isInstrumented(code, this.#state)) return undefined;
    const out = new ByteWriter(body.end - body.start);
    out.copy(this.#source, body.start, locals.end);
    out.u8(Op.globalGet);
    out.u32(this.#state);
    out.u8(Op.if);
    out.u8(Type.empty);
    for (let parameter = 0; parameter < type.parameters; parameter++) {
      out.u8(Op.localGet);
      out.u32(parameter);
    }
    // A call would leave the frame here on the stack, with its padding.
    out.u8(Op.returnCall);
    out.u32(this.#layout.importedFunctions + this.#bodies.length + this.#copied.length);
    out.u8(Op.end);
    writeInstructions(foldNormalState(code, this.#state), this.#source, out);
    return out;
  }

  #append(out: ByteWriter, body: FunctionBody | undefined): void {
    if (body === undefined) return;
    out.u32(body.end - body.start);
    out.copy(this.#source, body.start, body.end);
  }

  #write(bodies: ByteWriter): Uint8Array<ArrayBuffer> {
    const out = new ByteWriter(this.#source.length + bodies.length);
    out.copy(this.#source, 0, PREAMBLE_BYTES);
    for (const { id, header, start, end } of this.#layout.sections) {
      if (id === SectionId.function) this.#section(out, id, this.#types(start, end));
      else if (id === SectionId.code) this.#section(out, id, bodies);
      else out.copy(this.#source, header, end);
    }
    return out.toBytes();
  }

  #types(start: number, end: number): ByteWriter {
    const reader = new ByteReader(this.#source, start, end);
    reader.u32();
    const out = new ByteWriter();
    out.copy(this.#source, reader.pos, end);
    for (const position of this.#copied) out.u32(this.#layout.functionTypes[position] ?? 0);
    return out;
  }

  /** Writes a section that begins with the number of all functions. */
  #section(out: ByteWriter, id: number, content: ByteWriter): void {
    const whole = new ByteWriter(content.length + 5);
    whole.u32(this.#bodies.length + this.#copied.length);
    whole.append(content);
    out.u8(id);
    out.u32(whole.length);
    out.append(whole);
  }
}
