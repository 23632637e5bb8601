/**
 * The query of a URL. Its work depends on the number of its parameters, each of which costs a
 * microsecond: a URL as long as a server takes it has tens of thousands.
 *
 * @module
 */
import { validationFailed } from "./errors.ts";
import { QUERY_PARAMETERS } from "./limits.ts";

/**
 * Reads the query of an absolute URL.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` for more parameters than {@linkcode QUERY_PARAMETERS}.
 */
export function queryOf(url: string): URLSearchParams {
  const { search } = new URL(url);
  if (search.split("&", QUERY_PARAMETERS + 1).length > QUERY_PARAMETERS) {
    throw validationFailed(`The URL has more than ${QUERY_PARAMETERS} query parameters`);
  }
  return new URLSearchParams(search);
}
