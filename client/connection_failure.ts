/**
 * Failures of a connection to a service at a URL: how they are told, and whether anything was sent.
 *
 * `fetch` does not say in a standard way why it failed. Deno says it in the message, Node and Bun in
 * a code of the cause, and browsers not at all.
 *
 * @module
 */
import { ConnectionError } from "./errors.ts";

/** Codes of Node's and Bun's `fetch` for failures before anything is sent. */
const UNSENT_CODES: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ConnectionRefused", "connection refused"],
  ["ENOTFOUND", "unknown host"],
  ["EAI_AGAIN", "the name of the host cannot be resolved"],
  ["EHOSTUNREACH", "no route to the host"],
  ["ENETUNREACH", "no route to the host"],
  ["UND_ERR_CONNECT_TIMEOUT", "no answer to the connection"],
  ["FailedToOpenSocket", "no connection"],
]);
/** Part of the message of Deno's `fetch` for failures before anything is sent. */
const UNSENT_MESSAGE = "client error (Connect)";
/** How deep a reason is looked for in causes. */
const MAX_CAUSES = 8;

/** The addresses of answers, so that one that breaks off can be told with its address. */
const addresses = new WeakMap<Response, string>();

/** Makes `fetch` reject with errors that name the address, and remember it for its answers. */
export function withAddress(
  address: string,
  fetch: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const response = await fetch(request);
      // another value is the caller's mistake, which is told elsewhere
      if (typeof response === "object" && response !== null) addresses.set(response, address);
      return response;
    } catch (cause) {
      if (request.signal.aborted) throw cause;
      throw unreachable(address, request, cause);
    }
  };
}

/** The error for an answer that breaks off; undefined for one that is not of a URL. */
export function brokenAnswer(
  response: Response,
  isRun: boolean,
  cause: unknown,
): ConnectionError | undefined {
  const address = addresses.get(response);
  if (address === undefined) return undefined;
  const message = `The connection to Belljar at ${address} broke before its answer was whole. ` +
    outcome(isRun);
  return failure(message, address, true, cause);
}

function unreachable(address: string, request: Request, cause: unknown): ConnectionError {
  const reason = unsentReason(cause);
  if (reason !== undefined) {
    const message = `Belljar at ${address} does not answer (${reason}). Nothing was sent`;
    return failure(message, address, false, cause);
  }
  const page = pageOrigin();
  const isRun = new URL(request.url).pathname.includes("/execute");
  if (page !== undefined && page !== new URL(address).origin) {
    return failure(
      `Belljar at ${address} does not answer, or the browser withholds its answer by CORS: its ` +
        `ALLOWED_ORIGINS must contain ${page}. ${outcome(isRun)}`,
      address,
      true,
      cause,
    );
  }
  const message = `Belljar at ${address} did not answer, or the connection broke. ${
    outcome(isRun)
  }`;
  return failure(message, address, true, cause);
}

function outcome(isRun: boolean): string {
  return isRun ? "The run may have happened" : "The call may have been done";
}

function failure(
  message: string,
  address: string,
  sent: boolean,
  cause: unknown,
): ConnectionError {
  return new ConnectionError(message, { code: "UNREACHABLE", context: { address, sent }, cause });
}

/** Why nothing was sent; undefined if something may have been. */
function unsentReason(thrown: unknown): string | undefined {
  const left: unknown[] = [thrown];
  for (let count = 0; left.length > 0 && count < MAX_CAUSES; count++) {
    const error = left.shift();
    if (typeof error !== "object" || error === null) continue;
    const code: unknown = Reflect.get(error, "code");
    const known = typeof code === "string" ? UNSENT_CODES.get(code) : undefined;
    if (known !== undefined) return known;
    if (error instanceof Error && error.message.includes(UNSENT_MESSAGE)) {
      return reasonIn(error.message);
    }
    left.push(Reflect.get(error, "cause"));
    if (error instanceof AggregateError) left.push(...error.errors.slice(0, MAX_CAUSES));
  }
  return undefined;
}

function reasonIn(message: string): string {
  if (/connection refused/i.test(message)) return "connection refused";
  if (message.includes("dns error")) return "unknown host";
  return message.includes("certificate") ? "its certificate is not valid" : "no connection";
}

/** The origin of the page that the client runs in; undefined outside of browsers. */
function pageOrigin(): string | undefined {
  const origin: unknown = Reflect.get(globalThis, "location")?.origin;
  return typeof origin === "string" && origin.startsWith("http") ? origin : undefined;
}
