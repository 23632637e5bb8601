/** Answers to runs of the fake service: JSON, or a stream of events (docs/contract.md#streaming). */
import { IDEMPOTENCY_REPLAYED_HEADER } from "../../../client/protocol/paths.ts";
import { NDJSON, type OutputEvent, type RunEvent } from "../../../client/protocol/run_events.ts";
import type { ExecutionResult } from "../../../client/protocol/types.ts";

/** A run that has ended. */
export interface FakeRun {
  readonly result: ExecutionResult;
  /** Its output, in order of arising; none when the answer was kept from an earlier run. */
  readonly lines: readonly OutputEvent[];
  readonly isReplay?: boolean;
}

/** Answers in the form that the request asks for. */
export function answerRun(request: Request, { result, lines, isReplay }: FakeRun): Response {
  const headers = isReplay === true ? { [IDEMPOTENCY_REPLAYED_HEADER]: "true" } : undefined;
  if (!(request.headers.get("accept") ?? "").startsWith(NDJSON)) {
    return Response.json(result, headers === undefined ? {} : { headers });
  }
  return streamResponse([{ type: "start" }, ...lines, { type: "end", execution: result }], headers);
}

/** A stream of events as an answer. */
function streamResponse(
  events: readonly RunEvent[],
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = events.map((event) => `${JSON.stringify(event)}\n`).join("");
  return new Response(body, { headers: { "content-type": NDJSON, ...headers } });
}
