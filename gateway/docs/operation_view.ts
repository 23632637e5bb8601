/**
 * One operation as HTML.
 *
 * @module
 */
import { html } from "hono/html";
import type { OpenApiDocument } from "../openapi/document.ts";
import { jsonExample, line, type Markup, paragraphs, type Parts, table } from "./markup.ts";
import { referenceName, type Schema, typeOf } from "./schema_view.ts";

type PathItem = NonNullable<OpenApiDocument["paths"]>[string];
type OperationObject = NonNullable<PathItem["get"]>;
type Components = NonNullable<OpenApiDocument["components"]>;
type ResponseOrReference = NonNullable<Components["responses"]>[string];
type ResponseObject = Exclude<ResponseOrReference, { readonly $ref: string }>;
type BodyOrReference = NonNullable<OperationObject["requestBody"]>;
type Content = Exclude<BodyOrReference, { readonly $ref: string }>["content"];

/** An operation with its path and method. */
export interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationObject;
}

const METHODS = ["get", "post", "put", "delete"] as const;

/** The operations of a document, in its order. */
export function operationsOf({ paths = {} }: OpenApiDocument): readonly PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method: method.toUpperCase(), operation }];
    })
  );
}

/**
 * Everything that a document says about an operation; with a trial, a link to the page, which can
 * send it.
 */
export function operationSection(
  { path, method, operation }: PlacedOperation,
  components: Components,
  trial: boolean,
): Markup {
  const { operationId = "", summary = "", description } = operation;
  return html`<section class="operation" id="${operationId}"><h3>${summary}</h3>
<p class="route"><b>${method}</b> <code>${path}</code>${trial ? trialLink(operation) : ""}</p>${
    paragraphs(description)
  }${openNote(operation)}${parameterTable(operation)}${bodyView(operation)}${
    answerView(operation, components)
  }</section>`;
}

function trialLink({ operationId = "", summary = "" }: OperationObject): Markup {
  const label = `Try it: ${summary}`;
  return html`
    <a class="trial" href="./#operation=${operationId}" aria-label="${label}">Try it</a>
  `;
}

function openNote({ security }: OperationObject): Markup {
  return security?.length === 0 ? html`<p>Needs no token.</p>` : html``;
}

function parameterTable({ parameters = [] }: OperationObject): Markup {
  const rows = parameters.flatMap((parameter): Parts[] => {
    if (!("name" in parameter)) return [];
    const { name, required, description = "", schema } = parameter;
    return [[
      html`<code>${name}</code>${
        required === true ? "" : html`
          <small>optional</small>
        `
      }`,
      html`${parameter.in}`,
      typeOf(schema),
      line(description),
    ]];
  });
  return table(["Parameter", "In", "Type", "Meaning"], rows);
}

function bodyView({ requestBody }: OperationObject): Markup {
  if (requestBody === undefined || "$ref" in requestBody) return html``;
  return html`<h4>Body</h4>${contentView(requestBody.content)}`;
}

function contentView(content: Content | undefined): Markup {
  const views = Object.entries(content ?? {}).map(([mediaType, media]) => {
    if ("$ref" in media) return html``;
    const examples = Object.values(media.examples ?? {}).map((example) =>
      "value" in example ? jsonExample(example.summary ?? "Example", example.value) : html``
    );
    return html`<p><code>${mediaType}</code>: ${typeOf(media.schema)}</p>${examples}`;
  });
  return html`${views}`;
}

function answerView({ responses = {} }: OperationObject, components: Components): Markup {
  const known = Object.entries(responses).map((
    [status, response]: [string, ResponseOrReference],
  ) => ({
    status,
    response: resolved(response, components),
  }));
  const successes = known.filter(({ status }) => /^[23]/.test(status));
  const failures = known.filter(({ status }) => !/^[23]/.test(status));
  const rows = failures.map(({ status, response }): Parts => [
    html`<code>${status}</code>`,
    paragraphs(response?.description),
    html`${schemasOf(response).map(typeOf)}`,
    headerNames(response),
  ]);
  return html`<h4>Answer</h4>${
    successes.map(({ status, response }) =>
      html`<p><code>${status}</code> ${line(response?.description ?? "")} ${
        headerNames(response)
      }</p>${contentView(response?.content)}`
    )
  }<details><summary>Errors</summary>${
    table(["Status", "When", "Body", "Headers"], rows)
  }</details>`;
}

function resolved(
  response: ResponseOrReference,
  components: Components,
): ResponseObject | undefined {
  if (!("$ref" in response)) return response;
  const found = components.responses?.[referenceName(response.$ref ?? "")];
  return found === undefined || "$ref" in found ? undefined : found;
}

function schemasOf(response: ResponseObject | undefined): readonly (Schema | undefined)[] {
  return Object.values(response?.content ?? {}).flatMap((media) =>
    "$ref" in media ? [] : [media.schema]
  );
}

function headerNames(response: ResponseObject | undefined): Markup {
  const names = Object.keys(response?.headers ?? {});
  return html`${
    names.map((name) =>
      html`
        <code>${name}</code>
      `
    )
  }`;
}
