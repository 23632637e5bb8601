/**
 * The operator's tools, as runs know them (docs/tools.md): the service performs their calls, and no
 * secret of them is here.
 *
 * @module
 */
import { quoted } from "../client/protocol/text.ts";
import type { CallFields, JsonSchema, Tool } from "../client/protocol/types.ts";
import { validationFailed } from "./errors.ts";
import type { CallFailure, CallImage } from "./run_calls.ts";
import { toolNamesFault } from "./tool_schemas.ts";

/** A tool of the operator. */
export interface OperatorTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
  /** The shape of the answers so far, where there is no `outputSchema`. Advice only. */
  readonly observedSchema?: JsonSchema | undefined;
  readonly settings: OperatorSettings;
  /**
   * Whether a request can have these arguments, which fit `inputSchema`; absent: all of them. The text is
   * that of a JSON object.
   */
  readonly canSend?: ((argumentsText: string) => boolean) | undefined;
}

/** How the calls of a tool are performed. A call keeps those under which it began. */
export interface OperatorSettings {
  /** `always`: each call waits until somebody approves it. */
  readonly approval: "never" | "always";
  /** Whether a call whose outcome is unknown is performed again. */
  readonly idempotent: boolean;
  /** Milliseconds from the beginning of a call. */
  readonly timeoutMs: number;
  /** Differs for each target of the tool. */
  readonly revision: string;
}

/** A call to perform. */
export interface OperatorCall extends Pick<OperatorSettings, "timeoutMs" | "revision"> {
  readonly tenant: string;
  readonly name: string;
  /** The text of a JSON object that fits `inputSchema`. */
  readonly arguments: string;
  /** Most bytes of the value as JSON, and of all images. */
  readonly maxBytes: number;
  /** Ends the call: nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/**
 * The outcome of a call: `value` is JSON, `images` are displayed. Where it is unknown, `error.data` is
 * `{unknown: true}`.
 */
export type ToolOutcome =
  | { readonly value: string; readonly images?: readonly CallImage[] }
  | { readonly error: CallFailure };

/** The operator's tools. */
export interface OperatorTools {
  /** The tools of a tenant. */
  of(tenant: string): readonly OperatorTool[];
  /** Performs a call. Never rejects. A tool that the tenant has not is denied. */
  call(call: OperatorCall): Promise<ToolOutcome>;
}

/** A service whose operator gives no tools. */
export const NO_TOOLS: OperatorTools = {
  of: () => [],
  call: ({ name }) => Promise.resolve(toolDenied(name)),
};

/** The outcome of a call of a tool that a tenant has lost. */
export function toolDenied(name: string): ToolOutcome {
  return { error: { kind: "denied", message: `${name} is not available any more` } };
}

/** The error of a call whose outcome nobody knows. */
export function unknownOutcome(name: string, reason: string): CallFailure {
  return {
    kind: "tool",
    message: `The outcome of ${name} is unknown: ${reason}`,
    data: { unknown: true },
  };
}

/** Whether an error says that the outcome of its call is unknown. */
export function isUnknownOutcome({ data }: CallFailure): boolean {
  return typeof data === "object" && data !== null && "unknown" in data && data.unknown === true;
}

/** A tool of a run: its caller's, or the operator's. */
export interface RunTool extends Tool {
  readonly isOperators?: true;
}

/** The fields by which a program may call and ask, with all its tools. */
export interface RunCallFields extends Omit<CallFields, "tools"> {
  readonly tools?: readonly RunTool[];
}

/** A request that perhaps can call. */
interface CallingRequest {
  readonly calls?: CallFields | undefined;
}

/** A request whose tools are known. */
export type WithRunTools<R extends CallingRequest> = Omit<R, "calls"> & {
  readonly calls?: RunCallFields | undefined;
};

/**
 * Replaces names and patterns of a request by the tenant's tools.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` for a name that is not available, a pattern that matches
 * nothing, and a name that is there twice.
 */
export function withRunTools<R extends CallingRequest>(
  request: R,
  available: () => readonly OperatorTool[],
): WithRunTools<R> {
  const { calls, ...others } = request;
  return calls === undefined ? others : { ...others, calls: runCallFields(calls, available) };
}

function runCallFields(calls: CallFields, available: () => readonly OperatorTool[]): RunCallFields {
  const { tools: asked, ...flags } = calls;
  return asked === undefined ? flags : { ...flags, tools: runTools(asked, available) };
}

/** The same for a list of tools. */
export function runTools(
  asked: NonNullable<CallFields["tools"]>,
  available: () => readonly OperatorTool[],
): readonly RunTool[] {
  const operator = asked.some((item) => typeof item === "string") ? available() : [];
  const own: RunTool[] = [];
  const named = new Map<string, RunTool>();
  for (const [index, item] of asked.entries()) {
    if (typeof item !== "string") {
      own.push(item);
      continue;
    }
    const matching = operator.filter(({ name }) => matchesTool(item, name));
    if (matching.length === 0) {
      throw validationFailed(`tools[${index}]: ${quoted(item)} is not available`);
    }
    for (const tool of matching) named.set(tool.name, runTool(tool));
  }
  const tools = [...own, ...named.values()];
  const fault = toolNamesFault(tools);
  if (fault !== undefined) throw validationFailed(fault);
  return tools;
}

function runTool({ name, description, inputSchema, outputSchema }: OperatorTool): RunTool {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    isOperators: true,
  };
}

/** Matches every tool. */
const ALL = "*";
const REST = ".*";

/** Whether a name or pattern matches the name of a tool: a prefix ends with `.*`, `*` is all. */
export function matchesTool(pattern: string, name: string): boolean {
  if (pattern === ALL || pattern === name) return true;
  return pattern.endsWith(REST) && name.startsWith(pattern.slice(0, -1));
}
