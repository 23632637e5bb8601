/** Errors of the fake service, as answers. */
import type { ErrorCode } from "../../../client/protocol/error_codes.ts";
import { ERROR_STATUSES } from "../../../client/protocol/error_codes.ts";
import type { ErrorResponse } from "../../../client/protocol/types.ts";

/** Thrown inside the fake service, answered by {@link answering}. */
export class FakeError extends Error {
  readonly body: ErrorResponse;

  constructor(code: ErrorCode, message: string, more: Partial<ErrorResponse> = {}) {
    super(message);
    this.body = {
      code,
      message,
      context: {},
      httpStatus: ERROR_STATUSES[code][0],
      timestamp: new Date().toISOString(),
      ...more,
    };
  }
}

export function refused(message: string, httpStatus = 400): FakeError {
  return new FakeError("VALIDATION_FAILED", message, { httpStatus });
}

export function noSuchRoute(): FakeError {
  return refused("No such route", 404);
}

/** Answers with what `work` gives, as JSON, or with the error that it throws. */
export async function answering(work: () => Promise<Response> | Response): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FakeError)) throw error;
    return Response.json(error.body, { status: error.body.httpStatus });
  }
}
