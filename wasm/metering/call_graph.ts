/**
 * The call graph of a module, read from its code.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { type FunctionBody, readLocals } from "./code_section.ts";
import type { FrameFinder } from "./frame_finder.ts";
import { findReferences } from "./function_references.ts";
import { InstructionReader } from "./instruction_reader.ts";
import { Int32List } from "./int32_list.ts";
import type { ModuleLayout } from "./module_layout.ts";
import { Op } from "./opcodes.ts";

/**
 * The calls between functions. The nodes are the defined functions, numbered from 0, and behind
 * them one node for each signature, which stands for an indirect call: it leads to the functions of
 * that signature a table or a reference may hold. Tail calls count as calls; calls of imports are
 * left out.
 */
export interface CallGraph {
  /** Number of defined functions. */
  readonly functions: number;
  /** Number of nodes. */
  readonly nodes: number;
  /** Edges of node n are `targets[starts[n] .. starts[n + 1])`. */
  readonly starts: Int32Array;
  readonly targets: Int32Array;
  /** 1 for each defined function that can be called other than by a direct call. */
  readonly referenced: Uint8Array;
  /** Parameters and locals of each function. */
  readonly locals: Int32Array;
  /** A function catches exceptions. */
  readonly catches: boolean;
}

/** The function calls itself directly. */
export function callsItself(graph: CallGraph, index: number): boolean {
  return graph.targets.subarray(graph.starts[index], graph.starts[index + 1]).includes(index);
}

/** Reads all bodies once; `frames` looks at the instructions on the way. */
export function readCallGraph(
  source: Uint8Array,
  layout: ModuleLayout,
  bodies: readonly FunctionBody[],
  frames?: FrameFinder,
): CallGraph {
  return new CallGraphReader(source, layout, bodies, frames).read();
}

class CallGraphReader {
  readonly #layout: ModuleLayout;
  readonly #bodies: readonly FunctionBody[];
  readonly #reader: ByteReader;
  readonly #instruction: InstructionReader;
  readonly #references: Uint8Array;
  /** Node of each type: types with the same signature share one. */
  readonly #signatures: Int32Array;
  readonly #starts = new Int32List();
  readonly #targets = new Int32List();
  readonly #nodes: number;
  #catches = false;
  readonly #frames: FrameFinder | undefined;

  constructor(
    source: Uint8Array,
    layout: ModuleLayout,
    bodies: readonly FunctionBody[],
    frames: FrameFinder | undefined,
  ) {
    this.#layout = layout;
    this.#frames = frames;
    this.#bodies = bodies;
    this.#reader = new ByteReader(source);
    this.#instruction = new InstructionReader(this.#reader);
    this.#references = findReferences(source, layout);
    const nodes = new Map<string, number>();
    this.#signatures = Int32Array.from(layout.types, ({ signature }) => {
      const node = nodes.get(signature) ?? bodies.length + nodes.size;
      nodes.set(signature, node);
      return node;
    });
    this.#nodes = bodies.length + nodes.size;
  }

  read(): CallGraph {
    const locals = new Int32Array(this.#bodies.length);
    this.#bodies.forEach((body, index) => {
      this.#starts.push(this.#targets.length);
      this.#reader.pos = body.start;
      this.#reader.limit = body.end;
      const type = this.#layout.types[this.#layout.functionTypes[index] ?? 0];
      locals[index] = readLocals(this.#reader, type?.parameters ?? 0).count;
      this.#frames?.begin();
      this.#instructions();
      this.#frames?.end(index);
    });
    const referenced = this.#references.slice(this.#layout.importedFunctions);
    this.#signatureEdges(referenced);
    return {
      functions: this.#bodies.length,
      nodes: this.#nodes,
      starts: this.#starts.toArray(),
      targets: this.#targets.toArray(),
      referenced,
      locals,
      catches: this.#catches,
    };
  }

  #instructions(): void {
    const { importedFunctions } = this.#layout;
    const instruction = this.#instruction;
    while (this.#reader.pos < this.#reader.limit) {
      instruction.next();
      this.#frames?.visit(instruction);
      switch (instruction.opcode) {
        case Op.call:
        case Op.returnCall: {
          const callee = instruction.immediate - importedFunctions;
          if (callee >= 0 && callee < this.#bodies.length) this.#targets.push(callee);
          break;
        }
        case Op.callIndirect:
        case Op.returnCallIndirect:
        case Op.callRef:
        case Op.returnCallRef: {
          const node = this.#signatures[instruction.immediate];
          if (node !== undefined) this.#targets.push(node);
          break;
        }
        case Op.try:
        case Op.tryTable:
          this.#catches = true;
          break;
        case Op.refFunc:
          this.#references[instruction.immediate] = 1;
          break;
        default:
      }
    }
  }

  #signatureEdges(referenced: Uint8Array): void {
    const bySignature = new Map<number, number[]>();
    this.#layout.functionTypes.forEach((type, index) => {
      if (referenced[index] !== 1) return;
      const node = this.#signatures[type] ?? 0;
      const members = bySignature.get(node);
      if (members === undefined) bySignature.set(node, [index]);
      else members.push(index);
    });
    for (let node = this.#bodies.length; node < this.#nodes; node++) {
      this.#starts.push(this.#targets.length);
      for (const index of bySignature.get(node) ?? []) this.#targets.push(index);
    }
    this.#starts.push(this.#targets.length);
  }
}
