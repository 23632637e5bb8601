/**
 * Names that nobody else has chosen.
 *
 * @module
 */

const BYTES = 16;

/** A random text of letters and digits. `crypto.randomUUID` is missing on pages without TLS. */
export function randomId(length = 2 * BYTES): string {
  const values = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(values, (value) => value.toString(16).padStart(2, "0")).join("").slice(
    0,
    length,
  );
}
