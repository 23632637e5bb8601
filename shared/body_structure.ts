/**
 * Limits the structure of a body. The cost of parsing depends on the number of values, not on
 * length: six megabytes of one string take a millisecond, six megabytes of small objects block the
 * process for a second.
 *
 * @module
 */
import { validationFailed } from "./errors.ts";
import { hasMoreStructure } from "./json_structure.ts";

/**
 * Refuses a body that is more work to parse than any valid one. Invalid JSON is scanned up to the
 * point at which a parser would stop.
 *
 * @throws {ServiceError} `VALIDATION_FAILED`
 */
export function checkStructure(json: Uint8Array, max: number): void {
  if (!hasMoreStructure(json, max)) return;
  throw validationFailed(
    `The request body has more than ${max} brackets, commas and colons outside of strings`,
  );
}
