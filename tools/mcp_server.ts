/**
 * The tools of one MCP server (docs/tools.md#mcp-servers). A server that does not answer keeps the tools
 * that are known last.
 *
 * @module
 */
import {
  Client,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type JsonSchemaValidatorResult,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import { utf8Length } from "../client/protocol/text.ts";
import type { JsonSchema, JsonValue } from "../client/protocol/types.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";
import { contentHash } from "../shared/content_hash.ts";
import { schemaFault, valueFault } from "../shared/json_schema.ts";
import type { Log } from "../shared/log.ts";
import { type OperatorTool, type ToolOutcome, unknownOutcome } from "../shared/operator_tools.ts";
import { imageBytes } from "../shared/run_calls.ts";
import type { Timers } from "../shared/timers.ts";
import { MAX_TOOLS } from "./file_rules.ts";
import { McpConnection } from "./mcp_connection.ts";
import {
  CallTransport,
  MAX_ANSWER_BYTES,
  outgoingFetch,
  RequestFailed,
  SentCall,
  sentCalls,
} from "./mcp_fetch.ts";
import { readableMessage } from "./mcp_listing.ts";
import { wholeNames } from "./mcp_names.ts";
import { mcpValue } from "./mcp_result.ts";
import type { SecretFilter } from "./secret_filter.ts";
import type { SourceCallOptions, ToolSource } from "./tool_source.ts";
import type { ServerEntry } from "./tools_file.ts";
import type { ToolArguments } from "./url_template.ts";

/** Dependencies of a server's tools. */
export interface McpServerOptions {
  /** The server's key in the file. */
  readonly key: string;
  readonly server: ServerEntry;
  readonly outgoing: Outgoing;
  readonly secrets: SecretFilter;
  readonly log: Log;
  readonly timers: Timers;
}

/** Pause between listings, in milliseconds. */
const LISTING_MS = 30_000;
/** Pause after the first listing that fails, in milliseconds; it doubles with each one. */
const FIRST_PAUSE_MS = 1_000;
/** The longest time of a connection or of a listing, in milliseconds. */
const ANSWER_MS = 10_000;
/** Longer than any call: its signal ends it. */
const NO_LIMIT_MS = 2 ** 31 - 1;
/** Characters of an error of a server. */
const ERROR_LENGTH = 2_000;

/** A tool of the server, as it calls it. */
interface KnownTool {
  readonly own: string;
  readonly tool: OperatorTool;
}

/** The tools of a server. */
export class McpServer implements ToolSource {
  readonly #options: McpServerOptions;
  readonly #closing = new AbortController();
  #tools: ReadonlyMap<string, KnownTool> = new Map();
  readonly #connection = new McpConnection(() => this.#connect());
  #listing: Promise<void> | undefined;
  /** The server has told of a change since the listing began. */
  #isOutdated = false;
  #cancelTimer: () => void = () => undefined;
  /** Listings that failed, one after the other. */
  #failures = 0;
  #isResting = false;

  constructor(options: McpServerOptions) {
    this.#options = options;
  }

  list(): readonly OperatorTool[] {
    return [...this.#tools.values()].map(({ tool }) => tool);
  }

  /** Lists the tools now, and from time to time. Resolves with the listing. Never rejects. */
  refresh(): Promise<void> {
    this.#isResting = this.#closing.signal.aborted;
    this.#listing ??= this.#list().finally(() => {
      this.#listing = undefined;
      this.#cancelTimer();
      if (this.#isResting) return;
      if (this.#isOutdated) return void this.refresh();
      this.#cancelTimer = this.#options.timers.after(
        this.#pauseMs(),
        () => void this.refresh(),
        true,
      );
    });
    return this.#listing;
  }

  async #list(): Promise<void> {
    const { key, log } = this.#options;
    this.#isOutdated = false;
    try {
      const bounds = this.#bounds();
      const { tools } = await this.#connection.use({
        work: async (client) =>
          client.getServerCapabilities()?.tools === undefined
            ? { tools: [] }
            : await client.listTools(undefined, { ...bounds, cacheMode: "refresh" }),
        isBroken: () => true,
        signal: bounds.signal,
      });
      this.#tools = this.#known(tools.slice(0, MAX_TOOLS));
      if (this.#failures > 0) log("info", "tools.server", { server: key, tools: tools.length });
      this.#failures = 0;
    } catch (thrown) {
      if (this.#closing.signal.aborted) return;
      const reason = reasonOf(thrown);
      if (this.#failures === 0) log("warn", "tools.server", { server: key, reason });
      this.#failures++;
    }
  }

  #pauseMs(): number {
    if (this.#failures === 0) return LISTING_MS;
    return Math.min(FIRST_PAUSE_MS * 2 ** (this.#failures - 1), LISTING_MS);
  }

  #changed(): void {
    this.#isOutdated = true; // a listing that goes on may have been answered before
    if (!this.#isResting) void this.refresh();
  }

  #bounds() {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ANSWER_MS)]);
    return { signal, timeout: NO_LIMIT_MS };
  }

  async #connect(): Promise<Client> {
    const { server: { url, headers }, outgoing } = this.#options;
    const client = new Client({ name: "belljar", version: "1" }, {
      versionNegotiation: { mode: "auto" },
      listChanged: { tools: { autoRefresh: false, onChanged: () => this.#changed() } },
      jsonSchemaValidator: new NoValidation(),
      inputRequired: { autoFulfill: false },
      listMaxPages: MAX_TOOLS,
    });
    const fetch = outgoingFetch(outgoing, headers.values);
    const transport = new CallTransport(url, { fetch });
    await client.connect(transport, this.#bounds());
    const { onmessage } = transport;
    transport.onmessage = (message) => onmessage?.(readableMessage(message));
    return client;
  }

  #known(tools: readonly ListedTool[]): ReadonlyMap<string, KnownTool> {
    const { key, server, secrets } = this.#options;
    const names = wholeNames(key, tools.map(({ name }) => name), (name) => secrets.text(name));
    return new Map(tools.map((listed) => {
      const { name: own, description, inputSchema, outputSchema } = listed;
      const name = names.get(own) ?? own;
      const settings = server.tools.get(own);
      const tool: OperatorTool = {
        name,
        description: description === undefined ? undefined : secrets.text(description),
        inputSchema: usable(inputSchema, secrets) ?? { type: "object" },
        outputSchema: usable(outputSchema, secrets),
        settings: {
          approval: settings?.approval ?? server.approval,
          idempotent: settings?.idempotent ?? server.idempotent,
          timeoutMs: server.timeoutMs,
          revision: revisionOf(server, own),
        },
      };
      return [name, { own, tool }];
    }));
  }

  async call(
    name: string,
    values: ToolArguments,
    { maxBytes, signal }: SourceCallOptions,
  ): Promise<ToolOutcome> {
    const known = this.#tools.get(name);
    if (known === undefined) return failed(`${name} was not called: the server has no such tool`);
    const call = new SentCall(this.#options.timers);
    const both = AbortSignal.any([signal, this.#closing.signal]);
    try {
      const result = await sentCalls.run(
        call,
        () => this.#perform(known.own, values, { call, signal: both }),
      );
      return this.#outcome(known.tool, result, maxBytes);
    } catch (thrown) {
      return this.#failure(name, thrown, call, both);
    }
  }

  /** A call whose session is over is made again: the server has not performed it. */
  #perform(
    own: string,
    values: ToolArguments,
    { call, signal }: { readonly call: SentCall; readonly signal: AbortSignal },
  ): Promise<unknown> {
    return this.#connection.use<unknown>({
      work: (client) => {
        call.isSent = false;
        const request = { name: own, arguments: { ...values } };
        return call.unlessFailed(client.callTool(request, { signal, timeout: NO_LIMIT_MS }));
      },
      // a call that takes too long says nothing about those beside it
      isBroken: (thrown) => !isAnswer(thrown) && !signal.aborted,
      signal,
    });
  }

  #outcome({ name, outputSchema }: OperatorTool, result: unknown, maxBytes: number): ToolOutcome {
    const { secrets } = this.#options;
    const read = mcpValue(result);
    if ("fault" in read) return failed(`The answer of ${name} ${read.fault}`);
    if ("error" in read) {
      const text = secrets.text(read.error).slice(0, ERROR_LENGTH);
      return failed(text === "" ? `${name} failed` : text);
    }
    const shown = secrets.value(read.value);
    const fault = outputSchema && valueFault(outputSchema, shown);
    if (fault !== undefined) {
      return failed(`The answer of ${name} breaks its outputSchema: ${fault}`);
    }
    const value = JSON.stringify(shown);
    const images = read.images.map(({ mimeType, bytes }) => {
      return { mimeType: secrets.text(mimeType), bytes: secrets.text(bytes) };
    });
    if (Math.max(utf8Length(value), imageBytes(images)) > maxBytes) {
      return failed(`The answer of ${name} is larger than ${maxBytes} bytes`);
    }
    return { value, ...(images.length === 0 ? {} : { images }) };
  }

  #failure(name: string, thrown: unknown, { isSent }: SentCall, signal: AbortSignal): ToolOutcome {
    if (isAnswer(thrown) && !signal.aborted) return this.#refusal(name, thrown);
    if (thrown instanceof RequestFailed && thrown.reason === "large") {
      return failed(`The answer of ${name} is larger than ${MAX_ANSWER_BYTES} bytes`);
    }
    const isLate = signal.aborted && signal.reason instanceof DOMException &&
      signal.reason.name === "TimeoutError";
    if (isSent) {
      const reason = isLate ? "no answer came in time" : "its answer is not whole";
      return { error: unknownOutcome(name, reason) };
    }
    const isRefused = thrown instanceof RequestFailed && thrown.reason === "refused";
    const reason = isRefused
      ? "its address is not allowed"
      : isLate
      ? "it could not be reached in time"
      : "it cannot be reached";
    return failed(`${name} was not called: ${reason}`);
  }

  /** The outcome of a call that the server has answered with an error, or with no result of a tool. */
  #refusal(name: string, thrown: Error): ToolOutcome {
    const shown = (text: string) => this.#options.secrets.text(text).slice(0, ERROR_LENGTH);
    if (thrown instanceof SdkHttpError) {
      const { status, data } = thrown;
      const body = typeof data.text === "string" ? shown(data.text) : null;
      return failed(`${name} was answered with status ${status}`, { status, body });
    }
    if (thrown instanceof ProtocolError) return failed(`${name} failed: ${shown(thrown.message)}`);
    const asks = thrown instanceof SdkError && thrown.code === SdkErrorCode.UnsupportedResultType;
    return failed(asks ? `${name} asks for input, which it does not get` : notResult(name));
  }

  /** Lists no more: the file has other servers. Calls that began go on. */
  rest(): void {
    this.#isResting = true;
    this.#cancelTimer();
  }

  async close(): Promise<void> {
    this.rest();
    this.#closing.abort();
    await this.#listing;
    await this.#connection.close();
    await this.#options.outgoing.close();
  }
}

/** A tool as a server lists it. */
interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
}

/** A schema of a server that the service can check; undefined otherwise. */
function usable(schema: unknown, secrets: SecretFilter): JsonSchema | undefined {
  const parsed = schemaSchema.safeParse(schema);
  if (!parsed.success || schemaFault(parsed.data) !== undefined) return undefined;
  const filtered = schemaSchema.safeParse(secrets.value(parsed.data));
  return filtered.data;
}

const schemaSchema: z.ZodType<{ readonly [keyword: string]: JsonValue }> = z.record(
  z.string(),
  z.json(),
);

/** Accepts all values: the service checks them itself, and trusts no pattern of a server. */
class NoValidation implements jsonSchemaValidator {
  getValidator<T>(): JsonSchemaValidator<T> {
    return accepted;
  }
}

function accepted<T>(data: unknown): JsonSchemaValidatorResult<T>;
function accepted(data: unknown): unknown {
  return { valid: true, data, errorMessage: undefined };
}

/** Whether the server has answered, with an error or with something that is no result. */
function isAnswer(thrown: unknown): thrown is Error {
  if (thrown instanceof ProtocolError || thrown instanceof SdkHttpError) return true;
  return thrown instanceof SdkError && NO_RESULT.has(thrown.code);
}

const NO_RESULT: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
]);

function notResult(name: string): string {
  return `The answer of ${name} is not a result of a tool`;
}

/** For the log: a kind of error. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof SdkError) return thrown.code;
  return thrown instanceof Error ? thrown.name : "unknown";
}

/** Without the values of headers: they are secrets, and a new one is for calls of before, too. */
function revisionOf({ url, headers }: ServerEntry, own: string): string {
  const target = [url.href, own, Object.keys(headers.values)];
  return contentHash(new TextEncoder().encode(JSON.stringify(target))).slice(0, 32);
}

function failed(message: string, data?: JsonValue): ToolOutcome {
  return { error: { kind: "tool", message, ...(data === undefined ? {} : { data }) } };
}
