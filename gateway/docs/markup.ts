/**
 * Texts of the document as markup. The template escapes everything except what another template
 * wrote.
 *
 * @module
 */
import { html } from "hono/html";

/** Markup that is safe to put into a page. */
export type Markup = ReturnType<typeof html>;

/** Parts of a page in sequence. */
export type Parts = readonly Markup[];

/** Text of one line; text between backticks becomes code. */
export function line(text: string): Markup {
  const parts = text.split("`").map((part, index) =>
    index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`
  );
  return html`${parts}`;
}

/** Text of several paragraphs. */
export function paragraphs(text: string | undefined): Markup {
  const parts = (text ?? "").split(/\n{2,}/).filter((part) => part !== "");
  return html`${parts.map((part) => html`<p>${line(part)}</p>`)}`;
}

/** A table, or nothing when it has no rows. */
export function table(heads: readonly string[], rows: readonly Parts[]): Markup {
  if (rows.length === 0) return html``;
  const head = heads.map((text) => html`<th scope="col">${text}</th>`);
  const body = rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`);
  return html`
    <div class="wide">
      <table>
        <thead>
          <tr>${head}</tr>
        </thead>
        <tbody>${body}</tbody>
      </table>
    </div>
  `;
}

/** A value as JSON in an element that can be expanded. */
export function jsonExample(summary: string, value: unknown): Markup {
  const text = JSON.stringify(value, undefined, 2);
  return html`
    <details>
      <summary>${line(summary)}</summary>
      <pre><code>${text}</code></pre>
    </details>
  `;
}
