/**
 * `FormData` of the XMLHttpRequest Standard, and its form in a body: `multipart/form-data`.
 *
 * @module
 */
import { INSPECT, inspectAs } from "../web/expose.ts";
import { requireArguments } from "./headers.ts";

type Value = string | File;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function asValue(
  method: string,
  value: unknown,
  args: { readonly length: number; 2?: unknown },
): Value {
  if (value instanceof Blob) {
    const name = args.length > 2 ? `${args[2]}` : value instanceof File ? value.name : "blob";
    const { type } = value;
    if (value instanceof File && name === value.name) return value;
    return new File([value], name, { type });
  }
  if (args.length > 2) {
    throw new TypeError(
      `Failed to execute '${method}' on 'FormData': parameter 2 is not of type 'Blob'`,
    );
  }
  return `${value}`;
}

/** Names and values of a form. */
export class FormData {
  #entries: readonly (readonly [string, Value])[] = [];

  constructor(form: unknown = undefined) {
    if (form !== undefined) {
      throw new TypeError("FormData constructor: Argument 1 could not be converted to: undefined.");
    }
  }

  append(name: unknown, value: unknown, _filename?: unknown): void {
    requireArguments("FormData.append", 2, arguments);
    this.#entries = [...this.#entries, [`${name}`, asValue("append", value, arguments)]];
  }

  delete(name: unknown): void {
    requireArguments("FormData.delete", 1, arguments);
    this.#entries = this.#entries.filter(([key]) => key !== `${name}`);
  }

  get(name: unknown): Value | null {
    requireArguments("FormData.get", 1, arguments);
    return this.#entries.find(([key]) => key === `${name}`)?.[1] ?? null;
  }

  getAll(name: unknown): readonly Value[] {
    requireArguments("FormData.getAll", 1, arguments);
    return this.#entries.filter(([key]) => key === `${name}`).map(([, value]) => value);
  }

  has(name: unknown): boolean {
    requireArguments("FormData.has", 1, arguments);
    return this.#entries.some(([key]) => key === `${name}`);
  }

  set(name: unknown, value: unknown, _filename?: unknown): void {
    requireArguments("FormData.set", 2, arguments);
    const key = `${name}`;
    const entry = [key, asValue("set", value, arguments)] as const;
    const at = this.#entries.findIndex(([other]) => other === key);
    const others = this.#entries.filter(([other], index) => other !== key || index === at);
    this.#entries = at < 0 ? [...others, entry] : others.map((one) => one[0] === key ? entry : one);
  }

  *keys(): IterableIterator<string> {
    for (const [key] of this.#entries) yield key;
  }

  *values(): IterableIterator<Value> {
    for (const [, value] of this.#entries) yield value;
  }

  *entries(): IterableIterator<[string, Value]> {
    for (const [key, value] of this.#entries) yield [key, value];
  }

  forEach(callback: (value: Value, key: string, parent: FormData) => void, self?: unknown): void {
    requireArguments("FormData.forEach", 1, arguments);
    for (const [key, value] of this.#entries) Reflect.apply(callback, self, [value, key, this]);
  }

  [Symbol.iterator](): IterableIterator<[string, Value]> {
    return this.entries();
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    const fields: Record<string, unknown> = {};
    for (const [key, value] of this.#entries) {
      const known = fields[key];
      if (!Object.hasOwn(fields, key)) fields[key] = value;
      else fields[key] = Array.isArray(known) ? [...known, value] : [known, value];
    }
    return inspectAs(this, "FormData", fields, args);
  }
}

function escapeName(name: string): string {
  return name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}

/** A form as `multipart/form-data`. */
export function encodeForm(form: FormData): { readonly blob: Blob; readonly type: string } {
  const digits = String(Math.floor(Math.random() * 1e11)).padStart(12, "0");
  const boundary = `----formdata-undici-${digits}`;
  const parts: (string | Blob)[] = [];
  for (const [name, value] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"`;
    if (typeof value === "string") {
      parts.push(`${head}\r\n\r\n${value.replace(/\r?\n|\r/g, "\r\n")}\r\n`);
    } else {
      const type = value.type === "" ? "application/octet-stream" : value.type;
      parts.push(
        `${head}; filename="${escapeName(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`,
        value,
        "\r\n",
      );
    }
  }
  parts.push(`--${boundary}--\r\n`);
  return { blob: new Blob(parts), type: `multipart/form-data; boundary=${boundary}` };
}

function indexOf(bytes: Uint8Array, part: Uint8Array, from: number): number {
  const [first = 0] = part;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (part.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

function parameter(line: string, name: string): string | undefined {
  const value = new RegExp(`[; ]${name}="([^"]*)"`, "i").exec(line)?.[1];
  return value?.replaceAll("%22", '"').replaceAll("%0A", "\n").replaceAll("%0D", "\r");
}

function addPart(form: FormData, head: string, content: Uint8Array<ArrayBuffer>): void {
  const lines = head.split("\r\n");
  const find = (name: string) => lines.find((line) => line.toLowerCase().startsWith(`${name}:`));
  const disposition = find("content-disposition") ?? "";
  const name = parameter(disposition, "name");
  if (name === undefined) throw new TypeError("Failed to parse body as FormData.");
  const filename = parameter(disposition, "filename");
  if (filename === undefined) {
    form.append(name, decoder.decode(content));
    return;
  }
  const type = find("content-type")?.slice("content-type:".length).trim() ?? "text/plain";
  form.append(name, new File([content], filename, { type }));
}

/** The inverse of {@link encodeForm}; throws for anything else. */
export function decodeForm(bytes: Uint8Array<ArrayBuffer>, boundary: string): FormData {
  const form = new FormData();
  const mark = encoder.encode(`--${boundary}`);
  const gap = encoder.encode("\r\n\r\n");
  let at = indexOf(bytes, mark, 0);
  while (at >= 0) {
    const start = at + mark.length;
    if (bytes[start] === 45 && bytes[start + 1] === 45) return form;
    const headEnd = indexOf(bytes, gap, start);
    const next = headEnd < 0 ? -1 : indexOf(bytes, encoder.encode(`\r\n--${boundary}`), headEnd);
    if (next < 0) break;
    addPart(form, decoder.decode(bytes.slice(start + 2, headEnd)), bytes.slice(headEnd + 4, next));
    at = next + 2;
  }
  throw new TypeError("Failed to parse body as FormData.");
}
