/**
 * Code contexts as the client returns them (docs/contract.md#codecontext).
 *
 * @module
 */
import type { EnvVars } from "./env_vars.ts";
import type { JsonShape } from "./json_shape.ts";
import type { LanguageName } from "./protocol/language_names.ts";
import type { Language } from "./protocol/types.ts";
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

/**
 * The languages whose runtimes have a binding by the language's name: `PYTHON` for `"python"`,
 * `"python3"` and `"py"`.
 */
export type BoundLanguage<Binding extends string> = string extends Binding ? LanguageName : {
  readonly [L in Language]: Uppercase<L> extends Binding ? LanguageName<L> : never;
}[Language];

/** Options for creating a context: a binding, or a language instead. */
export type CreateContextOptions<Binding extends string = string> =
  & NewContextOptions
  & (
    | {
      /** Name of the service binding of a runtime that can hold contexts. */
      readonly binding: Binding;
      /** Not with a binding. */
      readonly language?: undefined;
    }
    | {
      /** A language, by its id or an alias: means the binding of that name in capitals. */
      readonly language: BoundLanguage<Binding>;
      /** Not with a language. */
      readonly binding?: undefined;
    }
  );

/** Options of a new context, besides its binding. */
export interface NewContextOptions extends RequestOptions {
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
