/**
 * Questions to the reader, as dialogs of the browser.
 *
 * @module
 */
import { button, type Child, el, withDescription, withLabel } from "./dom.ts";
import { sandboxNameField } from "./sandbox_name_field.ts";

/** Dialogs so far: names their headings. */
let count = 0;

/** Shows a dialog until it is closed; resolves with the value of the button that closed it. */
export async function ask(title: string, ...content: readonly Child[]): Promise<string> {
  const heading = el("h2", { id: `dialog-${++count}` }, title);
  const dialog = el(
    "dialog",
    { "aria-labelledby": heading.id },
    el("form", { method: "dialog" }, heading, ...content),
  );
  document.body.append(dialog);
  const closed = Promise.withResolvers<string>();
  dialog.addEventListener("close", () => closed.resolve(dialog.returnValue));
  dialog.showModal();
  const answer = await closed.promise;
  dialog.remove();
  return answer;
}

/** Asks whether to do something; resolves with the answer. */
export async function askToConfirm(title: string, text: string, verb: string): Promise<boolean> {
  const answer = await ask(title, el("p", {}, text), actions(verb, "danger"));
  return answer === "yes";
}

/**
 * The buttons at the end of a dialog: one that does it, one that does not. Enter in a field presses
 * the form's first button that submits.
 */
function actions(verb: string, kind = "primary"): HTMLElement {
  const cancel = button("Cancel", () => cancel.closest("dialog")?.close(""), { class: "quiet" });
  return el(
    "div",
    { class: "actions" },
    cancel,
    el("button", { type: "submit", value: "yes", class: kind }, verb),
  );
}

/** Asks for a path below the workspace; undefined when there was no answer. */
export async function askPath(
  title: string,
  path: string,
  verb: string,
): Promise<string | undefined> {
  const input = el("input", {
    autocomplete: "off",
    spellcheck: "false",
    required: true,
    autofocus: true,
    maxlength: 500,
    placeholder: "folder/name.py",
  });
  input.value = path;
  const label = el("label", { class: "field" }, el("span", { class: "field-name" }, "Path"), input);
  const answer = await ask(title, label, actions(verb));
  const wanted = input.value.trim().replace(/^(?:\/workspace)?\/+/, "");
  return answer === "yes" && wanted !== "" ? wanted : undefined;
}

/** Asks for the name of a new sandbox; undefined when there was no answer. */
export async function askSandboxName(title: string, verb: string): Promise<string | undefined> {
  const input = sandboxNameField({ autofocus: true });
  const answer = await ask(title, withLabel("Name of the sandbox", input), actions(verb));
  return answer === "yes" && input.value !== "" ? input.value : undefined;
}

/** A question for a text of several lines. */
export interface TextQuestion {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly verb: string;
  /** The problem of a text; undefined when it can be used. */
  readonly problem: (text: string) => string | undefined;
}

/** Asks for a text until it can be used; undefined when there was no answer. */
export async function askText(
  { title, label, hint, verb, problem }: TextQuestion,
): Promise<string | undefined> {
  const input = el("textarea", { rows: 8, required: true, autofocus: true, spellcheck: "false" });
  input.addEventListener("input", () => input.setCustomValidity(problem(input.value) ?? ""));
  const answer = await ask(title, withDescription(label, input, [hint]), actions(verb));
  return answer === "yes" ? input.value : undefined;
}

/** Asks for the token; undefined when there was no answer. */
export async function askToken(problem: string): Promise<string | undefined> {
  const input = el("input", {
    type: "password",
    name: "token",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
    autofocus: true,
    pattern: "[!-~]+",
    title: "Visible ASCII characters without spaces",
  });
  const answer = await ask(
    "Token",
    el("p", { role: "alert" }, problem),
    el("label", { class: "field" }, el("span", { class: "field-name" }, "Token"), input),
    el("p", { class: "hint" }, "It is kept for this tab only, and sent only to this service."),
    actions("Use token"),
  );
  return answer === "yes" && input.value !== "" ? input.value : undefined;
}

/** Copies a text, or shows it where there is no clipboard. Resolves with whether it was copied. */
export async function offerText(title: string, text: string, note: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const input = el("textarea", { readonly: true, rows: 4, "aria-label": title });
    input.value = text;
    const close = button("Close", () => input.closest("dialog")?.close(), { class: "primary" });
    input.addEventListener("focus", () => input.select());
    await ask(title, el("p", {}, note), input, el("div", { class: "actions" }, close));
    return false;
  }
}
