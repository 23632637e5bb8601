/**
 * A request for an operation, made of what was typed.
 *
 * @module
 */
import type { Operation, Parameter } from "./operations.ts";

/** The input. */
export interface OperationInput {
  /** Values by the names of parameters. Empty ones are left out. */
  readonly parameters: { readonly [name: string]: string };
  /** Undefined when the operation has none. */
  readonly body: BodyInit | undefined;
  /** The requested media type; empty: the operation's own. */
  readonly type: string;
}

/** A request without its origin and token. */
export interface OperationRequest {
  /** Path and query, relative to the service. */
  readonly path: string;
  readonly init: RequestInit;
}

/** Makes the request. Throws an Error that names the parameter which cannot be sent. */
export function operationRequest(
  { method, path, parameters, body, types }: Operation,
  input: OperationInput,
): OperationRequest {
  const valueOf = ({ name }: Parameter) => input.parameters[name] ?? "";
  const given = parameters.filter((parameter) => valueOf(parameter) !== "");
  const headers = new Headers({
    accept: input.type === "" ? [...types, "application/json"].join(", ") : input.type,
    ...(body === undefined ? {} : { "content-type": contentType(body.type) }),
  });
  const query = new URLSearchParams();
  let filled = path;
  for (const parameter of parameters) {
    if (parameter.in === "path") {
      filled = filled.replace(`{${parameter.name}}`, () => pathText(parameter, valueOf(parameter)));
    }
  }
  for (const parameter of given) {
    if (parameter.in === "query") query.set(parameter.name, valueOf(parameter));
    if (parameter.in === "header") setHeader(headers, parameter, valueOf(parameter));
  }
  const search = query.size === 0 ? "" : `?${query}`;
  return {
    path: `${filled.slice(1)}${search}`,
    init: { method, headers, ...(body === undefined ? {} : { body: input.body ?? "" }) },
  };
}

/** Browsers resolve `.` and `..`, encoded or not, so the request would be for another path. */
function pathText({ name }: Parameter, value: string): string {
  if (value === "") throw new Error(`${name} is missing`);
  if (value === "." || value === "..") {
    throw new Error(`${name}: a browser cannot send “${value}” in a path`);
  }
  return encodeURIComponent(value);
}

function setHeader(headers: Headers, { name }: Parameter, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new Error(`${name}: a header cannot have this value`);
  }
}

function contentType(type: string): string {
  return type.includes("*") ? "application/octet-stream" : type;
}
