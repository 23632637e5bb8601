/**
 * What the guest's dynamic linker can find.
 *
 * @module
 */

/** Places in the function table of a library's functions, by name. */
export type LibrarySymbols = ReadonlyMap<string, number>;

/** Libraries by their paths. */
export type Libraries = ReadonlyMap<string, LibrarySymbols>;

/** An engine without native modules. */
export const NO_LIBRARIES: Libraries = new Map();
