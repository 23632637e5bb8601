/**
 * JSON schemas as HTML: a type in a few words, and tables of fields.
 *
 * @module
 */
import { html } from "hono/html";
import type { OpenApiDocument } from "../openapi/document.ts";
import { line, type Markup, paragraphs, table } from "./markup.ts";

/** A schema, or a reference to one. */
export type Schema = NonNullable<NonNullable<OpenApiDocument["components"]>["schemas"]>[string];

type SchemaFields = Exclude<Schema, boolean>;

/** The last name of a reference. */
export function referenceName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** The type of a value, with links to named schemas. */
export function typeOf(schema: Schema | undefined): Markup {
  if (schema === undefined || typeof schema === "boolean") return html`anything`;
  if (schema.$ref !== undefined) {
    const name = referenceName(schema.$ref);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const choices = "anyOf" in schema ? schema.anyOf : undefined;
  if (choices !== undefined) return joined(choices.map(typeOf), " or ");
  return plainType(schema);
}

function plainType(schema: SchemaFields): Markup {
  if ("const" in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if ("enum" in schema && schema.enum !== undefined) {
    return joined(schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`), " or ");
  }
  if ("not" in schema) return html`must be absent`;
  if (!("type" in schema)) return html`anything`;
  if (schema.type === "array") return html`array of ${typeOf(schema.items)}`;
  if (schema.type === "object" && schema.properties === undefined) return mapType(schema);
  return html`${String(schema.type)}${constraints(schema)}`;
}

function mapType(schema: SchemaFields): Markup {
  const values = "additionalProperties" in schema ? schema.additionalProperties : undefined;
  return html`object of ${typeOf(values)}`;
}

const CONSTRAINTS: readonly (readonly [keyword: string, text: string])[] = [
  ["minLength", "at least "],
  ["maxLength", "at most "],
  ["minimum", "from "],
  ["format", ""],
  ["pattern", "matching "],
];

function constraints(schema: SchemaFields): Markup {
  const found = CONSTRAINTS.flatMap(([keyword, text]) => {
    const value: unknown = Reflect.get(schema, keyword);
    if (typeof value !== "string" && typeof value !== "number") return [];
    if (keyword === "minimum" && value === 0) return [];
    return [html`
      <small>${text}<code>${String(value)}</code></small>
    `];
  });
  return html`${found}`;
}

function joined(parts: readonly Markup[], separator: string): Markup {
  return html`${parts.map((part, index) => index === 0 ? part : html`${separator}${part}`)}`;
}

/** A named schema with all its fields. */
export function schemaSection(name: string, schema: Schema): Markup {
  if (typeof schema === "boolean") return html``;
  return html`<section class="schema" id="schema-${name}"><h3>${name}</h3>${
    paragraphs(schema.description)
  }${schemaBody(schema)}</section>`;
}

function schemaBody(schema: SchemaFields): Markup {
  const choices = "anyOf" in schema ? schema.anyOf ?? [] : [];
  if (choices.some(hasFields)) {
    const items = choices.map((choice) =>
      html`<li>${hasFields(choice) ? fieldTable(choice) : typeOf(choice)}</li>`
    );
    return html`
      <p>One of:</p>
      <ul class="choices">${items}</ul>
    `;
  }
  return hasFields(schema) ? fieldTable(schema) : html`<p>${typeOf(schema)}</p>`;
}

function hasFields(schema: Schema): boolean {
  return typeof schema !== "boolean" && "properties" in schema && schema.properties !== undefined;
}

function fieldTable(schema: Schema): Markup {
  if (typeof schema === "boolean" || !("properties" in schema)) return html``;
  const needed = new Set(schema.required);
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    html`<code>${name}</code>${
      needed.has(name) ? "" : html`
        <small>optional</small>
      `
    }`,
    inner(field),
    line(typeof field === "boolean" ? "" : field.description ?? ""),
  ]);
  return table(["Field", "Type", "Meaning"], rows);
}

/** The type of a field. An object without a name of its own is shown in full. */
function inner(field: Schema): Markup {
  if (hasFields(field)) return fieldTable(field);
  const choices = typeof field !== "boolean" && "anyOf" in field ? field.anyOf ?? [] : [];
  if (!choices.some(hasFields)) return typeOf(field);
  return html`<ul class="choices">${choices.map((choice) => html`<li>${inner(choice)}</li>`)}</ul>`;
}
