/**
 * The description of a route. The route itself adds its work, so that a route is one value: the app
 * and the OpenAPI document are both made from it.
 *
 * Schemas of bodies, groups of errors, and examples are named here. Their tables are in
 * `gateway/openapi/`, which is loaded with the first request for the document.
 *
 * @module
 */
import type { z } from "zod";

/** The schemas of path parameters, query parameters or headers, by name. */
export type Parameters = { readonly [name: string]: z.ZodType };

/** Reasons for which routes refuse a request: names of `gateway/openapi/error_causes.ts`. */
export type CauseGroup =
  | "admin"
  | "answers"
  | "answersBody"
  | "body"
  | "call"
  | "checkpoint"
  | "checkpointLimit"
  | "common"
  | "context"
  | "contextLimit"
  | "contextRun"
  | "file"
  | "fileBytes"
  | "fork"
  | "language"
  | "longBody"
  | "page"
  | "parameter"
  | "position"
  | "quota"
  | "range"
  | "run"
  | "runCondition"
  | "runtime"
  | "sandbox"
  | "store"
  | "token"
  | "toolForm"
  | "toolsBody"
  | "upload"
  | "waitingRun";

/** A body of a request. */
export interface RequestBody {
  /** `application/json` when absent. */
  readonly mediaType?: string;
  /** A schema, or the name of one of the document's. */
  readonly schema: string | z.ZodType;
}

/** An answer when nothing failed. */
export interface Success {
  /** 200 when absent. */
  readonly status?: 200 | 201 | 202 | 204 | 206 | 302 | 304;
  readonly description: string;
  /** `application/json` when absent. */
  readonly mediaType?: string;
  /** A schema, or the name of one of the document's. The answer has no body when absent. */
  readonly schema?: string | z.ZodType;
  /** Names of header components, by header name. */
  readonly headers?: { readonly [name: string]: string };
  /** `Accept` can ask for a stream of events instead. */
  readonly streamed?: boolean;
  /** A parameter of the query can ask for plain text instead. */
  readonly orText?: boolean;
}

/** A route, as the document describes it. */
export interface RouteDescription {
  readonly method: "get" | "post" | "put" | "delete";
  /** With parameters in braces. */
  readonly path: string;
  /** The path as Hono matches it, where a parameter may contain slashes. */
  readonly pattern?: string;
  /** Name of the operation, and of its examples. */
  readonly id: string;
  readonly tag: "Stateless runs" | "Contexts" | "Runs" | "Sandbox" | "Checkpoints" | "Service";
  readonly summary: string;
  readonly description: string;
  readonly pathParameters?: Parameters;
  readonly queryParameters?: Parameters;
  readonly headerParameters?: Parameters;
  readonly body?: RequestBody;
  readonly success: Success;
  /** Further answers when nothing failed. */
  readonly others?: readonly Success[];
  readonly errors: readonly CauseGroup[];
  /** Answered without a token. */
  readonly open?: boolean;
}

/** The path of a route as Hono matches it: `/contexts/{contextId}` is `/contexts/:contextId`. */
export function honoPath({ path, pattern }: Pick<RouteDescription, "path" | "pattern">): string {
  return pattern ?? path.replaceAll(/\{(\w+)\}/g, ":$1");
}
