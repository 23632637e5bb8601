/**
 * Errors as E2B's SDKs understand them. One table maps the statuses of the service's errors.
 *
 * @module
 */
import { z } from "zod";
import { jsonResponse } from "../../shared/responses.ts";

/** An error of E2B: a status, and a text for people. */
export interface E2bError {
  readonly status: number;
  readonly message: string;
}

/** The answer that SDKs report as the end of a sandbox. */
export const SANDBOX_GONE: E2bError = {
  status: 502,
  message: "The sandbox was not found: it has ended or never existed",
};

/** Codes of the Connect protocol by status. */
export const CONNECT_CODES: ReadonlyMap<number, string> = new Map([
  [400, "invalid_argument"],
  [401, "unauthenticated"],
  [403, "permission_denied"],
  [404, "not_found"],
  [409, "already_exists"],
  [412, "failed_precondition"],
  [413, "invalid_argument"],
  [429, "resource_exhausted"],
  [501, "unimplemented"],
  [502, "unavailable"],
  [503, "unavailable"],
  [507, "resource_exhausted"],
]);

/** Headers of errors that are passed on. */
const PASSED_HEADERS = ["retry-after", "www-authenticate"];
type PassedHeaders = { readonly [name: string]: string };

const errorSchema = z.object({ code: z.string(), message: z.string() });

/** An error of the service. */
type OwnError = z.infer<typeof errorSchema>;

/** An error as the control plane, the interpreter and files over HTTP write it. */
export function refused({ status, message }: E2bError, headers: PassedHeaders = {}): Response {
  return jsonResponse({ code: status, message }, { status, headers });
}

/** An error as the Connect protocol writes it. */
export function connectRefused(
  { status, message }: E2bError,
  headers: PassedHeaders = {},
): Response {
  const code = CONNECT_CODES.get(status) ?? "internal";
  return jsonResponse({ code, message }, { status, headers });
}

/** The error for a part of E2B that the service does not have. */
export function notImplemented(message: string): Response {
  return connectRefused({ status: 501, message });
}

/** The error in an answer of the service's own routes. */
async function ownError(answer: Response): Promise<OwnError> {
  const text = await answer.text();
  // a caller that has gone is answered without a body
  if (text === "") return { code: "CANCELLED", message: "The call was cancelled" };
  return errorSchema.parse(JSON.parse(text));
}

/** Passes on an error of the service, as `form` writes errors. */
export async function passedOn(
  answer: Response,
  form: typeof refused = refused,
): Promise<Response> {
  const { code, message } = await ownError(answer);
  // files and contexts that are missing have codes of their own
  if (answer.status === 404 && code === "VALIDATION_FAILED") return form(SANDBOX_GONE);
  const headers = Object.fromEntries(PASSED_HEADERS.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value]];
  }));
  return form({ status: answer.status, message: `${message} (${code})` }, headers);
}
