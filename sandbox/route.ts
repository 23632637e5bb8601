/**
 * The type of a sandbox's routes: description, body and work are one value.
 *
 * @module
 */
import type { Context } from "hono";
import type { Decider } from "../client/protocol/journal.ts";
import type { CheckpointInfo } from "../client/protocol/types.ts";
import type { ErrorMappingOptions } from "../shared/error_mapping.ts";
import { clientGone, jsonResponse } from "../shared/responses.ts";
import type { RouteDescription, Success } from "../shared/route.ts";
import type { RunListener } from "../shared/run_listener.ts";
import type { ContextInfo, SandboxInfo } from "../shared/sandbox_types.ts";
import type { OperationOptions, Release, TakePlace } from "./operation_options.ts";
import type { BodyOptions, BodyReader, SandboxBodies, SandboxReaders } from "./requests.ts";
import type { SandboxAddress } from "./root_record.ts";

/** The sandbox that a request addresses, and how. */
export interface RequestTarget {
  readonly address: SandboxAddress;
  /** How to read the body. The binding applies only to runs and new contexts. */
  readonly body: BodyOptions;
  /**
   * Admission of a call that runs no code, after its body is read. Admitted at once when undefined.
   */
  readonly takePlace: TakePlace | undefined;
  /** Who decides about calls, if the request does. */
  readonly decider: Decider;
  /** Listens to a run, for a gateway that answers its caller itself. */
  readonly listener: RunListener | undefined;
}

/** The environment of the app. */
export interface SandboxEnv {
  readonly Bindings: RequestTarget;
}

/** The parts that all routes share. */
export interface RouteOptions {
  readonly options: OperationOptions;
  readonly read: SandboxReaders;
  readonly mapping: ErrorMappingOptions;
}

/** A route of a sandbox. */
export interface SandboxRoute extends RouteDescription {
  /** Answers a request whose `x-sandbox-id` was checked. Rejects with a `ServiceError`. */
  readonly answer: (context: Context<SandboxEnv>, options: RouteOptions) => Promise<Response>;
}

/** Bodies of answers as JSON, by the names of their schemas. */
export interface SandboxAnswers {
  readonly CheckpointInfo: CheckpointInfo;
  readonly CheckpointList: { readonly checkpoints: readonly CheckpointInfo[] };
  readonly ContextInfo: ContextInfo;
  readonly ContextList: { readonly contexts: readonly ContextInfo[] };
  readonly Done: { readonly success: true };
  readonly ForkedSandbox: { readonly id: string };
  readonly SandboxInfo: SandboxInfo;
}

/** Arguments of a route's work besides the body. */
export interface Call {
  readonly options: OperationOptions;
  readonly address: SandboxAddress;
  /** A parameter of the path. */
  readonly param: (name: string) => string;
}

/** A route that answers with JSON. */
type JsonRoute<S extends keyof SandboxAnswers> = Omit<RouteDescription, "body" | "success"> & {
  readonly success: Success & { readonly schema: S };
};

/** A route without a body. The work has one of the tenant's places. */
export function route<S extends keyof SandboxAnswers>(
  { work, ...description }: JsonRoute<S> & {
    readonly work: (call: Call) => Promise<SandboxAnswers[S]>;
  },
): SandboxRoute {
  return {
    ...description,
    answer: (context, { options }) =>
      inPlace(
        context,
        (address) => jsonAnswer(description, work(callOf(context, options, address))),
      ),
  };
}

/** A route with a body of JSON, which the reader of its name reads and checks. */
export function bodyRoute<B extends keyof SandboxBodies, S extends keyof SandboxAnswers>(
  { body, work, ...description }: JsonRoute<S> & {
    readonly body: B;
    readonly work: (call: Call, body: SandboxBodies[B]) => Promise<SandboxAnswers[S]>;
  },
): SandboxRoute {
  return {
    ...description,
    body: { schema: body },
    answer: async (context, { options, read }) => {
      const reader: BodyReader<SandboxBodies[B]> = read[body];
      const request = await reader(context.req.raw, context.env.body);
      return await inPlace(
        context,
        (address) => jsonAnswer(description, work(callOf(context, options, address), request)),
      );
    },
  };
}

function callOf(
  { req }: Context<SandboxEnv>,
  options: OperationOptions,
  address: SandboxAddress,
): Call {
  return { options, address, param: (name) => req.param(name) ?? "" };
}

async function jsonAnswer(
  { success: { status = 200 } }: Pick<RouteDescription, "success">,
  body: Promise<SandboxAnswers[keyof SandboxAnswers]>,
): Promise<Response> {
  return jsonResponse(await body, { status });
}

/** Runs a call once it has a place. If the caller has disconnected by then, nothing is done. */
export async function inPlace(
  { env: { address, takePlace }, req: { raw: { signal } } }: Context<SandboxEnv>,
  work: (address: SandboxAddress) => Promise<Response>,
): Promise<Response> {
  if (takePlace === undefined) return await work(address);
  let leave: Release;
  try {
    leave = await takePlace(signal);
  } catch (thrown) {
    if (signal.aborted && thrown === signal.reason) return clientGone();
    throw thrown;
  }
  try {
    return await work(address);
  } finally {
    leave();
  }
}
