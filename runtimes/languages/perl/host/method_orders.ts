/**
 * Perl's method resolution orders, in its memory. Perl has one order, depth first; a second is
 * created for C3. Every class's record names one of them and holds the resulting linearization.
 *
 * @module
 */
import { C3Error, c3Order } from "./c3.ts";
import { BUFFER, MAX_ERROR_TEXT_BYTES, RESOLVE_ELEMENT } from "./added_parts.ts";
import type { StaticData } from "./layout.ts";
import { type ZeroPerl, ZeroPerlAbiError } from "./zeroperl.ts";

/** Addresses of both orders (`struct mro_alg`). */
export interface MethodOrders {
  readonly depthFirst: number;
  readonly c3: number;
}

/** Of `struct mro_alg`: the function, the name, its length in 16 bits, and more. */
const ORDER = { resolve: 0, name: 4, nameLength: 8, bytes: 16 } as const;
/** Of a package's table, from its body: its names, their number, and its record for methods. */
const STASH = { names: 16, nameCount: 32, record: 36 } as const;
/**
 * Of that record (`struct mro_meta`): the cached linearization, a count of changes, and the order.
 */
const RECORD = { linearization: 4, changes: 12, packageChanges: 16, order: 20 } as const;
/** Of a name (`struct hek`): its length, and its bytes. */
const NAME = { length: 4, bytes: 8 } as const;
/** The field of a reference that points to its target. */
const REFERENT = 16;
/** Of an array's body: its magic, a linked list. Of an element of that: its type, after 16 bits. */
const ARRAY_MAGIC = 4;
const MAGIC_TYPE = 8;
const TIED = "P".charCodeAt(0);
const MAX_MAGIC = 16;
/** Fuel for each name that is read, and for each class. */
const NAME_FUEL = 1_000n;
const CLASS_FUEL = 100_000n;

const DEPTH_FIRST = new TextEncoder().encode("\0dfs\0");

/** Finds the existing order by its name, and creates the other. */
export function makeMethodOrders(perl: ZeroPerl, area: StaticData): MethodOrders {
  const name = addressOf(perl.bytes, DEPTH_FIRST, area) + 1;
  const found: number[] = [];
  for (let at = area.from & ~3; at + ORDER.bytes <= area.to; at += 4) {
    const isOrder = perl.view.getUint32(at + ORDER.name, true) === name &&
      perl.view.getUint16(at + ORDER.nameLength, true) === DEPTH_FIRST.length - 2;
    if (isOrder) found.push(at);
  }
  const [depthFirst] = found;
  if (depthFirst === undefined || found.length > 1) {
    throw new ZeroPerlAbiError(`${found.length} orders of methods`);
  }
  const c3 = perl.allocate(new Uint8Array(ORDER.bytes));
  perl.view.setUint32(c3 + ORDER.resolve, RESOLVE_ELEMENT, true);
  perl.view.setUint32(c3 + ORDER.name, perl.allocate(new TextEncoder().encode("c3\0")), true);
  perl.view.setUint16(c3 + ORDER.nameLength, 2, true);
  return { depthFirst, c3 };
}

function addressOf(bytes: Uint8Array, wanted: Uint8Array, area: StaticData): number {
  for (
    let at = bytes.indexOf(0, area.from);
    at >= 0 && at < area.to;
    at = bytes.indexOf(0, at + 1)
  ) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  throw new ZeroPerlAbiError("no name of an order of methods");
}

/** The orders of one interpreter's classes. Addresses come from the guest and are not trusted. */
export class MethodResolution {
  readonly #perl: ZeroPerl;
  readonly #orders: MethodOrders;

  constructor(perl: ZeroPerl, orders: MethodOrders) {
    this.#perl = perl;
    this.#orders = orders;
  }

  /**
   * Sets the order of the package whose table the reference points to. False when there is no such
   * table.
   */
  choose(reference: number, c3: boolean): boolean {
    const record = this.#recordOf(this.#word(reference + REFERENT));
    if (record === undefined) return false;
    const order = c3 ? this.#orders.c3 : this.#orders.depthFirst;
    if (this.#word(record + RECORD.order) === order) return true;
    const { view } = this.#perl;
    view.setUint32(record + RECORD.order, order, true);
    view.setUint32(record + RECORD.linearization, 0, true);
    view.setUint32(record + RECORD.changes, this.#word(record + RECORD.changes) + 1, true);
    return true;
  }

  /** Whether a package's order is C3. */
  isC3(reference: number): boolean {
    const record = this.#recordOf(this.#word(reference + REFERENT));
    return record !== undefined && this.#word(record + RECORD.order) === this.#orders.c3;
  }

  /** The number of changes of a package. */
  changesOf(reference: number): number {
    const record = this.#recordOf(this.#word(reference + REFERENT));
    return record === undefined ? 0 : this.#word(record + RECORD.packageChanges);
  }

  /**
   * The linearization of a package whose order is C3; 0, with an error message set, when there is
   * none.
   */
  resolve(stash: number): number {
    const record = this.#recordOf(stash);
    if (record === undefined) return this.#fail("No such class");
    const kept = this.#word(record + RECORD.linearization);
    if (kept !== 0) return kept;
    const perl = this.#perl;
    const hierarchy = {
      parentsOf: (name: string) => this.#parentsOf(name),
      charge: (names: number) => perl.charge(NAME_FUEL * BigInt(names)),
    };
    try {
      const made = this.#arrayOf(c3Order(hierarchy, this.#nameOf(stash)));
      perl.view.setUint32(record + RECORD.linearization, made, true);
      return made;
    } catch (error) {
      if (error instanceof C3Error) return this.#fail(error.message);
      throw error;
    }
  }

  #recordOf(stash: number): number | undefined {
    const record = this.#word(this.#word(stash) + STASH.record);
    if (record === 0) return undefined;
    const order = this.#word(record + RECORD.order);
    return order === this.#orders.c3 || order === this.#orders.depthFirst ? record : undefined;
  }

  #nameOf(stash: number): string {
    const body = this.#word(stash);
    const names = this.#word(body + STASH.names);
    const name = this.#word(body + STASH.nameCount) === 0 ? names : this.#word(names);
    const start = name + NAME.bytes;
    return plain(this.#perl.bytes.slice(start, start + this.#word(name + NAME.length)));
  }

  #parentsOf(name: string): readonly string[] {
    const perl = this.#perl;
    perl.charge(CLASS_FUEL);
    const list = perl.arrayVariable(`${name}::ISA`);
    if (list === 0) return [];
    if (this.#isTied(this.#word(list))) {
      throw new C3Error(`C3 cannot order class '${name}': its @ISA is tied`);
    }
    const parents: string[] = [];
    const length = perl.call("zeroperl_array_length", list);
    for (let index = 0; index < length; index++) {
      perl.charge(CLASS_FUEL);
      const parent = perl.call("zeroperl_array_get", list, index);
      parents.push(parent === 0 ? "" : plain(perl.stringBytes(parent) ?? new Uint8Array()));
      if (parent !== 0) perl.release(parent);
    }
    perl.call("zeroperl_array_free", list);
    return parents;
  }

  /** A new Perl array, which only its owner refers to. */
  #arrayOf(names: readonly string[]): number {
    const perl = this.#perl;
    const handle = perl.call("zeroperl_new_array");
    for (const name of names) {
      const value = perl.newString(new TextEncoder().encode(name));
      perl.call("zeroperl_array_push", handle, value);
      perl.release(value);
    }
    const array = this.#word(handle);
    perl.call("free", handle);
    return array;
  }

  #fail(message: string): 0 {
    const perl = this.#perl;
    const text = new TextEncoder().encode(message.replaceAll("%", "%%"));
    const buffer = perl.call(BUFFER);
    const end = Math.min(text.length, MAX_ERROR_TEXT_BYTES - 1);
    perl.bytes.set(text.subarray(0, end), buffer);
    perl.bytes[buffer + end] = 0;
    return 0;
  }

  /** A tied array would call Perl during a host call. */
  #isTied(array: number): boolean {
    let magic = this.#word(this.#word(array) + ARRAY_MAGIC);
    for (let steps = 0; magic !== 0 && steps < MAX_MAGIC; steps++) {
      if ((this.#word(magic + MAGIC_TYPE) >>> 16 & 0xff) === TIED) return true;
      magic = this.#word(magic);
    }
    return magic !== 0;
  }

  /** A word of memory; 0 where there is none. */
  #word(address: number): number {
    const { view } = this.#perl;
    return address + 4 <= view.byteLength ? view.getUint32(address, true) : 0;
  }
}

/** A name in ASCII: the functions that find a variable by name support no other. */
function plain(bytes: Uint8Array): string {
  if (bytes.some((byte) => byte > 0x7f)) {
    throw new C3Error("C3 cannot order classes with names other than ASCII");
  }
  return new TextDecoder().decode(bytes);
}
