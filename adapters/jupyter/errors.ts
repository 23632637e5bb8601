/**
 * Errors as Jupyter's REST API writes them.
 *
 * @module
 */
import { z } from "zod";
import { jsonResponse } from "../../shared/responses.ts";

/** Headers of errors that are passed on. */
const PASSED_HEADERS = ["retry-after", "www-authenticate"];
const errorSchema = z.object({ code: z.string(), message: z.string() });

/** An error. `reason` is a code of the service, or null. */
export function refused(
  status: number,
  message: string,
  reason: string | null = null,
  headers: { readonly [name: string]: string } = {},
): Response {
  return jsonResponse({ message, reason }, { status, headers });
}

/** An error of the service, with its status, code and text. */
export async function passedOn(answer: Response): Promise<Response> {
  const { code, message } = errorSchema.parse(await answer.json());
  const headers = PASSED_HEADERS.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return refused(answer.status, message, code, Object.fromEntries(headers));
}
