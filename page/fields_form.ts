/**
 * The fields of a run: standard input, variables, limits, and what makes it repeatable.
 *
 * @module
 */
import type { PublishedLimits } from "@belljar/client";
import { el, withLabel } from "./dom.ts";
import { compact, duration } from "./format.ts";
import type { RunFields } from "./run_request.ts";

/** A form and what is typed into it. */
export interface FieldsForm {
  readonly element: HTMLDetailsElement;
  fields: RunFields;
  /** Shows the most that can be had. */
  limits: PublishedLimits;
}

/** Creates the form. */
export function fieldsForm(first: RunFields, onChange: () => void): FieldsForm {
  const area = (rows: number, placeholder: string) =>
    el("textarea", { rows, spellcheck: "false", placeholder });
  const line = (placeholder: string, mode: string) =>
    el("input", { type: "text", inputmode: mode, placeholder, autocomplete: "off" });
  const inputs = {
    stdin: area(3, "Text that the program reads"),
    variables: area(3, "NAME=value"),
    tools: area(2, "crm.find"),
    operatorTools: area(2, "crm.*"),
    fuel: line("", "numeric"),
    wallMs: line("", "numeric"),
    seed: line("random", "numeric"),
    clock: line("now", "text"),
  };
  const count = el("span", { class: "count" });
  const names = [
    "stdin",
    "variables",
    "fuel",
    "wallMs",
    "seed",
    "clock",
    "tools",
    "operatorTools",
  ] as const;
  const read = (): RunFields => ({
    stdin: inputs.stdin.value,
    variables: inputs.variables.value,
    fuel: inputs.fuel.value,
    wallMs: inputs.wallMs.value,
    seed: inputs.seed.value,
    clock: inputs.clock.value,
    tools: inputs.tools.value,
    operatorTools: inputs.operatorTools.value,
  });
  const showCount = () => {
    const used = names.filter((name) => inputs[name].value.trim() !== "").length;
    count.textContent = used === 0 ? "" : `${used} set`;
  };
  const write = (fields: RunFields) => {
    for (const name of names) inputs[name].value = fields[name];
    showCount();
  };
  write(first);
  const element = el(
    "details",
    { class: "fields" },
    el("summary", {}, "Input and limits", count),
    el(
      "div",
      { class: "fields-grid" },
      withLabel("Standard input", inputs.stdin),
      withLabel("Variables", inputs.variables),
      withLabel("Fuel", inputs.fuel),
      withLabel("Time (ms)", inputs.wallMs),
      withLabel("Seed", inputs.seed),
      withLabel("Clock", inputs.clock),
      withLabel("Calls that you answer", inputs.tools),
      withLabel("Tools of the operator", inputs.operatorTools),
    ),
  );
  element.addEventListener("input", () => {
    showCount();
    onChange();
  });
  return {
    element,
    get fields() {
      return read();
    },
    set fields(fields) {
      write(fields);
    },
    set limits({ fuel, wallMs }: PublishedLimits) {
      inputs.fuel.placeholder = `at most ${compact(fuel)}`;
      inputs.wallMs.placeholder = `at most ${duration(wallMs)}`;
    },
  };
}
