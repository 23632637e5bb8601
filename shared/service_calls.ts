/**
 * Calls of the service's own routes from inside the process. What `/mcp` and `/e2b` do is one or more
 * of them, so that every rule of the service holds for it, and is in one place.
 *
 * @module
 */
import type { RunListener } from "./run_listener.ts";

/** A request to one of the routes of the gateway (docs/contract.md#gateway-routes). */
export interface ServiceCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Segments with text of callers are percent-encoded. */
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  /** The value of a JSON body. */
  readonly body?: { readonly [field: string]: unknown };
  /** Bytes, in place of a JSON body. A stream is passed on as it arrives. */
  readonly bytes?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Of a run in a sandbox: the context with this name, in place of the default one. */
  readonly contextName?: string | undefined;
  /** The sandbox must be there: the call creates none. */
  readonly existing?: boolean;
  /** Listens to a run. */
  readonly listener?: RunListener | undefined;
}

/** Calls a route for one tenant. Its signal ends the call. Never rejects. */
export type CallService = (call: ServiceCall, signal: AbortSignal) => Promise<Response>;

/** The path of a sandbox, or a path below it. The name is any text. */
export function sandboxPath(language: string, sandbox: string, below: string): string {
  return `/languages/${language}/sandboxes/${segment(sandbox)}${below}`;
}

/** A text as one segment of a path. A lone surrogate becomes U+FFFD. */
export function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
