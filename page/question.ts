/**
 * A question of a program, at the place where the program stands: a field for the next line.
 *
 * @module
 */
import { button, el } from "./dom.ts";
import { longText } from "./output_view.ts";

/** A question that is shown. */
export interface Question {
  /** The element that holds it. */
  readonly element: HTMLElement;
  /** The next line, or null for the end of input. Never resolves when the question is withdrawn. */
  readonly answer: Promise<string | null>;
  /** Puts the cursor into the field. */
  focus(): void;
}

/** Shows a question. Once it is answered, it is a line with prompt and answer. */
export function askQuestion(prompt: string, runName: string): Question {
  const answer = Promise.withResolvers<string | null>();
  const field = el("input", {
    type: "text",
    class: "question-field",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-label": `${prompt.trim() === "" ? "Input" : prompt.trim()} (input of ${runName})`,
  });
  const settle = (line: string | null) => {
    const shown = line ?? "(end of input)";
    element.replaceChildren(
      longText(prompt === "" ? "\u200b" : prompt),
      el("span", { class: line === null ? "hint" : "typed" }, shown),
    );
    element.classList.add("answered");
    answer.resolve(line);
  };
  const form = el(
    "form",
    { class: "question-form" },
    field,
    el("button", { type: "submit", class: "primary" }, "Send"),
    button("End input", () => settle(null), {
      class: "quiet",
      title: "The program finds the end of its input",
    }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    settle(field.value);
  });
  const element = el("div", { class: "question" }, el("span", {}, longText(prompt)), form);
  return { element, answer: answer.promise, focus: () => field.focus() };
}
