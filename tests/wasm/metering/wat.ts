import binaryen from "binaryen";

/** Features that engines support by default, except GC and 64-bit memories. */
const FEATURES = [
  binaryen.Features.Atomics,
  binaryen.Features.MutableGlobals,
  binaryen.Features.NontrappingFPToInt,
  binaryen.Features.SIMD128,
  binaryen.Features.BulkMemory,
  binaryen.Features.BulkMemoryOpt,
  binaryen.Features.SignExt,
  binaryen.Features.ExceptionHandling,
  binaryen.Features.TailCall,
  binaryen.Features.ReferenceTypes,
  binaryen.Features.Multivalue,
  binaryen.Features.ExtendedConst,
  binaryen.Features.MultiMemory,
].reduce((all, feature) => all | feature, 0);

/** Assembles WebAssembly text into a module that Binaryen and the engine both accept; runs passes of Binaryen. */
export function assemble(text: string, passes: string[] = []): Uint8Array<ArrayBuffer> {
  const module = binaryen.parseText(text);
  try {
    module.setFeatures(FEATURES);
    if (!module.validate()) throw new Error("the text is not a valid module");
    module.runPasses(passes);
    const bytes = new Uint8Array(module.emitBinary());
    new WebAssembly.Module(bytes);
    return bytes;
  } finally {
    module.dispose();
  }
}

/** Whether Binaryen can read a module and finds it valid. */
export function binaryenAccepts(bytes: Uint8Array): boolean {
  const module = binaryen.readBinary(bytes);
  try {
    module.setFeatures(FEATURES);
    return module.validate() === 1;
  } finally {
    module.dispose();
  }
}
