/**
 * A question of a program, at the place where the program stands: a field for the next line.
 *
 * @module
 */
import { type Asked, askedElement, type SendReply } from "./asked.ts";
import { button, el } from "./dom.ts";
import { longText } from "./output_view.ts";

/** A question. */
export interface QuestionOptions {
  readonly prompt: string;
  readonly runName: string;
  /** Gets the next line, or null for the end of input. */
  readonly send: SendReply<string | null>;
  readonly isOpen: boolean;
}

/** Shows a question. Once it is answered, it is a line with prompt and answer. */
export function questionElement({ prompt, runName, send, isOpen }: QuestionOptions): Asked {
  const field = el("input", {
    type: "text",
    class: "question-field",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-label": `${prompt.trim() === "" ? "Input" : prompt.trim()} (input of ${runName})`,
  });
  const form = el(
    "form",
    { class: "question-form" },
    field,
    el("button", { type: "submit", class: "primary" }, "Send"),
    button(
      "End input",
      () => reply(null, el("span", { class: "hint" }, "(end of input)")),
      { class: "quiet", title: "The program finds the end of its input" },
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    reply(field.value, el("span", { class: "typed" }, field.value));
  });
  const text = () => longText(prompt === "" ? "\u200b" : prompt);
  const { asked, reply } = askedElement({ text, form, field, send, isOpen });
  return asked;
}
