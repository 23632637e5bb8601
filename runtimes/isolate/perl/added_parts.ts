/**
 * The parts that replace unused functions of the module, and how the host finds them.
 *
 * @module
 */

/**
 * The function whose code is nothing but the address of a buffer: a program that embeds Perl leaves
 * its errors there, as a text at the beginning. More follows after that.
 */
export const BUFFER = "zeroperl_get_host_error";

/** Distances from the beginning of the buffer, which is of 1,024 bytes. */
export const IN_BUFFER = {
  /** A pointer to the tables of errors. */
  errorTables: 512,
  /** 64 bits: the fuel that is left when the alarm rings. */
  alarm: 520,
  /** A pointer to the scalar that refers to what an alarm calls. */
  alarmHandler: 528,
} as const;

/** Longest text at the beginning of the buffer, in bytes, its end included. */
export const MAX_ERROR_TEXT_BYTES = 500;

/** `() -> i32`: the address of the word that says that a signal is pending. */
export const PENDING_SIGNAL = "zeroperl_is_initialized";

/** `(i32, i32) -> i32`: asks the host for the C3 linearization of a package. */
export const RESOLVE = "zeroperl_hash_exists";
/** The element of the table that is to hold it. */
export const RESOLVE_ELEMENT = 1_096;
/** The number by which it asks: those of functions that Perl knows are smaller. */
export const RESOLVE_C3 = 1_000;
