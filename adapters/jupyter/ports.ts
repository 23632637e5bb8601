/**
 * A request of Jupyter's REST API, and the means to answer it.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import type { SandboxTerms } from "../../shared/sandbox_terms.ts";
import type { CallService } from "../../shared/service_calls.ts";

/** A request below `/jupyter`, for a tenant that is known. */
export interface JupyterRequest {
  readonly method: string;
  /** Segments of the path below `/jupyter/api`, decoded. */
  readonly path: readonly string[];
  readonly body: Uint8Array<ArrayBuffer>;
  /** Fires when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** The means to answer requests, for one tenant. */
export interface JupyterPorts {
  readonly tenant: string;
  /** The enabled languages. */
  readonly languages: readonly Language[];
  readonly call: CallService;
  readonly terms: SandboxTerms;
}
