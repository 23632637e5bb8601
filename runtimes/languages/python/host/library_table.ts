/**
 * The libraries that the guest's dynamic linker can find.
 *
 * @module
 */

/** Table indexes of a library's functions, by name. */
export type LibrarySymbols = ReadonlyMap<string, number>;

/** Libraries by their paths. */
export type Libraries = ReadonlyMap<string, LibrarySymbols>;

/** The table of an engine without native modules. */
export const NO_LIBRARIES: Libraries = new Map();
