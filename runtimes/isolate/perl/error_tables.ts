/**
 * The tables by which `$!`, `%!`, Errno and POSIX speak Linux's error numbers and texts, whatever
 * the numbers of the C library inside the module are.
 *
 * The library's numbers are turned into Linux's where `$!` is read, and back where it is set, by
 * two tables of bytes; a third table has the texts, in the order of the library's numbers. They lie
 * in the guest's memory, behind a pointer at a place that the patched code knows.
 *
 * @module
 */
import { errorText, LINUX_ERRORS, SECOND_NAMES } from "../linux_errors.ts";
import { IN_BUFFER } from "./added_parts.ts";
import type { ZeroPerl } from "./zeroperl.ts";

/** Numbers in each table. What no error has is a number too, and keeps apart from all others. */
const NUMBERS = 256;
/** What the patched code expects where, from the pointer on. */
export const TABLE: Readonly<Record<"toLinux" | "fromLinux" | "texts", number>> = {
  toLinux: 0,
  fromLinux: NUMBERS,
  texts: 2 * NUMBERS,
};
/** Where the pointer to the tables is, from where a program that embeds Perl leaves its errors. */
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
