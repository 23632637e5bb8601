/**
 * A test of an exercise as a row: its name, its state, and for a visible test its input and its
 * output.
 *
 * @module
 */
import { el, fill } from "./dom.ts";
import type { ExerciseTest } from "./exercise.ts";
import type { Verdict } from "./exercise_check.ts";
import { plain } from "./format.ts";
import { longText } from "./output_view.ts";

const MAX_TEXT = 2_000;

/** The row of one test. */
export class TestRow {
  readonly element: HTMLElement;
  readonly test: ExerciseTest;
  readonly #name: string;
  readonly #state = el("span", { class: "test-state" });
  readonly #reason = el("p", { class: "test-reason" });
  readonly #output = el("div", {});

  constructor(test: ExerciseTest, number: number) {
    this.test = test;
    this.#name = test.name.trim() === "" ? `Test ${number}` : plain(test.name);
    this.element = el(
      "li",
      { class: "test-row" },
      el("span", { class: "test-name" }, this.#name),
      this.#state,
      this.#reason,
      !test.hidden && this.#details(test),
    );
    this.showNone();
  }

  /** The test has not run. */
  showNone(): void {
    this.#show("none", this.test.hidden ? "Hidden" : "", "");
  }

  /** The test runs. */
  showRunning(): void {
    this.#show("running", "Running", "");
  }

  /** The test has run. */
  show({ passed, reason, output }: Verdict): void {
    const { hidden } = this.test;
    this.#show(passed ? "ok" : "error", passed ? "✓ Passed" : "✗ Failed", hidden ? "" : reason);
    if (!passed && !hidden) fill(this.#output, this.#text("Output", output));
  }

  #show(state: string, word: string, reason: string): void {
    this.element.dataset["state"] = state;
    this.#state.textContent = word;
    fill(this.#reason, reason === "" ? undefined : longText(reason, MAX_TEXT));
    fill(this.#output);
  }

  #details({ stdin, output, code }: ExerciseTest): HTMLElement | undefined {
    if (stdin === "" && output === undefined && code.trim() === "") return undefined;
    return el(
      "details",
      {},
      el("summary", {}, "Details of the test"),
      stdin !== "" && this.#text("Standard input", stdin),
      code.trim() !== "" && this.#text("After the program", code),
      output !== undefined && this.#text("Expected output", output),
      this.#output,
    );
  }

  #text(label: string, text: string): HTMLElement {
    const attributes = { tabindex: 0, role: "region", "aria-label": `${label} of ${this.#name}` };
    return el(
      "div",
      { class: "test-text" },
      el("span", { class: "field-name" }, label),
      el("pre", { class: "output", ...attributes }, longText(text, MAX_TEXT)),
    );
  }
}
