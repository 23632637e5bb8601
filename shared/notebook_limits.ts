/**
 * Limits of notebooks (docs/contract.md#notebooks).
 *
 * @module
 */

/**
 * A notebook of a context: its bytes as JSON, its cells, and the commas, colons and opening brackets of
 * one that is imported.
 */
export const NOTEBOOK_LIMITS = {
  bytes: 4 * 1024 * 1024,
  cells: 1_000,
  structure: 100_000,
} as const;
