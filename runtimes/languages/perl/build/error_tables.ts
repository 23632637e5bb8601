/**
 * The tables by which `$!`, `%!`, Errno and POSIX use Linux's error numbers and texts, independent
 * of the numbers of the module's C library.
 *
 * Two byte tables convert the library's numbers to Linux's when `$!` is read, and back when it is
 * set. A third table has the texts, in the order of the library's numbers. The tables are in the
 * guest's memory, at a pointer whose address the patched code knows.
 *
 * @module
 */
import { errorText, LINUX_ERRORS, SECOND_NAMES } from "../../../engine/linux_errors.ts";
import { IN_BUFFER } from "../host/added_parts.ts";
import type { ZeroPerl } from "../host/zeroperl.ts";

/** Numbers in each table. Numbers that no error has are mapped too, each to a distinct number. */
const NUMBERS = 256;
/** The layout that the patched code expects, as offsets from the pointer. */
export const TABLE: Readonly<Record<"toLinux" | "fromLinux" | "texts", number>> = {
  toLinux: 0,
  fromLinux: NUMBERS,
  texts: 2 * NUMBERS,
};
/** Offset of the pointer to the tables, in the buffer for the errors of an embedding program. */
export const POINTER_OFFSET: number = IN_BUFFER.errorTables;
const POINTER_BYTES = 4;

/** The library's number for each of Linux's: one to one. */
export function libraryNumbers(): readonly number[] {
  const named = new Map(LINUX_ERRORS.map(({ number, wasi }) => [number, wasi]));
  const taken = new Set(named.values());
  const all = Array.from({ length: NUMBERS - 1 }, (_, index) => index + 1);
  const free = all.filter((number) => !taken.has(number)).values();
  return [0, ...all.map((number) => named.get(number) ?? free.next().value ?? 0)];
}

/** Puts the tables into the memory of an interpreter that has just started. */
export function putErrorTables(perl: ZeroPerl): void {
  const from = libraryNumbers();
  const tables = perl.allocate(new Uint8Array(TABLE.texts + NUMBERS * POINTER_BYTES));
  for (const [linux, library] of from.entries()) {
    perl.bytes[tables + TABLE.toLinux + library] = linux;
    perl.bytes[tables + TABLE.fromLinux + linux] = library;
    const at = perl.allocate(new TextEncoder().encode(`${errorText(linux)}\0`));
    perl.view.setUint32(tables + TABLE.texts + library * POINTER_BYTES, at, true);
  }
  perl.view.setUint32(perl.call("zeroperl_get_host_error") + POINTER_OFFSET, tables, true);
}

/** Names and numbers, for the module Errno. */
export function errorNumbers(): string {
  const numbers = new Map(LINUX_ERRORS.map(({ number, name }) => [name, number]));
  for (const [second, name] of Object.entries(SECOND_NAMES)) {
    numbers.set(second, numbers.get(name) ?? 0);
  }
  return [...numbers].flat().join(" ");
}
