/**
 * Functions of the caller that a program may call, and the fields of a request that declare them
 * (docs/calls.md).
 *
 * @module
 */
import { validationFailed } from "./errors.ts";
import { isJsonObject } from "./json_shape.ts";
import { quoted } from "./protocol/text.ts";
import type { JsonSchema, JsonValue, Tool as DeclaredTool } from "./protocol/types.ts";

/** Arguments of a call, by name. */
export interface ToolInput {
  /** A value as JSON has it. */
  readonly [name: string]: JsonValue;
}

/**
 * Performs a call. Its value becomes the value of the call in the program; `undefined` becomes null.
 * An error that it throws becomes a `ToolError` with its message and its `data`; a
 * {@link ToolDenied} becomes one of the same name.
 */
export type ToolFunction = {
  // a method, so that a function may name the types of its own arguments
  call(input: ToolInput): unknown;
}["call"];

/** A schema by the specification Standard Schema, such as one of zod, valibot or arktype. */
export interface StandardSchema {
  /** The specification's properties. */
  readonly "~standard": {
    /** Version of the specification. */
    readonly version: 1;
    /** Checks a value. */
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    /** Converts to JSON Schema, where the library can. */
    readonly jsonSchema?: {
      /** The schema of values before they are checked. */
      readonly input: (options: { readonly target: "draft-2020-12" }) => object;
      /** The schema of values after they are checked. */
      readonly output: (options: { readonly target: "draft-2020-12" }) => object;
    };
  };
}

/** The result of a check. */
export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** A tool with its description and schemas. */
export interface Tool {
  /** The purpose of the tool. */
  readonly description?: string | undefined;
  /**
   * The arguments. Those that break a JSON Schema raise `ToolError` in the program, and nobody is
   * asked. A Standard Schema also checks and converts them here.
   */
  readonly inputSchema?: JsonSchema | StandardSchema | undefined;
  /** The value. */
  readonly outputSchema?: JsonSchema | StandardSchema | undefined;
  /** Milliseconds from the moment at which a call is shown, after which it raises `ToolExpired`. */
  readonly timeoutMs?: number | undefined;
  /** Whether repeating a call has no further effect. */
  readonly idempotent?: boolean | undefined;
  /** Performs a call. */
  readonly execute: ToolFunction;
}

/** Tools by name: identifiers joined by dots, such as `crm.find`. */
export interface Tools {
  /** A function, or one with its description and schemas. */
  readonly [name: string]: ToolFunction | Tool;
}

/**
 * Thrown by a tool: the program gets a `ToolDenied` with this message.
 *
 * @example
 * ```ts ignore
 * import { connect, runCode, ToolDenied } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * const { error } = await runCode(env.PYTHON, "tools.pay(amount=5)", {
 *   tools: {
 *     pay: () => {
 *       throw new ToolDenied("not today");
 *     },
 *   },
 * });
 * console.assert(error?.name === "ToolDenied" && error.message === "not today");
 * ```
 */
export class ToolDenied extends Error {
  /** The name of the class. */
  override readonly name = "ToolDenied";
}

/** The declarations of tools, as requests have them. Throws a `ValidationFailedError`. */
export function declaredTools(tools: Tools): DeclaredTool[] {
  if (!isObject(tools)) throw validationFailed("tools must be an object");
  return Object.entries(tools).map(([name, tool]) => {
    if (typeof tool === "function") return { name };
    if (!isObject(tool) || typeof tool.execute !== "function") {
      throw validationFailed(`tools: ${quoted(name)} must be a function or have one as execute`);
    }
    const { description, inputSchema, outputSchema, timeoutMs, idempotent } = tool;
    const input = inputSchema && jsonSchemaOf(inputSchema, "input");
    const output = outputSchema && jsonSchemaOf(outputSchema, "output");
    return {
      name,
      ...(description === undefined ? {} : { description }),
      ...(input === undefined ? {} : { inputSchema: input }),
      ...(output === undefined ? {} : { outputSchema: output }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(idempotent === undefined ? {} : { idempotent }),
    };
  });
}

/**
 * Performs a call of a tool. Rejects with what the tool throws, and with an `Error` when arguments
 * or value break a Standard Schema, or the value cannot be said in JSON.
 */
export async function performCall(
  tools: Tools,
  name: string,
  input: JsonValue,
): Promise<JsonValue> {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool === undefined) throw new Error(`There is no tool ${quoted(name)}`);
  if (typeof tool === "function") return asJson(await tool(isJsonObject(input) ? input : {}));
  const { inputSchema, outputSchema, execute } = tool;
  const checked = isStandard(inputSchema)
    ? await checkedBy(inputSchema, input, "The arguments are not valid")
    : input;
  const value = await execute(checked as ToolInput);
  return asJson(
    isStandard(outputSchema)
      ? await checkedBy(outputSchema, value, "The value is not valid")
      : value,
  );
}

async function checkedBy(schema: StandardSchema, value: unknown, problem: string) {
  const result = await schema["~standard"].validate(value);
  if ("value" in result) return result.value;
  throw new Error(`${problem}: ${result.issues.map(({ message }) => message).join("; ")}`);
}

function asJson(value: unknown): JsonValue {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  if (text === undefined) throw new Error("The value of the tool cannot be said in JSON");
  return JSON.parse(text);
}

function jsonSchemaOf(
  schema: JsonSchema | StandardSchema,
  side: "input" | "output",
): JsonSchema | undefined {
  if (!isStandard(schema)) return schema;
  const made = schema["~standard"].jsonSchema?.[side]({ target: "draft-2020-12" });
  return made === undefined ? undefined : JSON.parse(JSON.stringify(made));
}

function isStandard(schema: unknown): schema is StandardSchema {
  return (isObject(schema) || typeof schema === "function") && "~standard" in schema;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
