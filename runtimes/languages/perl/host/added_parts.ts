/**
 * The parts that replace unused functions of the module, and how the host finds them.
 *
 * @module
 */

/**
 * The function whose code is only the address of a buffer. A program that embeds Perl writes its
 * errors at the start of that buffer, as text. Other data follow the text.
 */
export const BUFFER = "zeroperl_get_host_error";

/** Offsets in the buffer, which has 1,024 bytes. */
export const IN_BUFFER = {
  /** A pointer to the error tables. */
  errorTables: 512,
  /** 64 bits: the remaining fuel at which the alarm goes off. */
  alarm: 520,
  /** A pointer to the scalar that refers to what an alarm calls. */
  alarmHandler: 528,
} as const;

/** Maximum length of the text at the start of the buffer, in bytes, including its terminator. */
export const MAX_ERROR_TEXT_BYTES = 500;

/** `() -> i32`: the address of the word that says that a signal is pending. */
export const PENDING_SIGNAL = "zeroperl_is_initialized";

/** `(i32, i32) -> i32`: asks the host for the C3 linearization of a package. */
export const RESOLVE = "zeroperl_hash_exists";
/** The table element for it. */
export const RESOLVE_ELEMENT = 1_096;
/** The number of its request; functions that Perl knows have smaller numbers. */
export const RESOLVE_C3 = 1_000;
