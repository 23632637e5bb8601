/**
 * The three forms of an answer to a run. The contract tests see plain answers: a run is made in one
 * of the forms, and a stream is checked and turned into the plain answer that it stands for.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { IDEMPOTENCY_REPLAYED_HEADER } from "../../client/protocol/paths.ts";
import { EVENT_STREAM, NDJSON } from "../../client/protocol/run_events.ts";
import { heard } from "../support/run_stream.ts";

/** Sends a request for a path and gives the answer. */
export type Call = (path: string, init?: RequestInit) => Promise<Response>;

/** The forms, by their names in `CONTRACT_FORM`. */
const FORMS = { plain: undefined, ndjson: NDJSON, sse: EVENT_STREAM } as const;

/** Name of a form. */
export type FormName = keyof typeof FORMS;

/** All forms. */
export const FORM_NAMES: readonly FormName[] = ["plain", "ndjson", "sse"];

const RUN_PATH = /\/execute(?:\/[^/]*)?$/;

/** Makes runs in the form that `CONTRACT_FORM` names, or else in one after the other. */
export function inForms(call: Call): Call {
  const asked = FORM_NAMES.find((name) => name === Deno.env.get("CONTRACT_FORM"));
  let runs = 0;
  return async (path, init) => {
    if (init?.method !== "POST" || !RUN_PATH.test(path)) return await call(path, init);
    const next = FORM_NAMES[runs++ % FORM_NAMES.length];
    return await callIn(asked ?? next ?? "plain", call, path, init);
  };
}

/** Makes one run in a form. */
export async function callIn(
  form: FormName,
  call: Call,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const accept = FORMS[form];
  const headers = new Headers(init.headers);
  if (accept !== undefined) headers.set("accept", accept);
  const answer = await call(path, { ...init, headers });
  return answer.headers.get("content-type") === accept && accept !== undefined
    ? await plainAnswer(answer)
    : answer;
}

/** The plain answer that a stream stands for. */
async function plainAnswer(answer: Response): Promise<Response> {
  const { stdout, stderr, displays, last } = await heard(answer);
  const headers = new Headers(answer.headers);
  headers.set("content-type", "application/json");
  headers.delete("x-accel-buffering");
  const isError = "httpStatus" in last;
  // an answer that is given again has no lines before it
  const isReplay = answer.headers.get(IDEMPOTENCY_REPLAYED_HEADER) !== null;
  const logs = isReplay ? { stdout: [], stderr: [] } : isError ? undefined : last.logs;
  if (logs !== undefined) assertEquals({ stdout, stderr }, logs);
  if (!isError && !isReplay) assertEquals(displays, last.displays ?? []);
  assert(!isError || last.httpStatus >= 400);
  return new Response(JSON.stringify(last), { status: isError ? last.httpStatus : 200, headers });
}
