/**
 * Removes the source text that the engine keeps for each function of the environment: it would be
 * most of the image, and a built-in shows no source anyway. `Function.prototype.toString` then says
 * `[native code]`. A class keeps its first line, which identifies it as a class.
 *
 * The location of a function's text is found by experiment, like the rest of the layout.
 *
 * @module
 */
import { LayoutError } from "../host/layout_error.ts";
import { addressOf, EVAL_GLOBAL, type Value } from "../host/quickjs_abi.ts";
import type { QuickJs } from "../host/quickjs.ts";

/** Offsets in bytes. */
interface FunctionLayout {
  /** In an object and in a function's code: links to the previous and the next one. */
  readonly links: number;
  /** From an object or a function's code to the four bits that say which of the two it is. */
  readonly kind: number;
  /** The value of those bits for a function's code. */
  readonly code: number;
  /** In a function's code: the text, and its length. */
  readonly text: number;
  readonly length: number;
}

interface Sample {
  readonly object: number;
  readonly text: Uint8Array;
}

/** Sample functions, with lengths that no other field is likely to hold. */
const SAMPLES = [
  "function first(){ return 'of two functions that say where things are' }",
  "(second, third) => { const sum = second + third; return [sum, 'and this is the other one', sum] }",
];
const OBJECT_BYTES = 64;
const CODE_BYTES = 192;
/** Bytes before an object or a function's code, with the count of references and the kind. */
const HEAD_BYTES = 8;
const WORD = 4;
const KIND_MASK = 15;
const RUNTIME_BYTES = 2048;
const CLASS_HEAD = /^class\b[^{]*/;

function wordAt(js: QuickJs, at: number): number {
  return at + WORD <= js.bytes.length ? js.view.getUint32(at, true) : 0;
}

function offsets(bytes: number): readonly number[] {
  return Array.from({ length: bytes / WORD }, (_, index) => index * WORD);
}

function theOnly<T>(found: readonly T[], name: string): T {
  const [one] = found;
  if (one === undefined || found.length > 1) throw new LayoutError(name);
  return one;
}

function isText(js: QuickJs, at: number, text: Uint8Array): boolean {
  if (at === 0 || at + text.length >= js.bytes.length) return false;
  return js.bytes[at + text.length] === 0 && text.every((byte, i) => js.bytes[at + i] === byte);
}

/** Whether the previous and the next entry point back to this one. */
function isLinked(js: QuickJs, at: number): boolean {
  const [before, after] = [wordAt(js, at), wordAt(js, at + WORD)];
  return before !== after && wordAt(js, before + WORD) === at && wordAt(js, after) === at;
}

function findLayout(js: QuickJs, samples: readonly Sample[]): FunctionLayout & { codeOf: number } {
  // The first ones are the object's own: what lies behind each sample may be an object, too.
  const links = offsets(OBJECT_BYTES)
    .find((at) => samples.every(({ object }) => isLinked(js, object + at)));
  if (links === undefined) throw new LayoutError("links of objects");
  const behindLinks = offsets(OBJECT_BYTES).filter((at) => at >= links + 2 * WORD);
  const places = behindLinks.flatMap((codeOf) =>
    offsets(CODE_BYTES).map((text) => ({ codeOf, text }))
  );
  const { codeOf, text } = theOnly(
    places.filter(({ codeOf, text }) =>
      samples.every((sample) =>
        isText(js, wordAt(js, wordAt(js, sample.object + codeOf) + text), sample.text)
      )
    ),
    "text of a function",
  );
  const codes = samples.map(({ object }) => wordAt(js, object + codeOf));
  const length = theOnly(
    offsets(CODE_BYTES).filter((at) =>
      samples.every((sample, i) => wordAt(js, (codes[i] ?? 0) + at) === sample.text.length)
    ),
    "length of a function's text",
  );
  const kindOf = (one: number, at: number) => (js.bytes[one + at] ?? 0) & KIND_MASK;
  const kind = theOnly(
    Array.from({ length: HEAD_BYTES + links }, (_, at) => at - HEAD_BYTES).filter((at) => {
      const [ofCode, ofObject] = [codes, samples.map(({ object }) => object)]
        .map((ones) => new Set(ones.map((one) => kindOf(one, at))));
      return ofCode?.size === 1 && ofObject?.size === 1 && ofCode.isDisjointFrom(ofObject);
    }),
    "kind of an object",
  );
  return { codeOf, text, length, links, kind, code: kindOf(codes[0] ?? 0, kind) };
}

/** Everything that the engine's garbage collector tracks, found by following its links. */
function* linkedTo(js: QuickJs, first: number): Generator<number> {
  const isRuntime = (at: number) => at >= js.runtime && at < js.runtime + RUNTIME_BYTES;
  let rounds = 0;
  for (let at = first; at !== first || rounds === 0; at = wordAt(js, at + WORD)) {
    if (rounds++ > js.bytes.length / WORD || !isLinked(js, at)) throw new LayoutError("links");
    if (!isRuntime(at)) yield at;
  }
}

/** The kept part of a function's text: the head of a class, else nothing. */
function remainder(text: string): string | undefined {
  const head = CLASS_HEAD.exec(text)?.[0];
  return head === undefined ? undefined : `${head.trimEnd()} {}`;
}

/** A text that the engine may free. */
function newText(
  js: QuickJs,
  text: string,
): { readonly pointer: number; readonly length: number } {
  const data = new TextEncoder().encode(`${text}\0`);
  const pointer = js.fn.js_malloc(js.context, data.length);
  js.bytes.set(data, pointer);
  return { pointer, length: data.length - 1 };
}

function dropText(js: QuickJs, code: number, layout: FunctionLayout): void {
  const at = wordAt(js, code + layout.text);
  const length = wordAt(js, code + layout.length);
  if (at === 0) return;
  const text = js.bytes.slice(at, at + length);
  if (!isText(js, at, text)) throw new LayoutError("text of a function");
  const rest = remainder(new TextDecoder("utf-8", { fatal: true }).decode(text));
  js.fn.js_free(js.context, at);
  const replacement = rest === undefined ? undefined : newText(js, rest);
  js.view.setUint32(code + layout.text, replacement?.pointer ?? 0, true);
  js.view.setUint32(code + layout.length, replacement?.length ?? 0, true);
}

/** Removes the text of all functions of an instance. Throws a LayoutError. */
export function dropFunctionSources(js: QuickJs): void {
  const values: Value[] = [];
  const samples = SAMPLES.map((text): Sample => {
    const value = js.evaluate(`(${text})`, "belljar:layout", EVAL_GLOBAL);
    values.push(value);
    return { object: addressOf(value), text: new TextEncoder().encode(text) };
  });
  const layout = findLayout(js, samples);
  const codes = [...linkedTo(js, (samples[0]?.object ?? 0) + layout.links)]
    .map((at) => at - layout.links)
    .filter((one) => ((js.bytes[one + layout.kind] ?? 0) & KIND_MASK) === layout.code);
  for (const code of codes) dropText(js, code, layout);
  for (const value of values) js.release(value);
}
