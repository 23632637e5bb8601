/** Bindings that answer what a test says, and remember what they were sent. */
import type { SandboxNamespace, ServiceBinding } from "../../client/mod.ts";
import type { ErrorCode } from "../../client/protocol/error_codes.ts";
import type { ExecutionResult, JsonValue } from "../../client/protocol/types.ts";

/** A request as it arrived. */
export interface SeenRequest {
  /** Method and URL. */
  readonly route: string;
  readonly headers: Headers;
  /** Parsed, or undefined when there was none. */
  readonly body: JsonValue | undefined;
  readonly signal: AbortSignal;
}

/** A binding with a memory. */
export interface Recorder extends ServiceBinding {
  readonly seen: SeenRequest[];
  /** The requests, in order. */
  readonly routes: string[];
  /** A namespace all of whose sandboxes are this binding. */
  readonly namespace: SandboxNamespace;
}

/** A binding's reaction to its n-th request, counted from 1. */
export type Answer = (request: SeenRequest, count: number) => Response | Promise<Response>;

export function recorder(answer: Answer): Recorder {
  const seen: SeenRequest[] = [];
  const binding = {
    seen,
    get routes() {
      return seen.map(({ route }) => route);
    },
    fetch: async (request: Request): Promise<Response> => {
      const text = await request.text();
      const body: JsonValue | undefined = text === "" ? undefined : JSON.parse(text);
      const { headers, signal, method, url } = request;
      const record = { route: `${method} ${url}`, headers, signal, body };
      seen.push(record);
      return await answer(record, seen.length);
    },
  };
  const namespace = { idFromName: (name: string) => name, get: () => binding };
  return Object.defineProperty({ ...binding, namespace }, "routes", {
    get: () => binding.routes,
  });
}

/** The least that an answer to a run can be. */
export const RESULT: ExecutionResult = {
  code: "1",
  language: "javascript",
  engine: "e",
  durationMs: 1,
  logs: { stdout: [], stderr: [] },
  results: [],
};

/** An ErrorResponse. */
export function failing(
  code: ErrorCode | string,
  httpStatus: number,
  more: { readonly context?: JsonValue; readonly headers?: Record<string, string> } = {},
): Response {
  const timestamp = "2026-01-02T03:04:05.006Z";
  const { context = {}, headers = {} } = more;
  const body = { code, message: `it is ${code}`, context, httpStatus, timestamp };
  return Response.json(body, { status: httpStatus, headers });
}

/** A binding that never answers, whatever the signal says. */
export function neverAnswering(): Recorder {
  return recorder(() => new Promise<Response>(() => undefined));
}
