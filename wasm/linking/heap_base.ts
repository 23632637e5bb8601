/**
 * The start of the interpreter's heap.
 *
 * @module
 */

/** The start of a heap, and the address of the word in which the C library keeps it. */
export interface HeapBase {
  readonly base: number;
  readonly wordAt: number;
}

/** The interpreter's module is not the expected one. */
class HeapBaseError extends Error {
  override readonly name = "HeapBaseError";
}

function noCall(): number {
  return 0;
}

/** Asks a module's C library for the start of its heap, in an instance that is used for nothing else. */
export function heapBaseOf(bytes: Uint8Array<ArrayBuffer>): HeapBase {
  const module = new WebAssembly.Module(bytes);
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = kind === "global"
      ? new WebAssembly.Global({ value: "i32", mutable: true }, 0)
      : noCall;
  }
  const { memory, emscripten_get_sbrk_ptr: ask } =
    new WebAssembly.Instance(module, imports).exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof ask !== "function") {
    throw new HeapBaseError("The module does not say where its heap begins");
  }
  const wordAt = Number(ask());
  return { wordAt, base: new DataView(memory.buffer).getUint32(wordAt, true) };
}
