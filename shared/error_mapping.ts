/**
 * Makes a Hono app answer with the contract's errors, whichever way a request fails.
 *
 * - anything thrown → an ErrorResponse; anything but a {@link ServiceError} has a fixed message and
 * goes to `onUnexpected`;
 * - a path without a route → 404;
 * - a path with other methods → 405 with `Allow`, or for `OPTIONS` 204 with `Allow`;
 * - `HEAD` is answered where `GET` is.
 *
 * @module
 */
import type { Context, Env, Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import type { Clock } from "./clock.ts";
import { errorResponse, ServiceError, toServiceError, validationFailed } from "./errors.ts";

/** Dependencies of the mapping. */
export interface ErrorMappingOptions {
  /** The clock for timestamps of errors. */
  readonly clock: Clock;
  /** Called with anything thrown that is not a {@link ServiceError}. */
  readonly onUnexpected: (thrown: unknown) => void;
}

/** Installs the mapping. Must be called before middleware and routes are added. */
export function installErrorMapping<E extends Env>(
  app: Hono<E>,
  options: ErrorMappingOptions,
): void {
  const { clock } = options;
  app.onError((thrown) => answerTo(thrown, options));
  app.notFound(() => errorResponse(noSuchRoute(), clock));
  app.use(async (_context, next) => {
    try {
      await next();
    } catch (thrown) {
      throw thrown instanceof Error ? thrown : new ThrownValue(thrown);
    }
  });
  app.use(methodNotAllowed({
    app,
    onMethodNotAllowed: (context, methods) => answerOtherMethod(context, methods, clock),
  }));
}

/** The answer of work outside of an app, with the same errors. Never rejects. */
export async function answerWith(
  options: ErrorMappingOptions,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (thrown) {
    return answerTo(thrown, options);
  }
}

function answerTo(thrown: unknown, { clock, onUnexpected }: ErrorMappingOptions): Response {
  if (!(thrown instanceof ServiceError)) onUnexpected(unwrapped(thrown));
  return errorResponse(toServiceError(thrown), clock);
}

/** Hono passes only `Error`s to its error handler; this class wraps anything else. */
class ThrownValue extends Error {
  constructor(readonly thrown: unknown) {
    super("A value that is no Error was thrown");
  }
}

function unwrapped(thrown: unknown): unknown {
  return thrown instanceof ThrownValue ? thrown.thrown : thrown;
}

/** No route has this path: 404. */
export function noSuchRoute(): ServiceError {
  return validationFailed("There is no such route", 404);
}

function answerOtherMethod(
  context: Context,
  methods: readonly string[],
  clock: Clock,
): Response {
  const allow = [...methods, "OPTIONS"].join(", ");
  if (context.req.method === "OPTIONS") {
    return new Response(null, { status: 204, headers: { allow } });
  }
  return errorResponse(otherMethod(allow), clock);
}

/** The path has a route, but not for this method: 405. `allow`: the methods that it has. */
export function otherMethod(allow: string): ServiceError {
  return validationFailed(`The methods of this route are ${allow}`, 405, { allow });
}
