/**
 * The error of linking.
 *
 * @module
 */
import { MeterError } from "@belljar/wasm-metering/binary";

/** A side module that cannot be linked. The message begins with the label of the module. */
export class LinkError extends Error {
  override readonly name = "LinkError";
}

/**
 * Runs a function that reads a module. Reports malformed bytes as a {@link LinkError} with the label of
 * the module.
 */
export function workOn<Result>(label: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof MeterError) throw new LinkError(`${label} is malformed: ${error.message}`);
    throw error;
  }
}
