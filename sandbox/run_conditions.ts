/**
 * The headers of a run in a context: `Idempotency-Key`, `If-Match` and `Prefer`
 * (docs/contract.md#idempotency).
 *
 * @module
 */
import { IDEMPOTENCY_KEY_HEADER } from "../client/protocol/paths.ts";
import { ServiceError, validationFailed } from "../shared/errors.ts";
import { IDEMPOTENCY_KEY_LENGTH } from "../shared/limits.ts";
import type { ContextRecord } from "./root_record.ts";

/** Numbers of runs, as text, of which the context must have one; `*`: any. */
export type ExpectedRuns = "*" | readonly string[];

/** The headers, read and validated. */
export interface RunConditions {
  readonly idempotencyKey: string | undefined;
  /** Undefined: any number. */
  readonly expectedRuns: ExpectedRuns | undefined;
  /** Whether the run goes on without its caller, who gets its id at once. */
  readonly respondAsync: boolean;
}

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
/** A number of runs as an entity tag. */
const RUNS_TAG = /^(W\/)?"(0|[1-9][0-9]*)"$/;

/**
 * Reads the headers.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` that names the header
 */
export function runConditions(headers: Headers): RunConditions {
  const respondAsync = (headers.get("prefer") ?? "").split(",")
    .some((preference) => preference.trim().toLowerCase() === "respond-async");
  return { idempotencyKey: keyIn(headers), expectedRuns: expectedRunsIn(headers), respondAsync };
}

function keyIn(headers: Headers): string | undefined {
  const key = headers.get(IDEMPOTENCY_KEY_HEADER);
  if (key === null) return undefined;
  if (key.length > IDEMPOTENCY_KEY_LENGTH || !VISIBLE_ASCII.test(key)) {
    throw validationFailed(
      `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_LENGTH} visible ASCII characters`,
    );
  }
  return key;
}

/** RFC 9110, 13.1.1: a list of tags, or `*`. A weak tag is valid and never matches. */
function expectedRunsIn(headers: Headers): ExpectedRuns | undefined {
  const value = headers.get("if-match");
  if (value === null) return undefined;
  if (value === "*") return "*";
  const tags = value.split(",").map((tag) => tag.trim()).filter((tag) => tag !== "");
  if (tags.length === 0) throw malformedMatch();
  return tags.flatMap((tag) => {
    const [whole, weak, runs] = RUNS_TAG.exec(tag) ?? [];
    if (whole === undefined || runs === undefined) throw malformedMatch();
    return weak === undefined ? [runs] : [];
  });
}

function malformedMatch(): ServiceError {
  return validationFailed('If-Match must be * or numbers of runs in quotes, such as "3"');
}

/**
 * Checks the number of runs of a context. Undefined: the default context, which does not exist yet
 * and so has had none.
 *
 * @throws {ServiceError} `PRECONDITION_FAILED`
 */
export function checkRuns(
  expected: ExpectedRuns | undefined,
  context: ContextRecord | undefined,
): void {
  if (!hasExpectedRuns(expected, context)) throw otherRuns(context?.executions ?? 0, context?.id);
}

/** Whether a context has had the expected number of runs. */
export function hasExpectedRuns(
  expected: ExpectedRuns | undefined,
  context: ContextRecord | undefined,
): boolean {
  if (expected === undefined) return true;
  if (expected === "*") return context !== undefined;
  return expected.includes(String(context?.executions ?? 0));
}

/** The context has had another number of runs than `If-Match` requires. */
export function otherRuns(
  executions: number,
  contextId?: string,
): ServiceError<"PRECONDITION_FAILED"> {
  return new ServiceError(
    "PRECONDITION_FAILED",
    "The number of runs of the context is not the expected one",
    {
      context: { ...(contextId === undefined ? {} : { contextId }), executions },
    },
  );
}
