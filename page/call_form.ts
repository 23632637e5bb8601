/**
 * A call of a program, at the place where the program stands: its name and arguments, and a form for
 * its result or, of a tool of the operator, for the approval.
 *
 * @module
 */
import type { JsonValue } from "@belljar/client";
import { type Asked, askedElement, complain, type SendReply } from "./asked.ts";
import { button, el } from "./dom.ts";
import { plain } from "./format.ts";
import { jsonText } from "./json_text.ts";
import { longText } from "./output_view.ts";

/** The reader's reply to a call. */
export type CallReply =
  | { readonly value: JsonValue }
  | { readonly deny: string }
  | { readonly approve: true };

/** A call. */
export interface CallOptions {
  readonly name: string;
  readonly arguments: JsonValue;
  readonly runName: string;
  readonly send: SendReply<CallReply>;
  readonly isOpen: boolean;
  /** The service performs the call once it is approved. */
  readonly isApproval: boolean;
}

const MAX_ARGUMENTS = 2_000;
const REASON = "denied by a reader of the page";

/** Shows a call. Once it is answered, its result follows it. */
export function callElement(
  { name, arguments: given, runName, send, isOpen, isApproval }: CallOptions,
): Asked {
  const label = `${name} (call of ${runName})`;
  const value = el("textarea", {
    class: "question-field",
    rows: 2,
    spellcheck: "false",
    placeholder: "The result as JSON",
    title: "Ctrl + Enter answers",
    "aria-label": `Result of ${label}`,
  });
  const verb = isApproval ? "Approve" : "Answer";
  const submit = el(
    "button",
    { type: "submit", class: "primary", "aria-label": `${verb} ${label}` },
    verb,
  );
  const reason = el("input", {
    type: "text",
    class: "question-field",
    autocomplete: "off",
    placeholder: "Reason",
    "aria-label": `Reason to deny ${label}`,
  });
  const form = el(
    "form",
    { class: "question-form" },
    isApproval
      ? el("span", { class: "hint" }, "The service performs this call if you approve it.")
      : value,
    submit,
    el(
      "span",
      { class: "question-deny" },
      reason,
      button("Deny", () => deny(), { class: "quiet", "aria-label": `Deny ${label}` }),
    ),
  );
  const deny = () => {
    const why = reason.value.trim() === "" ? REASON : reason.value;
    reply({ deny: why }, el("span", { class: "hint" }, `denied: ${why}`));
  };
  const answer = () => {
    if (isApproval) return reply({ approve: true }, el("span", { class: "hint" }, "approved"));
    const result = readJson(value.value);
    if (result === undefined) return complain(form, 'Write JSON, such as 42, "text" or {"id": 7}.');
    const shown = longText(jsonText(result), MAX_ARGUMENTS);
    reply({ value: result }, el("span", { class: "typed" }, shown));
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer();
  });
  value.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    answer();
  });
  reason.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // the form would answer
    deny();
  });
  const text = () => {
    const shown = document.createDocumentFragment();
    shown.append(
      el("span", { class: "call-name" }, plain(name)),
      " ",
      longText(jsonText(given), MAX_ARGUMENTS),
      " → ",
    );
    return shown;
  };
  // Enter must approve nothing by chance: the cursor is where a denial is written
  const field = isApproval ? reason : value;
  const { asked, reply } = askedElement({ text, form, field, send, isOpen });
  return asked;
}

/** Undefined for a text that is no JSON. */
function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
