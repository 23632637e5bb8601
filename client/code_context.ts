/**
 * Code contexts as the client returns them (docs/contract.md#codecontext).
 *
 * @module
 */
import type { EnvVars } from "./env_vars.ts";
import type { JsonShape } from "./json_shape.ts";
import type { RequestOptions } from "./request_options.ts";

/** A durable interpreter of a sandbox: later runs see the definitions of earlier ones. */
export interface CodeContext {
  /** Minted by the sandbox. */
  readonly id: string;
  /** Name of the service binding that it was created with. */
  readonly binding: string;
  /** Language of that binding's runtime. */
  readonly language: string;
  /** Working directory when it was created or last used. */
  readonly cwd: string;
  /** When it was created. */
  readonly createdAt: Date;
  /** When it last ran, or was created. */
  readonly lastUsed: Date;
}

/** A context that can be forked. */
export interface ForkableContext extends CodeContext {
  /**
   * Adds a context with the memory, working directory and variables of this one as of its last
   * commit, in milliseconds whatever its size: both share what does not change.
   *
   * Rejects with a `ContextNotFoundError`, or a `ValidationFailedError` for a ninth context.
   */
  fork(options?: RequestOptions): Promise<ForkableContext>;
}

/** Options for creating a context. */
export interface CreateContextOptions<Binding extends string = string> extends RequestOptions {
  /** Name of the service binding of a runtime that can hold contexts. */
  readonly binding: Binding;
  /** An existing directory under `/workspace`. @default {"/workspace"} */
  readonly cwd?: string | undefined;
  /** Variables of the context. A value of `undefined` is omitted. */
  readonly envVars?: EnvVars | undefined;
}

/** Reads a context. */
export function readCodeContext(body: JsonShape): CodeContext {
  return {
    id: body.string("id"),
    binding: body.string("binding"),
    language: body.string("language"),
    cwd: body.string("cwd"),
    createdAt: body.date("createdAt"),
    lastUsed: body.date("lastUsed"),
  };
}
