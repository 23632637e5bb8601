/**
 * One instance of the metered type stripper (swc, compiled to WebAssembly): text and options in,
 * text or a syntax error out. A failure inside it affects only this instance.
 *
 * @module
 */
import { HandleTable } from "./handle_table.ts";
import { type GuestMemory, stripperImports } from "./stripper_imports.ts";
import type { SyntaxFault } from "./script_parser.ts";

/** `strip-only` blanks types and keeps every position; `transform` rewrites the program. */
export type StripMode = "strip-only" | "transform";

/** The result of stripping. */
export type StripOutcome =
  | { readonly kind: "code"; readonly code: string; readonly map: string | undefined }
  /** `unsupported`: valid, but not supported in this mode. */
  | { readonly kind: "fault"; readonly fault: SyntaxFault; readonly unsupported: boolean }
  /** Out of fuel, memory or stack; the instance is unusable. */
  | { readonly kind: "trap"; readonly outOfFuel: boolean };

type WasmFunction = (...args: readonly number[]) => unknown;

const RESULT_BYTES = 16;
const OPTIONS = {
  "strip-only": { mode: "strip-only" },
  transform: {
    mode: "transform",
    sourceMap: true,
    transform: {
      nativeClassProperties: true,
      noEmptyExport: true,
      // enums keep their objects, because later runs of a context may use them
      tsEnumIsMutable: true,
      // a later source may use imports that this one does not
      verbatimModuleSyntax: true,
    },
  },
} as const;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function exported(instance: WebAssembly.Instance, name: string): WasmFunction {
  const value = instance.exports[name];
  if (typeof value !== "function") throw new TypeError(`The stripper exports no "${name}"`);
  return value as WasmFunction;
}

/** The instance's memory; its buffer is replaced whenever it grows. */
class Memory implements GuestMemory {
  readonly #memory: WebAssembly.Memory;
  readonly #allocate: WasmFunction;

  constructor(instance: WebAssembly.Instance) {
    const { memory } = instance.exports;
    if (!(memory instanceof WebAssembly.Memory)) throw new TypeError("The stripper has no memory");
    this.#memory = memory;
    this.#allocate = exported(instance, "__wbindgen_export_2");
  }

  text(pointer: number, length: number): string {
    return decoder.decode(new Uint8Array(this.#memory.buffer, pointer >>> 0, length >>> 0));
  }

  newText(text: string): { pointer: number; length: number } {
    const bytes = encoder.encode(text);
    const pointer = Number(this.#allocate(bytes.length, 1)) >>> 0;
    new Uint8Array(this.#memory.buffer).set(bytes, pointer);
    return { pointer, length: bytes.length };
  }

  int32(pointer: number): number {
    return new DataView(this.#memory.buffer).getInt32(pointer, true);
  }

  setInt32(pointer: number, value: number): void {
    new DataView(this.#memory.buffer).setInt32(pointer, value, true);
  }

  setFloat64(pointer: number, value: number): void {
    new DataView(this.#memory.buffer).setFloat64(pointer, value, true);
  }
}

function textOf(object: unknown, key: string): string | undefined {
  const value: unknown = typeof object === "object" && object !== null
    ? Reflect.get(object, key)
    : undefined;
  return typeof value === "string" ? value : undefined;
}

function countOf(object: unknown, key: string): number {
  const value: unknown = typeof object === "object" && object !== null
    ? Reflect.get(object, key)
    : undefined;
  return typeof value === "number" ? value : 0;
}

function readAnswer(answer: unknown): StripOutcome {
  const code = textOf(answer, "code");
  if (code === undefined) return { kind: "trap", outOfFuel: false };
  return { kind: "code", code, map: textOf(answer, "map") };
}

function readError(error: unknown): StripOutcome {
  return {
    kind: "fault",
    unsupported: textOf(error, "code") === "UnsupportedSyntax",
    fault: {
      message: textOf(error, "message") ?? "The source is not valid TypeScript",
      line: Math.max(1, countOf(error, "startLine")),
      column: countOf(error, "startColumn"),
    },
  };
}

/** A stripper with its own memory. */
export class StripperInstance {
  readonly #handles = new HandleTable();
  readonly #memory: Memory;
  readonly #fuel: WebAssembly.Global;
  readonly #transform: WasmFunction;
  readonly #moveStack: WasmFunction;

  /**
   * Throws `TypeError` or `WebAssembly.LinkError` for a module that is not the metered stripper.
   */
  constructor(module: WebAssembly.Module) {
    // the imports use the memory of the instance that is created with them
    const late: { memory?: Memory } = {};
    const memory = () => {
      if (late.memory === undefined) throw new TypeError("The stripper has not started");
      return late.memory;
    };
    const imports = stripperImports(module, this.#handles, {
      text: (pointer, length) => memory().text(pointer, length),
      newText: (text) => memory().newText(text),
      setInt32: (pointer, value) => memory().setInt32(pointer, value),
      setFloat64: (pointer, value) => memory().setFloat64(pointer, value),
    });
    const instance = new WebAssembly.Instance(module, imports);
    const fuel = instance.exports["__fuel"];
    if (!(fuel instanceof WebAssembly.Global)) throw new TypeError("The stripper is not metered");
    this.#fuel = fuel;
    this.#memory = late.memory = new Memory(instance);
    this.#transform = exported(instance, "transformSync");
    this.#moveStack = exported(instance, "__wbindgen_add_to_stack_pointer");
  }

  /** Fuel left; negative once used up. */
  get fuel(): number {
    return Number(this.#fuel.value);
  }

  set fuel(units: number) {
    this.#fuel.value = BigInt(units);
  }

  /** Never throws, for any source. */
  strip(source: string, mode: StripMode): StripOutcome {
    try {
      return this.#strip(source, mode);
    } catch {
      // a WebAssembly trap, the host's own stack overflow, or a panic
      return { kind: "trap", outOfFuel: this.fuel < 0 };
    }
  }

  #strip(source: string, mode: StripMode): StripOutcome {
    const handles = this.#handles;
    const result = Number(this.#moveStack(-RESULT_BYTES));
    this.#transform(result, handles.add(source), handles.add(OPTIONS[mode]));
    const answer = this.#memory.int32(result);
    const error = this.#memory.int32(result + 4);
    const failed = this.#memory.int32(result + 8) !== 0;
    this.#moveStack(RESULT_BYTES);
    return failed ? readError(handles.take(error)) : readAnswer(handles.take(answer));
  }
}
