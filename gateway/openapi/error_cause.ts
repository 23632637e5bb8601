/**
 * Reasons for errors in the OpenAPI document. Each has an example error made by the service's own
 * code.
 *
 * @module
 */
import type { ErrorCode, ErrorStatus } from "../../client/protocol/error_codes.ts";
import type { ErrorResponse } from "../../client/protocol/types.ts";
import { ServiceError } from "../../shared/errors.ts";
import { BodyBudget } from "../body_budget.ts";

/** A reason for an error. */
export interface ErrorCause {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  /** For people; one sentence. */
  readonly when: string;
  /** An example body. */
  readonly example: ErrorResponse;
}

/** When the errors of the examples happened. */
const EXAMPLE_TIME = Date.UTC(2026, 0, 31, 9, 30);

/** A reason with the error of its example. */
export function cause(when: string, error: ServiceError): ErrorCause {
  const { code, status } = error;
  return { code, status, when, example: error.toBody(() => EXAMPLE_TIME) };
}

/** The error that a refused caller gets. */
export function refusal(ask: () => unknown): ServiceError {
  try {
    ask();
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown;
    throw thrown;
  }
  throw new RangeError("it was not refused");
}

/** Errors of routes with a body, whose bytes count against their tenant. */
export function budgetCauses(): readonly ErrorCause[] {
  const noRoom = new BodyBudget({ bodyBytes: 0, bodyBytesPerTenant: 1 });
  const noRoomForTenant = new BodyBudget({ bodyBytes: 1, bodyBytesPerTenant: 0 });
  return [
    cause(
      "Too many bytes of this tenant's requests and answers are in flight.",
      refusal(() => noRoomForTenant.check("")),
    ),
    cause(
      "Too many bytes of requests are in flight.",
      refusal(() => noRoom.open("").take(1)),
    ),
  ];
}
