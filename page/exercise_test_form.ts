/**
 * The fields of one test of an exercise.
 *
 * @module
 */
import { button, el, withLabel } from "./dom.ts";
import { EXERCISE_LIMITS, type ExerciseTest } from "./exercise.ts";

/** Options of the fields. */
export interface TestFormOptions {
  readonly onChange: () => void;
  readonly onRemove: () => void;
}

/** The fields of one test. */
export class TestForm {
  readonly element: HTMLElement;
  readonly #heading = el("legend", {});
  readonly #remove: HTMLButtonElement;
  readonly #name = el("input", { maxlength: EXERCISE_LIMITS.nameChars, autocomplete: "off" });
  readonly #hidden = el("input", { type: "checkbox" });
  readonly #compares = el("input", { type: "checkbox" });
  readonly #stdin = area();
  readonly #output = area();
  readonly #code = area();

  constructor({ name, hidden, stdin, output, code }: ExerciseTest, options: TestFormOptions) {
    this.#name.value = name;
    this.#hidden.checked = hidden;
    this.#compares.checked = output !== undefined;
    this.#stdin.value = stdin;
    this.#output.value = output ?? "";
    this.#code.value = code;
    this.#remove = button("Remove", options.onRemove, { class: "quiet" });
    const showOutput = () => this.#output.readOnly = !this.#compares.checked;
    this.#compares.addEventListener("change", () => {
      showOutput();
      options.onChange();
    });
    showOutput();
    this.element = el(
      "li",
      {},
      el(
        "fieldset",
        {},
        this.#heading,
        withLabel("Name", this.#name),
        withLabel("Standard input", this.#stdin),
        withLabel("Expected output", this.#output),
        withLabel("Code after the program", this.#code),
        el(
          "div",
          { class: "tools" },
          el("label", { class: "choice" }, this.#compares, "The output must be the expected one"),
          el("label", { class: "choice" }, this.#hidden, "Hidden"),
          this.#remove,
        ),
      ),
    );
  }

  /** The test as it is typed. */
  get test(): ExerciseTest {
    return {
      name: this.#name.value,
      hidden: this.#hidden.checked,
      stdin: this.#stdin.value,
      output: this.#compares.checked ? this.#output.value : undefined,
      code: this.#code.value,
    };
  }

  /** Its place in the list, from 1. */
  set number(number: number) {
    this.#heading.textContent = `Test ${number}`;
    this.#remove.setAttribute("aria-label", `Remove test ${number}`);
  }

  /** Puts the cursor into its name. */
  focus(): void {
    this.#name.focus();
  }
}

function area(): HTMLTextAreaElement {
  return el("textarea", { rows: 2, spellcheck: "false", maxlength: EXERCISE_LIMITS.codeChars });
}
