/** Value types as the binary format writes them. */
export const I32 = 0x7f;
export const I64 = 0x7e;
export const F32 = 0x7d;
export const F64 = 0x7c;
export const V128 = 0x7b;

export interface FunctionSpec {
  readonly name: string;
  readonly parameters?: readonly number[];
  readonly results?: readonly number[];
  readonly locals?: readonly number[];
  /** Instructions, without the last `end`. */
  readonly body: readonly number[];
  /** @default {true} */
  readonly exported?: boolean;
}

export interface ModuleSpec {
  readonly functions?: readonly FunctionSpec[];
  /** Content of the limits of a defined memory. */
  readonly memory?: readonly number[];
  /** Mutable i32 globals with their initial values. */
  readonly globals?: readonly number[];
  /** Sections to write as they are, before those of the same or a higher id. */
  readonly raw?: ReadonlyMap<number, readonly number[]>;
}

export function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value >>> 0;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
  return bytes;
}

/** Signed LEB128 of 32 bits. */
export function sleb(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value;; rest >>= 7) {
    if (rest >= -64 && rest < 64) return [...bytes, rest & 127];
    bytes.push((rest & 127) | 128);
  }
}

export function vector(entries: readonly (readonly number[])[]): number[] {
  return [...leb(entries.length), ...entries.flat()];
}

export function name(text: string): number[] {
  const bytes = new TextEncoder().encode(text);
  return [...leb(bytes.length), ...bytes];
}

export function section(id: number, content: readonly number[]): number[] {
  return [id, ...leb(content.length), ...content];
}

export const PREAMBLE: readonly number[] = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** Builds a module byte by byte, for forms that no assembler writes. */
export function buildModule(
  { functions = [], memory, globals = [], raw = new Map() }: ModuleSpec,
): Uint8Array<ArrayBuffer> {
  const parts = new Map<number, number[]>();
  const add = (id: number, entries: readonly (readonly number[])[]) => {
    if (entries.length > 0) parts.set(id, vector(entries));
  };
  add(
    1,
    functions.map(({ parameters = [], results = [] }) => [
      0x60,
      ...vector(parameters.map((type) => [type])),
      ...vector(results.map((type) => [type])),
    ]),
  );
  add(3, functions.map((_, index) => leb(index)));
  add(5, memory === undefined ? [] : [memory]);
  add(6, globals.map((value) => [I32, 1, 0x41, ...sleb(value), 0x0b]));
  const exported = functions.flatMap((spec, index) =>
    spec.exported === false ? [] : [{ spec, index }]
  );
  add(7, exported.map(({ spec, index }) => [...name(spec.name), 0, ...leb(index)]));
  add(
    10,
    functions.map(({ locals = [], body }) => {
      const code = [...vector(locals.map((type) => [1, type])), ...body, 0x0b];
      return [...leb(code.length), ...code];
    }),
  );
  const out = [...PREAMBLE];
  for (const id of [0, 1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11]) {
    const content = raw.get(id) ?? parts.get(id);
    if (content !== undefined) out.push(...section(id, content));
  }
  return Uint8Array.from(out);
}
