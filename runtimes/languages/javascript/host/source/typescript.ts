/**
 * Compiles TypeScript to JavaScript. Types are replaced by spaces, which keeps every position. If
 * some syntax needs code in its place (enums, namespaces, parameter properties), the program is
 * rewritten, with a map of its lines.
 *
 * Fuel and memory bound the work for any source; see `stripper_module.ts`.
 *
 * @module
 */
import { mayMergeNamespaces, mergeNamespaces } from "./merged_namespaces.ts";
import { parseMappings, readLineMap } from "./source_map.ts";
import type { SyntaxFault } from "./script_parser.ts";
import { type StripMode, type StripOutcome, StripperInstance } from "./stripper_instance.ts";

/** A line of generated code → its line in the original, counted from 1. */
export type LineMapping = (line: number) => number;

/** The result for a TypeScript source. */
export type StripResult =
  | {
    readonly kind: "code";
    readonly code: string;
    readonly lineOf: LineMapping;
    /** Whether the program was rewritten. */
    readonly transformed: boolean;
  }
  | { readonly kind: "fault"; readonly fault: SyntaxFault }
  /** The source exceeds what the stripper can do; `message` says how. */
  | { readonly kind: "refused"; readonly message: string };

/**
 * Fuel for one source: 0.1 and 0.3 seconds. Ordinary sources of 64 KiB need a twentieth of it, the
 * densest enums two thirds.
 */
const FUEL = { "strip-only": 2_000_000_000, transform: 4_000_000_000 } as const;
/** Maximum size of the output for 64 KiB of source. */
const MAX_OUTPUT_CHARS = 1024 * 1024;
const TOO_LONG = "The TypeScript source takes too long to compile";
const TOO_DEEP = "The TypeScript source is nested too deeply or grows too large to compile";

/** Maps every line to itself. */
export const SAME_LINE: LineMapping = (line) => line;

function mapLines(map: string | undefined): LineMapping {
  const mappings = map === undefined ? undefined : parseMappings(map);
  if (mappings === undefined) return SAME_LINE;
  const lines = readLineMap(mappings);
  const last = lines.length - 1;
  return (line) => lines[Math.min(Math.max(1, line), last)] ?? 1;
}

/** Strips types. Owns the stripper's instance and replaces it when it becomes unusable. */
export class TypeStripper {
  readonly #load: () => WebAssembly.Module;
  #module: WebAssembly.Module | undefined;
  #instance: StripperInstance | undefined;
  #used = false;

  /** `load` is called once, for the first source. */
  constructor(load: () => WebAssembly.Module) {
    this.#load = load;
  }

  strip(source: string): StripResult {
    this.#used = true;
    const stripped = this.#run(source, "strip-only");
    switch (stripped.kind) {
      case "code":
        return { kind: "code", code: stripped.code, lineOf: SAME_LINE, transformed: false };
      case "fault":
        return stripped.unsupported ? this.#transform(source) : stripped;
      case "trap":
        // the stripper formats an error for each unsupported piece, which is too expensive with
        // long lines
        return this.#transform(source);
    }
  }

  /** Drops all sources: the next source gets a new instance. */
  reset(): void {
    if (!this.#used) return;
    this.#used = false;
    this.#instance = this.#start();
  }

  #transform(source: string): StripResult {
    const outcome = this.#run(source, "transform");
    switch (outcome.kind) {
      case "code": {
        const { code, map } = outcome;
        if (code.length > MAX_OUTPUT_CHARS) return { kind: "refused", message: TOO_DEEP };
        const merged = mayMergeNamespaces(source) ? mergeNamespaces(code) : code;
        return { kind: "code", code: merged, lineOf: mapLines(map), transformed: true };
      }
      case "fault":
        return outcome;
      case "trap":
        return { kind: "refused", message: outcome.outOfFuel ? TOO_LONG : TOO_DEEP };
    }
  }

  #run(source: string, mode: StripMode): StripOutcome {
    const stripper = this.#instance ??= this.#start();
    stripper.fuel = FUEL[mode];
    const outcome = stripper.strip(source, mode);
    if (outcome.kind === "trap") this.#instance = undefined;
    return outcome;
  }

  #start(): StripperInstance {
    return new StripperInstance(this.#module ??= this.#load());
  }
}
