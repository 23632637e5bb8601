/**
 * The HTTP operations of a tools file: their requests, and the values of the answers
 * (docs/tools.md#operations).
 *
 * @module
 */
import { quoted, utf8Length } from "../client/protocol/text.ts";
import type { JsonValue } from "../client/protocol/types.ts";
import type { ExchangeOutcome, Outgoing } from "../outgoing/outgoing.ts";
import type { OutgoingFailure } from "../outgoing/outcome.ts";
import { CALL_LIMITS } from "../shared/call_limits.ts";
import { contentHash } from "../shared/content_hash.ts";
import { valueFault } from "../shared/json_schema.ts";
import { type OperatorTool, type ToolOutcome, unknownOutcome } from "../shared/operator_tools.ts";
import { slicesOf } from "../shared/slices.ts";
import { answerValue } from "./answer_value.ts";
import type { SecretFilter } from "./secret_filter.ts";
import { argumentsOf, type SourceCallOptions, type ToolSource } from "./tool_source.ts";
import type { OperationEntry } from "./tools_file.ts";
import { expandUrl, type ToolArguments } from "./url_template.ts";

/** Bytes of an answer that are read. */
const MAX_ANSWER_BYTES = CALL_LIMITS.allAnswerBytes;

/** Statuses whose answers have no value. */
const NO_CONTENT: ReadonlySet<number> = new Set([204, 205]);

/** Dependencies of the operations. */
export interface HttpOperationsOptions {
  readonly operations: ReadonlyMap<string, OperationEntry>;
  readonly outgoing: Outgoing;
  readonly secrets: SecretFilter;
}

/** The operations of one file. */
export class HttpOperations implements ToolSource {
  readonly #options: HttpOperationsOptions;
  readonly #tools: readonly OperatorTool[];

  constructor(options: HttpOperationsOptions) {
    this.#options = options;
    this.#tools = [...options.operations].map(([name, operation]) => toolOf(name, operation));
  }

  list(): readonly OperatorTool[] {
    return this.#tools;
  }

  async call(
    name: string,
    values: ToolArguments,
    options: SourceCallOptions,
  ): Promise<ToolOutcome> {
    const { operations, outgoing, secrets } = this.#options;
    const operation = operations.get(name);
    if (operation === undefined) return failed(`There is no operation ${quoted(name)}`);
    const request = requestOf(operation, values);
    if (typeof request === "string") return failed(`${name}: ${request}`);
    const outcome = await outgoing.exchange(
      { ...request, signal: options.signal },
      MAX_ANSWER_BYTES,
    );
    if ("failure" in outcome) return failureOf(name, outcome.failure);
    return await outcomeOf({ name, operation, answer: outcome }, secrets, options);
  }

  async close(): Promise<void> {
    await this.#options.outgoing.close();
  }
}

function toolOf(name: string, operation: OperationEntry): OperatorTool {
  const { description, inputSchema, outputSchema, approval, idempotent, timeoutMs } = operation;
  return {
    name,
    description,
    inputSchema,
    outputSchema,
    settings: { approval, idempotent, timeoutMs, revision: revisionOf(operation) },
    canSend: (text) => typeof requestOf(operation, argumentsOf(text)) !== "string",
  };
}

/** Without the values of headers: they are secrets, and a new one is for calls of before, too. */
function revisionOf({ method, url: { base, path, query }, headers }: OperationEntry): string {
  const target = [method, base.href, path, query, Object.keys(headers.values)];
  return contentHash(new TextEncoder().encode(JSON.stringify(target))).slice(0, 32);
}

/** The request of a call, or why there is none. */
function requestOf({ method, url: template, headers }: OperationEntry, values: ToolArguments) {
  const others = Object.fromEntries(
    Object.entries(values).filter(([name]) => !template.names.has(name)),
  );
  const hasBody = method !== "GET" && method !== "DELETE";
  const url = expandUrl(template, values, hasBody ? {} : others);
  if (typeof url === "string") return url;
  const common = { accept: "application/json, */*;q=0.5", "user-agent": "belljar" };
  return {
    url,
    method,
    headers: {
      ...common,
      ...(hasBody ? { "content-type": "application/json" } : {}),
      ...headers.values,
    },
    ...(hasBody ? { body: JSON.stringify(others) } : {}),
  };
}

/** A call that has an answer. */
interface AnsweredCall {
  readonly name: string;
  readonly operation: OperationEntry;
  readonly answer: Exclude<ExchangeOutcome, { readonly failure: unknown }>;
}

async function outcomeOf(
  { name, operation: { outputSchema }, answer }: AnsweredCall,
  secrets: SecretFilter,
  { tenant, maxBytes }: SourceCallOptions,
): Promise<ToolOutcome> {
  const { status } = answer;
  const { pause } = slicesOf(tenant);
  const body = NO_CONTENT.has(status) ? { value: null } : await answerValue(answer, secrets, pause);
  if (status < 200 || status > 299) {
    const isSmall = "value" in body && jsonBytes(body.value) <= CALL_LIMITS.answerBytes;
    const value = isSmall ? body.value : null;
    return failed(`${name} was answered with status ${status}`, { status, body: value });
  }
  if ("fault" in body) return failed(`The answer of ${name} ${body.fault}`);
  await pause();
  const fault = outputSchema && valueFault(outputSchema, body.value);
  if (fault !== undefined) return failed(`The answer of ${name} breaks its outputSchema: ${fault}`);
  await pause();
  const value = JSON.stringify(body.value);
  if (utf8Length(value) > maxBytes) return tooLarge(name, maxBytes);
  return { value };
}

function failureOf(name: string, { reason, sent }: OutgoingFailure): ToolOutcome {
  if (reason === "large") return tooLarge(name, MAX_ANSWER_BYTES);
  if (sent) return { error: unknownOutcome(name, LOST[reason] ?? "its answer is not whole") };
  return failed(`${name} was not called: ${NOT_SENT[reason] ?? "the request is not valid"}`);
}

type ReasonTexts = { readonly [R in OutgoingFailure["reason"]]?: string };

const LOST: ReasonTexts = {
  timeout: "no answer came in time",
  cancelled: "the call was ended",
};

const NOT_SENT: ReasonTexts = {
  refused: "its address is not allowed",
  unreachable: "it cannot be reached",
  busy: "it has too many calls",
  open: "it could not be reached several times",
  timeout: "it could not be reached in time",
  cancelled: "the call was ended",
};

function tooLarge(name: string, maxBytes: number): ToolOutcome {
  return failed(`The answer of ${name} is larger than ${maxBytes} bytes`);
}

function failed(message: string, data?: JsonValue): ToolOutcome {
  return { error: { kind: "tool", message, ...(data === undefined ? {} : { data }) } };
}

function jsonBytes(value: JsonValue): number {
  return utf8Length(JSON.stringify(value));
}
