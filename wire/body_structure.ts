/**
 * How much structure a body may have. What parsing costs is values, not length: six megabytes of
 * one string take a millisecond, six megabytes of small objects a second in which the process does
 * nothing else.
 *
 * @module
 */
import { validationFailed } from "./errors.ts";
import { hasMoreStructure } from "./json_structure.ts";

/**
 * Refuses a body that is more work to parse than any valid one. What is no JSON is looked at as
 * far as it is JSON, which is as far as a parser goes.
 *
 * @throws {ServiceError} `VALIDATION_FAILED`
 */
export function checkStructure(json: Uint8Array, max: number): void {
  if (!hasMoreStructure(json, max)) return;
  throw validationFailed(
    `The request body has more than ${max} brackets, commas and colons outside of strings`,
  );
}
