/**
 * The file of the operator's tools, `TOOLS`: MCP servers, HTTP operations, and the tools of each tenant
 * (docs/tools.md#the-file). All faults of a file are told at once, by place.
 *
 * @module
 */
import { z } from "zod";
import type { JsonSchema } from "../client/protocol/types.ts";
import type { AllowedAddress } from "../outgoing/addresses.ts";
import { parseAllowedAddress } from "../outgoing/addresses.ts";
import { schemaFault } from "../shared/json_schema.ts";
import { isToolPattern } from "../shared/tool_schemas.ts";
import { placeFaults } from "./file_rules.ts";
import { headerNameFault, headerValue, type Secrets } from "./header_values.ts";
import { parseUrlTemplate, type UrlTemplate } from "./url_template.ts";

/** Whether each call waits for somebody who approves it. */
export type Approval = "never" | "always";

/** Headers of requests, with the secrets in them. */
export interface ToolHeaders {
  readonly values: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** An MCP server. */
export interface ServerEntry {
  readonly url: URL;
  readonly headers: ToolHeaders;
  readonly approval: Approval;
  readonly idempotent: boolean;
  readonly timeoutMs: number;
  /** Settings of single tools, by the server's own names. */
  readonly tools: ReadonlyMap<string, {
    readonly approval?: Approval | undefined;
    readonly idempotent?: boolean | undefined;
  }>;
}

/** The methods of operations. */
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** An HTTP operation. */
export interface OperationEntry {
  readonly description?: string | undefined;
  readonly method: typeof METHODS[number];
  readonly url: UrlTemplate;
  readonly headers: ToolHeaders;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
  readonly approval: Approval;
  readonly idempotent: boolean;
  readonly timeoutMs: number;
}

/** The content of the file. */
export interface ToolsFile {
  readonly servers: ReadonlyMap<string, ServerEntry>;
  /** By their whole names. */
  readonly operations: ReadonlyMap<string, OperationEntry>;
  /** Names and patterns by tenant; `*` is every other tenant. */
  readonly tenants: ReadonlyMap<string, readonly string[]>;
  readonly privateAddresses: readonly AllowedAddress[];
}

const MAX_TIMEOUT_MS = 600_000;
const TIMEOUT_MS = 30_000;
const TIMEOUT_FAULT = `must be a whole number from 1 to ${MAX_TIMEOUT_MS}`;
const OBJECT_FAULT = "must be an object";
const NO_ARGUMENTS: JsonSchema = { type: "object", properties: {} };

/** The schema of the file. Secrets are put into headers while it is read. */
export function toolsFileSchema(secrets: Secrets): z.ZodType<ToolsFile, unknown> {
  const content = contentSchema(secrets);
  return z.unknown().transform((value, check) => {
    const parsed = content.safeParse(value);
    const faults = [
      ...(parsed.error?.issues ?? []).flatMap(placedIssues),
      ...placeFaults(value),
    ];
    for (const { path, message } of faults) {
      check.issues.push({ code: "custom", path: [...path], message, input: value });
    }
    return parsed.data ?? z.NEVER;
  });
}

function placedIssues(issue: z.core.$ZodIssue) {
  if (issue.code !== "unrecognized_keys") return [{ path: issue.path, message: issue.message }];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: "is unknown" }));
}

function contentSchema(secrets: Secrets): z.ZodType<ToolsFile, unknown> {
  return z.strictObject({
    servers: z.record(z.string(), serverSchema(secrets), OBJECT_FAULT).default({}),
    operations: z.record(z.string(), operationSchema(secrets), OBJECT_FAULT).default({}),
    tenants: z.record(z.string(), z.array(patternSchema(), "must be a list of names"), OBJECT_FAULT)
      .default({}),
    privateAddresses: z.array(addressSchema(), "must be a list of addresses").default([]),
  }, OBJECT_FAULT).transform(({ servers, operations, tenants, privateAddresses }) => ({
    servers: new Map(Object.entries(servers)),
    operations: new Map(Object.entries(operations)),
    tenants: new Map(Object.entries(tenants)),
    privateAddresses,
  }));
}

function serverSchema(secrets: Secrets): z.ZodType<ServerEntry, unknown> {
  const tool = z.strictObject({
    approval: approvalSchema().exactOptional(),
    idempotent: flagSchema().exactOptional(),
  }, OBJECT_FAULT);
  return z.strictObject({
    url: parsedText((text) => {
      const template = parseUrlTemplate(text);
      if (typeof template === "string") return template;
      return template.names.size > 0 ? "must be literal" : { parsed: new URL(text) };
    }),
    headers: headersSchema(secrets),
    approval: approvalSchema().default("never"),
    idempotent: flagSchema().default(false),
    timeoutMs: timeoutSchema(),
    tools: z.record(z.string(), tool, OBJECT_FAULT).default({}),
  }, OBJECT_FAULT).transform(({ tools, ...server }) => ({
    ...server,
    tools: new Map(Object.entries(tools)),
  }));
}

function operationSchema(secrets: Secrets): z.ZodType<OperationEntry, unknown> {
  return z.strictObject({
    description: z.string("must be a string").exactOptional(),
    method: z.enum(METHODS, "must be GET, POST, PUT, PATCH or DELETE"),
    url: parsedText((text) => {
      const template = parseUrlTemplate(text);
      return typeof template === "string" ? template : { parsed: template };
    }),
    headers: headersSchema(secrets),
    inputSchema: jsonSchema().default(NO_ARGUMENTS),
    outputSchema: jsonSchema().exactOptional(),
    approval: approvalSchema().default("never"),
    idempotent: flagSchema().exactOptional(),
    timeoutMs: timeoutSchema(),
  }, OBJECT_FAULT).transform(({ idempotent, ...operation }) => ({
    ...operation,
    idempotent: idempotent ?? operation.method === "GET",
  }));
}

function approvalSchema() {
  return z.enum(["never", "always"], "must be never or always");
}

function flagSchema() {
  return z.boolean("must be true or false");
}

function timeoutSchema() {
  return z.int(TIMEOUT_FAULT).min(1, TIMEOUT_FAULT).max(MAX_TIMEOUT_MS, TIMEOUT_FAULT)
    .default(TIMEOUT_MS);
}

/** A text that is read by a function, which returns the result or what is wrong. */
function parsedText<T>(
  parse: (text: string) => string | { readonly parsed: T },
): z.ZodType<T, unknown> {
  return z.string("must be a string").transform((text, check) => {
    const result = parse(text);
    if (typeof result !== "string") return result.parsed;
    check.issues.push({ code: "custom", message: result, input: text });
    return z.NEVER;
  });
}

function patternSchema(): z.ZodType<string, unknown> {
  return parsedText((text) =>
    isToolPattern(text) ? { parsed: text } : "must be a name, a prefix such as crm.*, or *"
  );
}

function addressSchema(): z.ZodType<AllowedAddress, unknown> {
  return parsedText((text) => {
    const parsed = parseAllowedAddress(text);
    return parsed === undefined
      ? "must be an address or a range, with or without a port"
      : { parsed };
  });
}

function jsonSchema(): z.ZodType<JsonSchema, unknown> {
  // all of the file is JSON
  const schema = z.custom<JsonSchema>(isObject, "must be a JSON Schema, an object");
  return schema.transform((value, check) => {
    const fault = schemaFault(value);
    if (fault === undefined) return value;
    check.issues.push({ code: "custom", message: fault, input: value });
    return z.NEVER;
  });
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function headersSchema(secrets: Secrets): z.ZodType<ToolHeaders, unknown> {
  const texts = z.record(z.string(), z.string("must be a string"), OBJECT_FAULT).default({});
  return texts.transform((headers, check) => {
    const values: Record<string, string> = {};
    const used: string[] = [];
    const fault = (name: string, message: string) =>
      check.issues.push({ code: "custom", path: [name], message, input: headers });
    for (const [name, text] of Object.entries(headers)) {
      const header = headerValue(text, secrets);
      const nameFault = Object.hasOwn(values, name.toLowerCase())
        ? "is there twice"
        : headerNameFault(name);
      if (nameFault !== undefined) fault(name, nameFault);
      if ("faults" in header) { for (const message of header.faults) fault(name, message); }
      values[name.toLowerCase()] = "value" in header ? header.value : "";
      used.push(..."secrets" in header ? header.secrets : []);
    }
    return { values, secrets: used };
  });
}
