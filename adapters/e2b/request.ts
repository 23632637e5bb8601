/**
 * A request of E2B's protocol, and the means to answer it.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import type { LanguageLimits } from "../../shared/limits.ts";
import type { SandboxTerms } from "../../shared/sandbox_terms.ts";
import type { CallService } from "../../shared/service_calls.ts";
import type { StreamedRunOptions } from "../../shared/streamed_run.ts";

/** A request below `/e2b`, for a tenant that is known. */
export interface E2bRequest {
  readonly method: string;
  /** Segments of the path below `/e2b`, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** Empty when there is a stream. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** A file, or a long form, that is not in memory. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  /** The caller's token; absent if the service needs none. */
  readonly token: string | undefined;
  /** Fires when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** Limits of the service that the adapter shows or checks. */
export type E2bLimits = Pick<
  LanguageLimits,
  "memoryBytes" | "fileBytes" | "workspaceBytes" | "requestBytes"
>;

/** The means to answer requests. */
export interface E2bPorts {
  /** Whose turns of the thread the work takes. */
  readonly tenant: string;
  /** The enabled languages. */
  readonly languages: readonly Language[];
  readonly call: CallService;
  readonly streams: StreamedRunOptions;
  readonly terms: SandboxTerms;
  /** Of files, and of the memory of a run, which is shown to callers. */
  readonly limits: E2bLimits;
  /** Epoch milliseconds. */
  readonly now: () => number;
}
