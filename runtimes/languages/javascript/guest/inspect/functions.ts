/**
 * Kinds of functions.
 *
 * @module
 */
import { FunctionPrototypeSymbolHasInstance } from "../primordials.ts";

const AsyncFunction: object = (async () => {}).constructor;
const GeneratorFunction: object = (function* () {}).constructor;
const AsyncGeneratorFunction: object = (async function* () {}).constructor;

export function isAsyncFunction(value: unknown): boolean {
  return FunctionPrototypeSymbolHasInstance(AsyncFunction, value) ||
    FunctionPrototypeSymbolHasInstance(AsyncGeneratorFunction, value);
}

export function isGeneratorFunction(value: unknown): boolean {
  return FunctionPrototypeSymbolHasInstance(GeneratorFunction, value) ||
    FunctionPrototypeSymbolHasInstance(AsyncGeneratorFunction, value);
}
