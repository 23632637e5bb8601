/**
 * The reasons for errors, in the groups that routes name.
 *
 * @module
 */
import { tooManyCheckpoints } from "../../sandbox/checkpoints.ts";
import { contextDeleted, tooManyContexts } from "../../sandbox/contexts.ts";
import { sandboxExists } from "../../sandbox/fork.ts";
import { otherRequest } from "../../sandbox/stored_answers.ts";
import { invalidLimit } from "../../sandbox/listing.ts";
import { ANSWERS_BYTES } from "../../runs/answers.ts";
import { positionOf } from "../../runs/run_page.ts";
import { otherRuns, runConditions } from "../../sandbox/run_conditions.ts";
import { tooManyChanges } from "../../sandbox/sandbox_changes.ts";
import { invalidName, noSandbox } from "../../sandbox/sandbox_name.ts";
import { noSuchRoute, otherMethod } from "../../shared/error_mapping.ts";
import {
  callAnswered,
  callNotFound,
  checkpointNotFound,
  contextNotFound,
  internalError,
  quotaUsedUp,
  runNotFound,
  runtimeUnavailable,
  runWaiting,
  snapshotCorrupt,
  snapshotIncompatible,
  tooManyWaiting,
  validationFailed,
  waitedTooLong,
} from "../../shared/errors.ts";
import { BODY_DEADLINE_MS, SANDBOX_LIMITS, SANDBOX_QUOTAS } from "../../shared/limits.ts";
import { tooLarge } from "../../shared/read_body.ts";
import type { CauseGroup } from "../../shared/route.ts";
import { StoreUnavailable } from "../../shared/store_errors.ts";
import { createAuthenticator } from "../authentication.ts";
import { createHostCheck } from "../host_check.ts";
import { adminOnly } from "../usage_routes.ts";
import { formRefused } from "../../runs/tool_declarations.ts";
import { TOOL_DECLARATIONS } from "../../shared/call_limits.ts";
import { budgetCauses, cause, type ErrorCause, refusal } from "./error_cause.ts";
import { file, fileBytes, range, upload } from "./file_error_causes.ts";
import type { RequestLimits } from "./request_schemas.ts";

/** The run of the examples. */
const RUN = "rtbqt2o2ki7d1a0c3e5f7b9d2a4c6";

/** The reasons of each group, for the limits of a service. */
export const CAUSES: {
  readonly [G in CauseGroup]: (limits: RequestLimits) => readonly ErrorCause[];
} = {
  admin: () => [cause("The token is not an admin's.", adminOnly())],
  answers,
  answersBody: () => body(ANSWERS_BYTES),
  body: ({ requestBytes }) => body(requestBytes),
  longBody: ({ fileRequestBytes }) => body(fileRequestBytes),
  call,
  checkpoint,
  checkpointLimit,
  common,
  context,
  contextLimit,
  contextRun,
  file,
  fileBytes,
  fork,
  language,
  page,
  parameter,
  position,
  quota,
  range,
  run,
  runCondition,
  runtime,
  sandbox,
  store,
  token,
  toolForm,
  toolsBody: () => body(TOOL_DECLARATIONS.bodyBytes),
  upload,
  waitingRun,
};

/** Errors of any route, including the one without a token. */
function common(): readonly ErrorCause[] {
  const foreign = new Request("http://attacker.example");
  return [
    cause(
      "The service does not accept this `Host` or `Origin`.",
      refusal(() => createHostCheck([])(foreign)),
    ),
    cause(
      "The path does not have this method; `Allow` names those that it has.",
      otherMethod("POST, OPTIONS"),
    ),
    cause("A failure of the service. The log holds its cause.", internalError()),
  ];
}

/** Errors of routes that name a run. */
function waitingRun(): readonly ErrorCause[] {
  return [
    cause("There is no such run, or it was cancelled.", runNotFound(RUN)),
  ];
}

/** Errors of streams that begin at a position. */
function position(): readonly ErrorCause[] {
  const asked = new Request("http://localhost/runs/r?after=x");
  return [
    cause("The position is no number.", refusal(() => positionOf(asked))),
  ];
}

/** Errors of answers to a run. */
function answers(): readonly ErrorCause[] {
  return [
    cause("The run waits for no such answer.", callNotFound(`${RUN}/7`)),
    cause("The call or question has another answer already.", callAnswered(`${RUN}/1`)),
  ];
}

/** Errors of routes that declare tools. */
function toolForm(): readonly ErrorCause[] {
  return [cause("There is no such form of declarations.", formRefused())];
}

/** Errors of routes that only ask whether the store answers. */
function store(): readonly ErrorCause[] {
  return [cause("The store does not answer.", new StoreUnavailable(false))];
}

/** Errors of routes that need a token. */
function token(): readonly ErrorCause[] {
  const error = refusal(() => createAuthenticator([])(new Headers()));
  return [cause("The token is missing or wrong.", error)];
}

/** Errors of routes whose path has parameters. */
function parameter(): readonly ErrorCause[] {
  return [
    cause("There is no such path: a parameter is empty or contains a slash.", noSuchRoute()),
  ];
}

/** Errors of routes whose path names a language. */
function language(): readonly ErrorCause[] {
  return [
    cause(
      "The language of the path is unknown or not enabled.",
      validationFailed("Unsupported language 'cobol'"),
    ),
  ];
}

/** Errors of routes with a body of JSON. */
function body(maxBytes: number): readonly ErrorCause[] {
  return [
    cause(
      "The body is not a JSON object in UTF-8 or contains far more than the route accepts, a field " +
        `is not valid, or it took longer than ${BODY_DEADLINE_MS / 1_000} s to arrive.`,
      validationFailed("The request body must be a JSON object"),
    ),
    cause(
      `The body is larger than ${maxBytes} bytes, or a field is larger than its limit.`,
      tooLarge(maxBytes),
    ),
    cause(
      "The body is not `application/json` in UTF-8.",
      validationFailed("Content-Type must be application/json, in utf-8", 415),
    ),
    ...budgetCauses(),
  ];
}

/** Errors of routes that run code. */
function run(): readonly ErrorCause[] {
  return [
    cause(
      "Too many runs of this tenant are waiting, or its runs of the last minute were killed " +
        "too often or after too many seconds.",
      tooManyWaiting("RATE_LIMITED"),
    ),
    cause(
      "The run waited too long, too many are waiting, or the service is stopping.",
      waitedTooLong(),
    ),
    cause(
      "The runtime could not be called, or its isolate died by itself.",
      runtimeUnavailable(),
    ),
  ];
}

/** Errors of routes that call a runtime without running code. */
function runtime(): readonly ErrorCause[] {
  return run().filter(({ status }) => status === 502);
}

/** Errors of routes that run no code and need a token. */
function call(): readonly ErrorCause[] {
  return [
    cause(
      "Too many calls of this tenant are waiting, or too many bytes of its answers are unread.",
      tooManyWaiting("RATE_LIMITED", "calls"),
    ),
    cause("The call waited too long, or the service is stopping.", waitedTooLong("calls")),
  ];
}

/** Errors of all routes of a sandbox. */
function sandbox(): readonly ErrorCause[] {
  return [
    cause("The sandbox id is not valid, or `x-sandbox-id` names another.", invalidName("-")),
    cause(
      "Too many callers change the sandbox at the same time, the store does not answer and " +
        "nothing was done, or the service is stopping.",
      tooManyChanges(),
    ),
  ];
}

/** Errors of routes that may store more for a tenant. */
function quota(): readonly ErrorCause[] {
  const error = quotaUsedUp(SANDBOX_QUOTAS.maxTenantBytes, "tenant bytes");
  return [cause("A quota of the tenant is used up.", error)];
}

const CONTEXT_ID = "7";

/** Errors of routes that name a context. */
function context(): readonly ErrorCause[] {
  return [cause("There is no such context.", contextNotFound(CONTEXT_ID))];
}

/** Errors of runs in a context. */
function contextRun(): readonly ErrorCause[] {
  return [
    cause(
      "The sandbox or context was deleted during the run, or its lease was lost.",
      contextDeleted(CONTEXT_ID),
    ),
    cause(
      "The context has a run that waits for answers.",
      runWaiting({
        run: RUN,
        calls: [{ key: `${RUN}/1`, name: "crm.find", arguments: { q: "Ada" } }],
      }),
    ),
    cause(
      "The context was saved by another engine; its files stay.",
      snapshotIncompatible(CONTEXT_ID, { stored: "python-1", present: "python-2" }),
    ),
    cause(
      "The stored state of the context is damaged.",
      snapshotCorrupt(CONTEXT_ID),
    ),
  ];
}

/** Errors of runs with `Idempotency-Key` or `If-Match`. */
function runCondition(): readonly ErrorCause[] {
  return [
    cause(
      "`Idempotency-Key` or `If-Match` is malformed.",
      refusal(() => runConditions(new Headers({ "if-match": "4" }))),
    ),
    cause("The `Idempotency-Key` was used with another request.", otherRequest()),
    cause(
      "The number of runs of the context is not the one that `If-Match` requires.",
      otherRuns(5, CONTEXT_ID),
    ),
  ];
}

/** Errors of the creation of contexts. */
function contextLimit(): readonly ErrorCause[] {
  const { contexts } = SANDBOX_LIMITS;
  return [
    cause(
      `The language has no contexts, \`cwd\` is no directory, or the sandbox has ${contexts} contexts.`,
      tooManyContexts(contexts),
    ),
  ];
}

/** Errors of forks of sandboxes. */
function fork(): readonly ErrorCause[] {
  return [
    cause("There is no such sandbox.", noSandbox("ada")),
    cause("There is a sandbox of that name already.", sandboxExists("second-try")),
  ];
}

/** Errors of calls that name a checkpoint. */
function checkpoint(): readonly ErrorCause[] {
  return [
    cause(
      "There is no such checkpoint.",
      checkpointNotFound("0c5d9c2e-5a55-4c39-a3e4-7d6f0d4f2a11"),
    ),
  ];
}

/** Errors of checkpoints to make. */
function checkpointLimit(): readonly ErrorCause[] {
  const { checkpoints } = SANDBOX_LIMITS;
  return [
    cause(`The sandbox has ${checkpoints} checkpoints.`, tooManyCheckpoints(checkpoints)),
  ];
}

/** Errors of listings in pages. */
function page(): readonly ErrorCause[] {
  return [
    cause("`limit` or `cursor` is not valid.", invalidLimit()),
    cause("The store does not answer.", new StoreUnavailable(false)),
  ];
}
