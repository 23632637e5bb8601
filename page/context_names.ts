/**
 * The variables of a context, and the names that complete a program. Looking changes nothing
 * (docs/contract.md#looking-into-a-context).
 *
 * @module
 */
import type { Completion, CompletionSource } from "@codemirror/autocomplete";
import type { Language } from "@belljar/client";
import { button, el, fill } from "./dom.ts";
import { plain } from "./format.ts";
import { messageOf, type Service } from "./service.ts";
import { tableView } from "./record_table.ts";

/** A context at the service. */
export interface ContextPath {
  readonly service: Service;
  /** Without a slash at its end. */
  readonly path: string;
}

/** The path of a context at the service. */
export function contextPath(language: Language, sandbox: string, id: string): string {
  const name = encodeURIComponent(sandbox);
  return `languages/${language}/sandboxes/${name}/contexts/${encodeURIComponent(id)}`;
}

/** Whether the contexts of a language can be looked into. */
export function canLookInto(language: Language): boolean {
  return language === "python" || language === "javascript";
}

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly size?: string;
  readonly preview: string;
}

/** Characters of a program before the cursor that are looked at. */
const MAX_CODE = 1_000;

/** Completes names, when the reader asks for it. A context that cannot be asked completes none. */
export function contextCompletions({ service, path }: ContextPath): CompletionSource {
  return async (context) => {
    if (!context.explicit) return null;
    const word = context.matchBefore(/[\p{L}\p{N}_$]*/u);
    const from = word?.from ?? context.pos;
    const code = context.state.sliceDoc(Math.max(0, context.pos - MAX_CODE), context.pos);
    if (code === "") return null;
    const answer = await service.send(`${path}/inspect`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    if (!answer.ok) return null;
    const { matches }: { readonly matches: readonly { name: string; type: string }[] } =
      await answer.json();
    const options = matches.map(({ name, type }): Completion => ({
      label: name,
      detail: plain(type),
    }));
    return { from, options, validFor: /^[\p{L}\p{N}_$]*$/u };
  };
}

/** The variables of a context as rows: name, type, size, value. Rejects with the service's message. */
export async function readVariables(
  { service, path }: ContextPath,
): Promise<readonly (readonly string[])[]> {
  const answer = await service.send(`${path}/variables`);
  const body = await answer.json();
  if (!answer.ok) throw new Error(String(body.message));
  const variables: readonly Variable[] = body.variables;
  return variables.map(({ name, type, size = "", preview }) =>
    [name, type, size, preview].map(plain)
  );
}

/** A panel with the variables of a context; read when it is opened, and again when it is asked for. */
export function contextVariables(context: ContextPath): HTMLElement {
  const place = el("div", {});
  const read = async () => {
    try {
      const rows = await readVariables(context);
      fill(
        place,
        rows.length === 0
          ? el("p", { class: "hint" }, "The context has no variables yet.")
          : tableView([["Name", "Type", "Size", "Value"], ...rows], "Variables of the context"),
      );
    } catch (thrown) {
      fill(place, el("p", { class: "hint", role: "alert" }, messageOf(thrown)));
    }
  };
  const element = el(
    "details",
    { class: "fields context-variables" },
    el("summary", {}, "Variables of the context"),
    button("Read again", () => void read(), { class: "quiet small" }),
    place,
  );
  element.addEventListener("toggle", () => {
    if (element.open) void read();
  });
  return element;
}
