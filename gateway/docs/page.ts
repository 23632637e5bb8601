/**
 * The page of `GET /docs`: an OpenAPI document as HTML that needs no script and loads nothing.
 *
 * @module
 */
import { html, raw } from "hono/html";
import { createHash } from "node:crypto";
import type { OpenApiDocument } from "../openapi/document.ts";
import { OPENAPI_PATH } from "../openapi/paths.ts";
import { type Markup, paragraphs } from "./markup.ts";
import { operationSection, operationsOf, type PlacedOperation } from "./operation_view.ts";
import { schemaSection } from "./schema_view.ts";
import { STYLE } from "./style.ts";

/** A page and the policy that it is served with. */
export interface DocsPage {
  readonly body: string;
  /** Value of `Content-Security-Policy`: nothing but the page's own style. */
  readonly policy: string;
}

/** Options of a page. */
export interface DocsPageOptions {
  /** Whether each operation has a link to where it can be tried. @default {false} */
  readonly trial?: boolean;
}

/** Creates the page of a document. */
export async function docsPage(
  document: OpenApiDocument,
  { trial = false }: DocsPageOptions = {},
): Promise<DocsPage> {
  const style = createHash("sha256").update(STYLE).digest("base64");
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${style}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { body: String(await page(document, trial)), policy };
}

function page(document: OpenApiDocument, trial: boolean): Markup {
  const { info, tags = [], components = {} } = document;
  const operations = operationsOf(document);
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags?.includes(name)),
  })).filter((group) => group.operations.length > 0);
  const schemas = Object.entries(components.schemas ?? {})
    .sort(([a], [b]) => a < b ? -1 : 1);
  return html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>${info.title} ${info.version}</title>
        <style>${raw(STYLE)}</style>
      </head>
      <body>
        <nav aria-label="Contents">${groups.map((group) => contents(group.name, group.operations))}
    <p><a href="#schemas">Schemas</a></p></nav>
        <main>
    <h1>${info.title} <small>${info.version}</small></h1>${paragraphs(info.description)}
    ${tokenNote(
      document,
    )}<p>The same for machines: <a href="${OPENAPI_PATH.slice(1)}">${OPENAPI_PATH}</a>.</p>
    ${groups.map((group) =>
      html`<h2>${group.name}</h2>${paragraphs(group.description)}${
        group.operations.map((operation) => operationSection(operation, components, trial))
      }`
    )}<h2 id="schemas">Schemas</h2>${schemas.map(([name, schema]) => schemaSection(name, schema))}
        </main>
      </body>
    </html>
  `;
}

function contents(name: string, operations: readonly PlacedOperation[]): Markup {
  const links = operations.map(({ operation }) =>
    html`<li><a href="#${operation.operationId ?? ""}">${operation.summary ?? ""}</a></li>`
  );
  return html`
    <p>${name}</p>
    <ul>${links}</ul>
  `;
}

function tokenNote({ security = [] }: OpenApiDocument): Markup {
  const open = security.some((requirement) => Object.keys(requirement).length === 0);
  return paragraphs(
    open
      ? "This service answers without a token."
      : "Requests carry `Authorization: Bearer <token>`.",
  );
}
