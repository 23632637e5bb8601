/**
 * Counts instructions in the simplest way: each instruction adds its cost to a global just before it runs.
 * It shares no code with the rewriter, and serves as its reference.
 *
 * Costs: one for each instruction but `block`, `loop`, `else`, `end`, `nop`, `try`, `catch`, `catch_all`,
 * `delegate` and `try_table`; one more for each call and each turn of a loop; 3 n for bulk memory, n for
 * table operations and 100,000 n for memory growth.
 */
const FREE = new Set([0x01, 0x02, 0x03, 0x05, 0x06, 0x07, 0x0b, 0x18, 0x19, 0x1f]);

/** Name of the exported i64 global that holds the count. */
export const COUNT_EXPORT = "naive_count";

class Reader {
  pos = 0;
  constructor(readonly bytes: Uint8Array) {}

  byte(): number {
    const value = this.bytes[this.pos++];
    if (value === undefined) throw new RangeError("end of module");
    return value;
  }

  number(): number {
    let value = 0;
    for (let factor = 1;; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  skip(count: number): void {
    this.pos += count;
  }

  slice(from: number): number[] {
    return [...this.bytes.subarray(from, this.pos)];
  }
}

function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return bytes;
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...leb(content.length), ...content];
}

/** A copy of a valid module that counts what it executes. Defined memories are exported as they are. */
export function countNaively(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const reader = new Reader(source);
  reader.pos = 8;
  const sections = new Map<number, Uint8Array>();
  const order: number[] = [];
  while (reader.pos < source.length) {
    const id = reader.byte();
    const length = reader.number();
    if (id !== 0) {
      order.push(id);
      sections.set(id, source.subarray(reader.pos, reader.pos + length));
    }
    reader.pos += length;
  }
  const count = countGlobals(sections);
  const added: ReadonlyMap<number, number[]> = new Map([
    [6, [0x7e, 1, 0x42, 0, 0x0b]],
    [7, [...name(COUNT_EXPORT), 3, ...leb(count)]],
  ]);
  const out = [...source.subarray(0, 8)];
  for (const id of [1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11]) {
    const content = sections.get(id);
    const extra = added.get(id);
    if (extra !== undefined) out.push(...section(id, appended(content, extra)));
    else if (content !== undefined) {
      out.push(...section(id, id === 10 ? countCode(content, sections, count) : [...content]));
    }
  }
  return Uint8Array.from(out);
}

function name(text: string): number[] {
  const bytes = new TextEncoder().encode(text);
  return [...leb(bytes.length), ...bytes];
}

function appended(content: Uint8Array | undefined, entry: readonly number[]): number[] {
  if (content === undefined) return [1, ...entry];
  const reader = new Reader(content);
  return [...leb(reader.number() + 1), ...content.subarray(reader.pos), ...entry];
}

/** Globals of the module, imported ones included. */
function countGlobals(sections: ReadonlyMap<number, Uint8Array>): number {
  const defined = sections.get(6);
  let count = defined === undefined ? 0 : new Reader(defined).number();
  const imports = sections.get(2);
  if (imports === undefined) return count;
  const reader = new Reader(imports);
  for (let left = reader.number(); left > 0; left--) {
    for (let part = 0; part < 2; part++) reader.skip(reader.number());
    const kind = reader.byte();
    if (kind === 3) count++;
    if (kind === 0) reader.number();
    else if (kind === 3) reader.pos += 2;
    else throw new RangeError("only functions and globals can be imported here");
  }
  return count;
}

function countCode(
  content: Uint8Array,
  sections: ReadonlyMap<number, Uint8Array>,
  global: number,
): number[] {
  const parameters = functionParameters(sections);
  const reader = new Reader(content);
  const functions = reader.number();
  const out = leb(functions);
  for (let i = 0; i < functions; i++) {
    const length = reader.number();
    const body = content.subarray(reader.pos, reader.pos + length);
    reader.pos += length;
    const counted = countBody(body, parameters[i] ?? 0, global);
    out.push(...leb(counted.length), ...counted);
  }
  return out;
}

/** Numbers of parameters of the defined functions. */
function functionParameters(sections: ReadonlyMap<number, Uint8Array>): number[] {
  const types = new Reader(sections.get(1) ?? Uint8Array.of(0));
  const counts: number[] = [];
  for (let left = types.number(); left > 0; left--) {
    types.byte();
    const parameters = types.number();
    types.pos += parameters;
    types.skip(types.number());
    counts.push(parameters);
  }
  const functions = new Reader(sections.get(3) ?? Uint8Array.of(0));
  return Array.from({ length: functions.number() }, () => counts[functions.number()] ?? 0);
}

function countBody(body: Uint8Array, parameters: number, global: number): number[] {
  const reader = new Reader(body);
  const groups = reader.number();
  const localsAt = reader.pos;
  let locals = parameters;
  for (let i = 0; i < groups; i++) {
    locals += reader.number();
    reader.byte();
  }
  const add = (
    amount: readonly number[],
  ) => [0x23, ...leb(global), ...amount, 0x7c, 0x24, ...leb(global)];
  const one = add([0x42, 1]);
  const length = [0x20, ...leb(locals), 0xad];
  const out = [...leb(groups + 1), ...reader.slice(localsAt), 1, 0x7f, ...one];
  while (reader.pos < body.length) {
    const start = reader.pos;
    const opcode = reader.byte();
    const sub = skipImmediates(reader, opcode);
    const unit = unitsOfLength(opcode, sub);
    if (unit !== undefined) out.push(0x22, ...leb(locals), ...add([...length, ...unit]));
    if (!FREE.has(opcode)) out.push(...one);
    out.push(...reader.slice(start));
    if (opcode === 0x03) out.push(...one);
  }
  return out;
}

/** Instructions that convert the length on the stack (i64) to units. */
function unitsOfLength(opcode: number, sub: number): number[] | undefined {
  if (opcode === 0x40) return [0x42, 0xa0, 0x8d, 0x06, 0x7e];
  if (opcode !== 0xfc) return undefined;
  if ([8, 10, 11].includes(sub)) return [0x42, 3, 0x7e];
  return [12, 14, 15, 17].includes(sub) ? [] : undefined;
}

/** Skips the immediates of an opcode. Returns the opcode after a prefix. */
function skipImmediates(reader: Reader, opcode: number): number {
  const numbers = (count: number) => {
    for (let i = 0; i < count; i++) reader.number();
  };
  if (opcode === 0xfc) {
    const sub = reader.number();
    numbers([8, 10, 12, 14].includes(sub) ? 2 : sub > 8 ? 1 : 0);
    return sub;
  }
  if (opcode === 0x43) reader.pos += 4;
  else if (opcode === 0x44) reader.pos += 8;
  else if (opcode === 0x0e) numbers(reader.number() + 1);
  else if (opcode === 0x1c) reader.skip(reader.number());
  else if (opcode === 0x11 || opcode === 0x13) numbers(2);
  else if (opcode >= 0x28 && opcode <= 0x3e) numbers(2);
  else if (opcode === 0x1f) {
    numbers(1);
    for (let left = reader.number(); left > 0; left--) numbers(reader.byte() < 2 ? 2 : 1);
  } else if (hasOneNumber(opcode)) numbers(1);
  return 0;
}

function hasOneNumber(opcode: number): boolean {
  return [0x02, 0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0c, 0x0d, 0x10, 0x12, 0x14, 0x15, 0x18]
    .includes(opcode) ||
    (opcode >= 0x20 && opcode <= 0x26) ||
    [0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2, 0xd5, 0xd6].includes(opcode);
}
