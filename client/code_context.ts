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

/** A durable interpreter of a sandbox: later runs see the definitions of earlier runs. */
export interface CodeContext {
  /** Chosen by the sandbox. */
  readonly id: string;
  /** Name of its service binding. */
  readonly binding: string;
  /** Language of that binding's runtime. */
  readonly language: string;
  /** Working directory when it was created or last used. */
  readonly cwd: string;
  /** Time of its creation. */
  readonly createdAt: Date;
  /** Time of its last run, or of its creation. */
  readonly lastUsed: Date;
}

/**
 * A context that can be forked.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const context = await sandbox.interpreter.createCodeContext({ language: "javascript" });
 * await sandbox.interpreter.runCode("var n = 1", { context });
 * const fork = await context.fork();
 * await sandbox.interpreter.runCode("n = 2", { context: fork });
 * const { results } = await sandbox.interpreter.runCode("n", { context });
 * console.assert(results[0]?.text === "1");
 * ```
 */
export interface ForkableContext extends CodeContext {
  /**
   * Creates a context with the memory, working directory and variables of this one at its last
   * commit. It takes milliseconds, whatever the size: both share unchanged memory.
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
