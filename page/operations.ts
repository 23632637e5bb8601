/**
 * The operations of the service, as its OpenAPI document describes them.
 *
 * @module
 */
import type { JsonValue } from "@belljar/client";

/** An operation. */
export interface Operation {
  readonly id: string;
  /** Method, in capitals. */
  readonly method: string;
  /** Path with the names of its parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The group that it stands in. */
  readonly group: string;
  readonly parameters: readonly Parameter[];
  readonly body: OperationBody | undefined;
  /** Media types of the answers that are no errors, the usual one first. */
  readonly types: readonly string[];
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  /** The only values; empty when there are others. */
  readonly values: readonly string[];
}

/** The body of a request. */
export interface OperationBody {
  /** Media type; any, for the bytes of a file. */
  readonly type: string;
  readonly examples: readonly BodyExample[];
}

/** A body to begin with. */
export interface BodyExample {
  readonly name: string;
  readonly value: JsonValue;
}

/** The parts of the document that this page reads. */
export interface OperationsDocument {
  readonly paths: {
    readonly [path: string]: { readonly [method: string]: DescribedOperation };
  };
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: DescribedContent };
  readonly responses: { readonly [status: string]: { readonly content?: DescribedContent } };
}

interface DescribedParameter {
  readonly name: string;
  readonly in: Parameter["in"];
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: { readonly enum?: readonly string[]; readonly description?: string };
}

interface DescribedContent {
  readonly [type: string]: {
    readonly examples?: {
      readonly [name: string]: { readonly summary?: string; readonly value?: JsonValue };
    };
  };
}

/** The operations of a document, in its order. */
export function operationsOf({ paths }: OperationsDocument): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(path, method, described))
  );
}

function operationOf(path: string, method: string, described: DescribedOperation): Operation {
  const { operationId, summary, description = "", tags = [], parameters = [] } = described;
  const successes = Object.entries(described.responses).filter(([status]) => /^2/.test(status));
  const types = successes.flatMap(([, { content = {} }]) => Object.keys(content));
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary: summary ?? operationId,
    description,
    group: tags[0] ?? "Service",
    parameters: parameters.map(parameterOf),
    body: bodyOf(described.requestBody?.content ?? {}),
    types: [...new Set(types)],
  };
}

function parameterOf(described: DescribedParameter): Parameter {
  const { name, required = false, schema = {} } = described;
  return {
    name,
    in: described.in,
    required,
    description: described.description ?? schema.description ?? "",
    values: schema.enum ?? [],
  };
}

function bodyOf(content: DescribedContent): OperationBody | undefined {
  const [first] = Object.entries(content);
  if (first === undefined) return undefined;
  const [type, { examples = {} }] = first;
  return {
    type,
    examples: Object.entries(examples).map(([key, { summary, value = null }]) => ({
      name: summary ?? key,
      value,
    })),
  };
}
