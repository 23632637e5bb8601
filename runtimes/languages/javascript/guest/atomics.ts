/**
 * `Atomics`: with one thread, every operation on shared memory is atomic. No other thread can wake
 * the guest, so a wait is a sleep: it advances the virtual clock and takes no time.
 *
 * @module
 */
import type { HostFunction } from "./host.ts";
import {
  dataDescriptor,
  MathMax,
  MathTrunc,
  NumberIsFinite,
  ReflectDefineProperty,
  SymbolToStringTag,
  TypedArrayPrototypeGetBuffer,
  TypedArrayPrototypeGetLength,
  TypedArrayPrototypeGetSymbolToStringTag,
  uncurryGetter,
} from "./primordials.ts";

type Cell = number | bigint;
type Cells = Record<number, Cell>;

const WAITABLE: readonly unknown[] = ["Int32Array", "BigInt64Array"];
const INTEGERS: readonly unknown[] = [
  ...["Int8Array", "Uint8Array", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array"],
  ...["BigInt64Array", "BigUint64Array"],
];
const LOCK_FREE: readonly unknown[] = [1, 2, 4, 8];
const isShared = uncurryGetter(SharedArrayBuffer.prototype, "byteLength");

function cellsOf(value: unknown, names: readonly unknown[]): Cells {
  const name = TypedArrayPrototypeGetSymbolToStringTag(value);
  if (!names.includes(name)) throw new TypeError("[object Array] is not an integer typed array.");
  return value as Cells;
}

function indexOf(cells: Cells, value: unknown): number {
  const index = MathTrunc(Number(value)) || 0;
  if (index < 0 || index >= TypedArrayPrototypeGetLength(cells)) {
    throw new RangeError("Invalid atomic access index");
  }
  return index;
}

function operand(cells: Cells, value: unknown): Cell {
  const isBig = typeof cells[0] === "bigint";
  return isBig ? BigInt(value as bigint) : MathTrunc(Number(value)) || 0;
}

/** An operation that stores a new value and returns the old one. */
function exchange(change: (old: Cell, value: Cell) => Cell) {
  return (array: unknown, index: unknown, value: unknown): Cell => {
    const cells = cellsOf(array, INTEGERS);
    const at = indexOf(cells, index);
    const given = operand(cells, value);
    const old = cells[at] ?? 0;
    cells[at] = change(old, given);
    return old;
  };
}

/** Arithmetic on two numbers or on two BigInts. */
function both(
  numbers: (a: number, b: number) => number,
  bigInts: (a: bigint, b: bigint) => bigint,
): (a: Cell, b: Cell) => Cell {
  return (a, b) =>
    typeof a === "bigint" && typeof b === "bigint" ? bigInts(a, b) : numbers(Number(a), Number(b));
}

function isSharedMemory(cells: Cells): boolean {
  try {
    return isShared?.(TypedArrayPrototypeGetBuffer(cells)) !== undefined;
  } catch {
    return false;
  }
}

function timeoutOf(value: unknown): number {
  const timeout = Number(value);
  return timeout !== timeout || value === undefined ? Infinity : MathMax(timeout, 0);
}

function createMembers(host: HostFunction): Readonly<Record<string, unknown>> {
  return {
    add: exchange(both((a, b) => a + b, (a, b) => a + b)),
    and: exchange(both((a, b) => a & b, (a, b) => a & b)),
    compareExchange(array: unknown, index: unknown, expected: unknown, value: unknown): Cell {
      const cells = cellsOf(array, INTEGERS);
      const at = indexOf(cells, index);
      const [wanted, given] = [operand(cells, expected), operand(cells, value)];
      const old = cells[at] ?? 0;
      cells[at] = wanted; // converted to the array's element type
      cells[at] = cells[at] === old ? given : old;
      return old;
    },
    exchange: exchange((_old, value) => value),
    isLockFree: (size: unknown) => LOCK_FREE.includes(MathTrunc(Number(size))),
    load(array: unknown, index: unknown): Cell {
      const cells = cellsOf(array, INTEGERS);
      return cells[indexOf(cells, index)] ?? 0;
    },
    notify(array: unknown, index: unknown): number {
      const cells = cellsOf(array, WAITABLE);
      indexOf(cells, index);
      return 0;
    },
    or: exchange(both((a, b) => a | b, (a, b) => a | b)),
    store(array: unknown, index: unknown, value: unknown): Cell {
      const cells = cellsOf(array, INTEGERS);
      const at = indexOf(cells, index);
      const given = operand(cells, value);
      cells[at] = given;
      return given;
    },
    sub: exchange(both((a, b) => a - b, (a, b) => a - b)),
    wait(array: unknown, index: unknown, value: unknown, timeout?: unknown): string {
      const cells = cellsOf(array, WAITABLE);
      const at = indexOf(cells, index);
      if (!isSharedMemory(cells)) {
        throw new TypeError("[object Int32Array] is not a shared typed array.");
      }
      if (cells[at] !== operand(cells, value)) return "not-equal";
      const ms = timeoutOf(timeout);
      if (!NumberIsFinite(ms)) {
        // no other thread can end the wait
        throw new TypeError("Atomics.wait cannot be called in this context");
      }
      host("advance", `${ms}`);
      return "timed-out";
    },
    xor: exchange(both((a, b) => a ^ b, (a, b) => a ^ b)),
  };
}

/** Defines `Atomics`, which the engine lacks. */
export function installAtomics(host: HostFunction): void {
  const atomics = {};
  for (const [name, member] of Object.entries(createMembers(host))) {
    ReflectDefineProperty(member as object, "name", { value: name, configurable: true });
    ReflectDefineProperty(atomics, name, dataDescriptor(member));
  }
  ReflectDefineProperty(atomics, SymbolToStringTag, { value: "Atomics", configurable: true });
  ReflectDefineProperty(globalThis, "Atomics", dataDescriptor(atomics));
}
